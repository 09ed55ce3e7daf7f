// Writes the log rows of refused calls. Calls are added up in memory, so that a flood of them costs the database a few
// small writes a second; the first calls of a row are written at once, so that each can be found by its request id.
import type { CallFailure } from '../dialects/answers/call-failure.ts'
import { truncateToColumn } from '../calls/log-columns.ts'
import { EMPTY_LOG_ROW, LOG_ROW_TYPE, type NewLogEntry } from '../calls/log-entry.ts'
import { getFailureMessage } from '../calls/failure-text.ts'
import type { ErrorCode, Language } from '../errors.ts'
import type { Operation } from '../models/operation.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Settings } from '../settings/index.ts'
import type { CountedRefusal, RefusedCallStore, RefusalSum } from './refusal-rows.ts'
import {
  getRefusalOwner,
  MAX_REFUSAL_IDS,
  MAX_REFUSAL_ROWS,
  REFUSAL_PERIOD_SECONDS,
  toCountedRefusal,
} from './refusal-rows.ts'

/** A call that was refused after its caller was known, and before a provider was called. */
export interface RefusedCall {
  request_id: string
  user_id: number
  username: string
  /** 0 for a call without a token. */
  token_id: number
  token_name: string
  group: string
  /** The requested model; empty if the request was refused before it was read. */
  model: string
  operation: Operation
  stream: boolean
  reason: ErrorCode
  failure: CallFailure
  /** Language of the row. */
  language: Language
}

export interface RefusedCallLog {
  /** Counts a refused call. Never throws, and waits for nothing. */
  note(refused: RefusedCall): void
  /** Writes all counts. Never rejects: calls that cannot be written are retained for the next flush. */
  flush(): Promise<void>
  /** Writes all that was counted, and stops. */
  close(): Promise<void>
}

interface RefusalsPorts {
  storage: { refusals: RefusedCallStore }
  clock: Clock
  logger: Logger
  settings(): Settings
  /** Receives the calls once they are written. */
  onCounted(refusals: readonly CountedRefusal[]): void
}

/** Interval between two writes of rows that have new request ids, in ms. */
const WRITE_MS = 250
/** Every so many writes include the rows of which only the number of calls has changed. */
const COUNTS_EVERY = 40
/** Tokens with refused calls that wait for a database that is away. Calls of further tokens leave no row. */
const MAX_OWNERS = 10_000

/** Unwritten calls of one token, model, reason and minute, and the number of request ids that were kept so far. */
interface PendingRow {
  sum: RefusalSum
  kept_ids: number
}

/** The rows of one token in one minute. The last one gets the calls that exceed the number of rows. */
interface PendingOwner {
  minute: number
  rows: Map<string, PendingRow>
  last: PendingRow | undefined
}

export function createRefusalLog({ storage, clock, logger, settings, onCounted }: RefusalsPorts): RefusedCallLog {
  const owners = new Map<string, PendingOwner>()
  const closing = new AbortController()
  /** True if a row has request ids that are not written yet. */
  let isUrgent = false
  let writes = 0
  let lastWrite: Promise<void> = Promise.resolve()
  let running: Promise<void> | undefined

  function note(refused: RefusedCall): void {
    const at = Math.floor(clock.now() / 1000)
    const minute = at - (at % REFUSAL_PERIOD_SECONDS)
    const key = getRefusalOwner(refused, minute)
    let owner = owners.get(key)
    if (!owner) {
      if (owners.size >= MAX_OWNERS) return
      owners.set(key, (owner = { minute, rows: new Map(), last: undefined }))
    }
    const rowKey = `${refused.reason} ${truncateToColumn('model_name', refused.model)}`
    const own = owner.rows.get(rowKey)
    const joined = own || owner.rows.size < MAX_REFUSAL_ROWS ? undefined : owner.last
    const row = own ?? joined ?? createPendingRow(refused, at, minute)
    if (!own && !joined) {
      owner.rows.set(rowKey, row)
      owner.last = row
    }
    addCall(row, refused.request_id, joined !== undefined)
  }

  function addCall(row: PendingRow, requestId: string, isJoined: boolean): void {
    const { refused } = row.sum
    refused.calls += 1
    if (isJoined) refused.joined += 1
    if (row.kept_ids < MAX_REFUSAL_IDS) {
      refused.request_ids.push(requestId)
      row.kept_ids += 1
      isUrgent = true
    }
    if (!closing.signal.aborted) running ??= run()
  }

  /** Writes until nothing waits. Never rejects. */
  async function run(): Promise<void> {
    // Refusals of the same moment are written together.
    await Promise.resolve()
    while (owners.size > 0 && !closing.signal.aborted) {
      const isDue = writes % COUNTS_EVERY === 0
      if (isUrgent || isDue) await write(isDue)
      writes += 1
      await clock.sleep(WRITE_MS, closing.signal).catch(() => undefined)
    }
    running = undefined
    writes = 0
  }

  function write(isWhole: boolean): Promise<void> {
    lastWrite = lastWrite.then(() => writeNow(isWhole))
    return lastWrite
  }

  async function writeNow(isWhole: boolean): Promise<void> {
    const taken = takeSums(isWhole)
    if (taken.length === 0) return
    try {
      onCounted(settings().LogConsumeEnabled ? await storage.refusals.add(taken) : taken.map(toUnloggedCount))
    } catch (error) {
      for (const sum of taken) restore(sum)
      logger.warn('rows of refused calls could not be written', { rows: taken.length, error: String(error) })
    }
  }

  /** Takes the unwritten calls. Rows without new request ids are left out unless `isWhole`. */
  function takeSums(isWhole: boolean): RefusalSum[] {
    const taken: RefusalSum[] = []
    const current = Math.floor(clock.now() / 1000) - REFUSAL_PERIOD_SECONDS
    isUrgent = false
    for (const [key, owner] of owners) {
      const isOver = owner.minute <= current
      for (const row of owner.rows.values()) {
        const { refused } = row.sum
        if (refused.calls === 0 || (!isWhole && !isOver && refused.request_ids.length === 0)) continue
        taken.push({ ...row.sum, refused: { ...refused } })
        Object.assign(refused, { calls: 0, joined: 0, request_ids: [] })
      }
      if (isOver) owners.delete(key)
    }
    return taken
  }

  /** Puts calls back that could not be written. */
  function restore({ minute, row, refused }: RefusalSum): void {
    const key = getRefusalOwner(row, minute)
    const owner: PendingOwner = owners.get(key) ?? { minute, rows: new Map(), last: undefined }
    owners.set(key, owner)
    const rowKey = `${refused.reason} ${row.model_name}`
    const known = owner.rows.get(rowKey)
    if (known) {
      known.sum.refused.calls += refused.calls
      known.sum.refused.joined += refused.joined
      known.sum.refused.request_ids.unshift(...refused.request_ids)
    } else {
      owner.last = { sum: { minute, row, refused }, kept_ids: refused.request_ids.length }
      owner.rows.set(rowKey, owner.last)
    }
    isUrgent = true
  }

  return {
    note,
    flush: () => write(true),
    close() {
      closing.abort()
      return write(true)
    },
  }
}

function createPendingRow(refused: RefusedCall, at: number, minute: number): PendingRow {
  const { reason } = refused
  return {
    sum: { minute, row: buildRow(refused, at), refused: { reason, calls: 0, joined: 0, request_ids: [] } },
    kept_ids: 0,
  }
}

function buildRow(refused: RefusedCall, created_at: number): NewLogEntry {
  const { failure, language } = refused
  return {
    ...EMPTY_LOG_ROW,
    type: LOG_ROW_TYPE.error,
    created_at,
    user_id: refused.user_id,
    username: refused.username,
    token_id: refused.token_id,
    token_name: truncateToColumn('token_name', refused.token_name),
    group: truncateToColumn('group', refused.group),
    model_name: truncateToColumn('model_name', refused.model),
    operation: refused.operation,
    is_stream: refused.stream,
    content: getFailureMessage(failure, language),
    request_id: refused.request_id,
    other: JSON.stringify({ error_type: failure.type, error_code: failure.code, status_code: failure.status }),
  }
}

const toUnloggedCount = ({ row, refused }: RefusalSum): CountedRefusal =>
  toCountedRefusal({ row, refused, added: refused.calls })
