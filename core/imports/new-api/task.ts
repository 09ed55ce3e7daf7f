// Converts the drawings, music and films of new-api. A finished task keeps its result; an unfinished one is no longer
// followed.
import { TASK_STATUSES } from '../../dialects/tasks/task-dialect.ts'
import { composeWords, fillTemplate, words } from '../../errors.ts'
import type { ImportedTask } from '../imported-rows.ts'
import type { RowChangeNotes, SourceRow } from '../cells.ts'
import {
  getCellAmount,
  parseCellJson,
  getCellObject,
  getCellText,
  getCellTime,
  getCellTimeMs,
  getCellWhole,
  getCellWord,
} from '../cells.ts'
import type { SkippedRow, SourceFacts } from '../product.ts'

/** The largest value of a column of small numbers. */
const MOST_CODE = 2_147_483_647

type ConvertedTaskFields = Pick<ImportedTask, 'platform' | 'task_id' | 'data' | 'details' | 'model'> &
  Pick<ImportedTask, 'submit_time' | 'start_time' | 'finish_time' | 'created_at'>

export function convertDrawing(row: SourceRow, facts: SourceFacts): ImportedTask | SkippedRow {
  const notes: RowChangeNotes = []
  const properties = getCellObject(row, 'properties', notes)
  const buttons = parseCellJson(row, 'buttons')
  const times = { submit_time: getCellTimeMs(row, 'submit_time'), start_time: getCellTimeMs(row, 'start_time') }
  return buildImportedTask(
    row,
    facts,
    {
      platform: 'mj',
      task_id: getCellWord(row, 'mj_id'),
      model: `mj_${getCellWord(row, 'action').toLowerCase()}`,
      data: '',
      details: JSON.stringify({ ...(Array.isArray(buttons) ? { buttons } : {}), properties }),
      created_at: Math.floor(times.submit_time / 1000),
      ...times,
      finish_time: getCellTimeMs(row, 'finish_time'),
    },
    notes,
  )
}

export function convertTask(row: SourceRow, facts: SourceFacts): ImportedTask | SkippedRow {
  const platform = getCellWord(row, 'platform') || 'suno'
  const ms = (column: string) => getCellTime(row, column) * 1000
  const data = parseCellJson(row, 'data')
  const action = getCellWord(row, 'action')
  return buildImportedTask(
    row,
    facts,
    {
      platform: platform === 'suno' ? 'suno' : 'video',
      task_id: getCellWord(row, 'task_id'),
      model: platform === 'suno' && action !== '' ? `suno_${action.toLowerCase()}` : '',
      data: data === undefined || data === null ? '' : JSON.stringify(platform === 'suno' ? { data } : data),
      details: '',
      created_at: getCellTime(row, 'created_at') || getCellTime(row, 'submit_time'),
      submit_time: ms('submit_time'),
      start_time: ms('start_time'),
      finish_time: ms('finish_time'),
    },
    [],
  )
}

function buildImportedTask(
  row: SourceRow,
  { users }: SourceFacts,
  own: ConvertedTaskFields,
  notes: RowChangeNotes,
): ImportedTask | SkippedRow {
  const user = getCellWord(row, 'user_id')
  const label = { kind: 'task' as const, id: `${own.platform} ${getCellWord(row, 'id')}`, name: own.task_id }
  if (!users.has(user)) return { ...label, left: fillTemplate(words('its user {user} is not there'), { user }) }
  if (own.task_id === '') return { ...label, left: words('it was never taken by a provider') }
  const statusText = getCellWord(row, 'status')
  const over = statusText === 'SUCCESS' || statusText === 'FAILURE'
  const known = TASK_STATUSES.some((status) => status === statusText)
  if (!over)
    notes.push(
      fillTemplate(
        words('it was {status} and is not polled here: it is shown as failed, and its charge stays'),
        // English quotes a state that it does not know.
        { status: composeWords((language) => (known || language !== 'en' ? statusText : `"${statusText}"`)) },
      ),
    )
  return {
    ...label,
    ...own,
    notes,
    user,
    channel: getCellWhole(row, 'channel_id') > 0 ? getCellWord(row, 'channel_id') : '',
    action: getCellWord(row, 'action'),
    status: over ? statusText : 'FAILURE',
    progress: getCellWord(row, 'progress') || '100%',
    fail_reason: getCellText(row, 'fail_reason') || (over ? '' : 'unfinished when it was imported'),
    code: Math.max(-MOST_CODE, Math.min(MOST_CODE, getCellWhole(row, 'code'))),
    prompt: getCellText(row, 'prompt'),
    prompt_en: getCellText(row, 'prompt_en'),
    image_url: getCellText(row, 'image_url'),
    quota: getCellAmount(row, 'quota', notes),
    finish_time: own.finish_time || own.submit_time || own.created_at * 1000,
  }
}
