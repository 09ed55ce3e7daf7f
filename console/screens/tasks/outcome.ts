// What came of a task, read from what its provider says of it: songs, films, pictures and words. What is not of a shape that is
// known gives nothing.
import type { Task } from '../../../core/tasks/task.ts'
import { mediaAddress, type Medium } from '../../parts/media/media.ts'

type Said = Record<string, unknown>
type Row = Pick<Task, 'data' | 'task_id' | 'id' | 'platform' | 'status'>

/** `data` is the provider's record as JSON; of a piece of music a list of clips, of lyrics one text. */
export function outcomeOf({ data, task_id, id, platform, status }: Row): Medium[] {
  if (platform === 'video') {
    const src = status === 'SUCCESS' ? mediaAddress(`/pg/tasks/${id}/content`) : ''
    return src === '' ? [] : [{ key: 'film', kind: 'film', src, title: task_id, text: '' }]
  }
  const read = parsed(data)
  return [read].flat().flatMap((clip, place) => (isObject(clip) ? mediaOf(clip, `${place}`, task_id) : []))
}

/** The record as people read it: what the provider says as an object, where it is one. */
export const recordOf = (row: { data: string }): string =>
  JSON.stringify({ ...row, data: parsed(row.data) ?? row.data }, null, 2)

function mediaOf(clip: Said, key: string, name: string): Medium[] {
  const title = text(clip['title']) || name
  const words = text(clip['text']) || text(metadata(clip)['prompt'])
  const cover = mediaAddress(clip['image_large_url']) || mediaAddress(clip['image_url'])
  const of = (kind: Medium['kind'], src: string): Medium[] =>
    src === '' ? [] : [{ key: `${key} ${kind}`, kind, src, title, text: words, ...(cover ? { cover } : {}) }]
  const [songs, films] = [of('song', mediaAddress(clip['audio_url'])), of('film', mediaAddress(clip['video_url']))]
  if (songs.length + films.length > 0) return [...songs, ...films]
  if (cover) return of('picture', cover)
  return words === '' ? [] : [{ key: `${key} words`, kind: 'words', src: '', title, text: words }]
}

const metadata = ({ metadata }: Said): Said => (isObject(metadata) ? metadata : {})
const isObject = (value: unknown): value is Said => typeof value === 'object' && value !== null && !Array.isArray(value)
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

function parsed(data: string): unknown {
  try {
    return data === '' ? null : JSON.parse(data)
  } catch {
    return null
  }
}
