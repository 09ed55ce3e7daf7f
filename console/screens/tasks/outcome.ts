// Parses the results of a task from its provider's data: songs, films, pictures and texts. Unknown shapes are ignored.
import type { Task } from '../../../core/tasks/task.ts'
import { mediaAddress, type Medium } from '../../parts/media/media.ts'

type JsonObject = Record<string, unknown>
type Row = Pick<Task, 'data' | 'task_id' | 'id' | 'platform' | 'status'>

/** `data` is the provider's record as JSON: a list of clips for music, one text for lyrics. */
export function parseOutcome({ data, task_id, id, platform, status }: Row): Medium[] {
  if (platform === 'video') {
    const src = status === 'SUCCESS' ? mediaAddress(`/pg/tasks/${id}/content`) : ''
    return src === '' ? [] : [{ key: 'film', kind: 'film', src, title: task_id, text: '' }]
  }
  const read = parseJson(data)
  return [read].flat().flatMap((clip, place) => (isObject(clip) ? parseMedia(clip, `${place}`, task_id) : []))
}

/** Returns the record in readable form: the provider's data as an object, if it is one. */
export const formatRecord = (row: { data: string }): string =>
  JSON.stringify({ ...row, data: parseJson(row.data) ?? row.data }, null, 2)

function parseMedia(clip: JsonObject, key: string, name: string): Medium[] {
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

const metadata = ({ metadata }: JsonObject): JsonObject => (isObject(metadata) ? metadata : {})
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

function parseJson(data: string): unknown {
  try {
    return data === '' ? null : JSON.parse(data)
  } catch {
    return null
  }
}
