// The rows of refused calls: calls of one token, model, reason and minute share a row, and a token gets a limited number
// of such rows a minute. Pure: the store reads the rows of a minute and writes the result in one transaction.
import { parseCallDetail, type RefusedCallDetail } from '../calls/detail.ts'
import { LOG_ROW_TYPE, type StoredLogRow, type NewLogEntry } from '../calls/log-entry.ts'

/** Maximum number of rows that the refused calls of a token get in a minute. Further calls are added to the last one. */
export const MAX_REFUSAL_ROWS = 10
/** Number of request ids that a row keeps. It is found by each of them. */
export const MAX_REFUSAL_IDS = 20
/** Period of which the calls share a row. Unit: seconds. */
export const REFUSAL_PERIOD_SECONDS = 60

/** Refused calls that are not written yet, with the row that the first of them would get. */
export interface RefusalSum {
  /** Start of the minute, in epoch seconds. */
  minute: number
  row: NewLogEntry
  refused: RefusedCallDetail
}

/** A row of refused calls as it is stored. */
export type RefusalRow = Pick<
  StoredLogRow,
  'id' | 'user_id' | 'token_id' | 'created_at' | 'group' | 'model_name' | 'request_id' | 'other'
>

/** A row to write: a new one, or the new detail of an existing one. */
export interface RefusalWrite {
  /** Id of an existing row; undefined for a new one. */
  id: number | undefined
  row: NewLogEntry | RefusalRow
  refused: RefusedCallDetail
  /** Number of calls that were added. */
  added: number
  /** Request ids that were added. */
  added_ids: readonly string[]
}

/** Calls as the usage statistics count them: by the row that they were added to. */
export interface CountedRefusal {
  /** Epoch seconds. */
  at: number
  user_id: number
  token_id: number
  group: string
  model_name: string
  /** Code of the error. */
  reason: string
  calls: number
}

/** The storage port of refused calls. */
export interface RefusedCallStore {
  /** Adds calls to the rows of all processes. Returns them by the row that they were added to. */
  add(sums: readonly RefusalSum[]): Promise<CountedRefusal[]>
  /** Returns the request ids of the rows that these requests share. */
  findSharedRows(requestIds: readonly string[]): Promise<string[]>
  /** Removes the request ids of rows before a time, in epoch seconds. */
  removeBefore(time: number): Promise<void>
}

/** Returns the numbers of a row of refused calls; undefined for any other row. */
export const parseRefusal = ({ type, other }: Pick<StoredLogRow, 'type' | 'other'>): RefusedCallDetail | undefined =>
  type === LOG_ROW_TYPE.error && other.includes('"refused":') ? parseCallDetail(other).refused : undefined

/** Returns a row's detail with these numbers. */
export const addRefusalCounts = (other: string, refused: RefusedCallDetail): string =>
  JSON.stringify({ ...(JSON.parse(other) as object), refused })

/** Identifies the rows that share the limit of rows a minute. */
export const getRefusalOwner = (
  { user_id, token_id }: Pick<StoredLogRow, 'user_id' | 'token_id'>,
  minute: number,
): string => `${user_id} ${token_id} ${minute}`

export const toCountedRefusal = ({ row, refused, added }: Omit<RefusalWrite, 'id' | 'added_ids'>): CountedRefusal => ({
  at: row.created_at,
  user_id: row.user_id,
  token_id: row.token_id,
  group: row.group,
  model_name: row.model_name,
  reason: refused.reason,
  calls: added,
})

/**
 * Adds the calls of one token and minute to its rows. Returns the rows to write.
 * @param existing the rows of that token and minute, oldest first
 */
export function placeRefusedCalls(existing: readonly RefusalRow[], sums: readonly RefusalSum[]): RefusalWrite[] {
  const rows = existing.flatMap((row): RefusalWrite[] => {
    const { refused } = parseCallDetail(row.other)
    return refused ? [{ id: row.id, row, refused, added: 0, added_ids: [] }] : []
  })
  for (const sum of sums) {
    const own = rows.find(
      ({ row, refused }) => row.model_name === sum.row.model_name && refused.reason === sum.refused.reason,
    )
    const joined = own || rows.length < MAX_REFUSAL_ROWS ? undefined : rows.at(-1)
    const target = own ?? joined ?? createWrite(sum)
    if (!own && !joined) rows.push(target)
    addCalls(target, sum.refused, joined !== undefined)
  }
  return rows.filter(({ added }) => added > 0)
}

const createWrite = ({ row, refused: { reason } }: RefusalSum): RefusalWrite => ({
  id: undefined,
  row,
  refused: { reason, calls: 0, joined: 0, request_ids: [] },
  added: 0,
  added_ids: [],
})

function addCalls(target: RefusalWrite, more: RefusedCallDetail, isJoined: boolean): void {
  const { reason, calls, joined, request_ids } = target.refused
  const ids = [...new Set([...request_ids, ...more.request_ids])].slice(0, MAX_REFUSAL_IDS)
  target.added += more.calls
  target.added_ids = [...target.added_ids, ...ids.slice(request_ids.length)]
  target.refused = {
    reason,
    calls: calls + more.calls,
    joined: joined + (isJoined ? more.calls : more.joined),
    request_ids: ids,
  }
}
