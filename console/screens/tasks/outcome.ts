// Parses the results of a task from its provider's data: songs, films, pictures and texts. Unknown shapes are ignored.
import type { ListedTask } from '../../../core/tasks/task.ts'
import { toMediaAddress, type ViewableMedium } from '../../parts/media/media.ts'

type TaskRecord = Record<string, unknown>
type TaskOutcomeRow = Pick<ListedTask, 'data' | 'task_id' | 'id' | 'platform' | 'status'>

/** `data` is the provider's record as JSON: a list of clips for music, one text for lyrics. */
export function parseOutcome({ data, task_id, id, platform, status }: TaskOutcomeRow): ViewableMedium[] {
  if (platform === 'video') {
    const src = status === 'SUCCESS' ? toMediaAddress(`/pg/tasks/${id}/content`) : ''
    return src === '' ? [] : [{ key: 'film', kind: 'film', src, title: task_id, text: '' }]
  }
  const read = parseJson(data)
  return [read].flat().flatMap((clip, place) => (isObject(clip) ? parseMedia(clip, `${place}`, task_id) : []))
}

/** Returns the record in readable form: the provider's data as an object, if it is one. */
export const formatTaskRecord = (row: { data: string }): string =>
  JSON.stringify({ ...row, data: parseJson(row.data) ?? row.data }, null, 2)

function parseMedia(clip: TaskRecord, key: string, name: string): ViewableMedium[] {
  const title = text(clip['title']) || name
  const words = text(clip['text']) || text(metadata(clip)['prompt'])
  const cover = toMediaAddress(clip['image_large_url']) || toMediaAddress(clip['image_url'])
  const of = (kind: ViewableMedium['kind'], src: string): ViewableMedium[] =>
    src === '' ? [] : [{ key: `${key} ${kind}`, kind, src, title, text: words, ...(cover ? { cover } : {}) }]
  const [songs, films] = [of('song', toMediaAddress(clip['audio_url'])), of('film', toMediaAddress(clip['video_url']))]
  if (songs.length + films.length > 0) return [...songs, ...films]
  if (cover) return of('picture', cover)
  return words === '' ? [] : [{ key: `${key} words`, kind: 'words', src: '', title, text: words }]
}

const metadata = ({ metadata }: TaskRecord): TaskRecord => (isObject(metadata) ? metadata : {})
const isObject = (value: unknown): value is TaskRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

function parseJson(data: string): unknown {
  try {
    return data === '' ? null : JSON.parse(data)
  } catch {
    return null
  }
}
