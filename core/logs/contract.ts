import { z } from 'zod'
import { filterByKind, filterByNumber, queryFlag } from '../contract/filter.ts'
import { FileDownload, EventStream, resumableQueryFields } from '../contract/replies.ts'
import { LOG_KIND_NAMES, logListOrder } from './log.ts'
import { endpoint } from '../contract/endpoint.ts'
import { declareShapeFields } from '../contract/field.ts'
import { pageQueryFields, cursorPageSchema, cursorQueryFields } from '../contract/page.ts'
import { words } from '../errors.ts'
import { OPERATIONS } from '../models/operation.ts'
import { LOG_EXPORT_FORMATS } from './export.ts'
import { ChargeExplanation } from './explanation.ts'
import { moveFields } from './log-fields.data.ts'
import { LogEntry } from '../calls/log-entry.ts'

const text = z.string().default('')

/** Filters of the usage log; 0 and the empty text do not filter. Times in epoch seconds, inclusive. */
const ownFilter = {
  type: filterByKind,
  token_name: text,
  model_name: text,
  operation: z.enum(['', ...OPERATIONS]).default(''),
  start_timestamp: filterByNumber,
  end_timestamp: filterByNumber,
  group: text,
  request_id: text,
  min_ms: filterByNumber,
  min_quota: filterByNumber,
}
const filter = { ...ownFilter, username: text, channel: filterByNumber }
/** Sums over the charged calls of the filter. `rpm` and `tpm` always cover the last minute. */
const Statistics = z.object({
  calls: z.number(),
  quota: z.number(),
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  rpm: z.number(),
  tpm: z.number(),
})

/** A total that equals the maximum may be larger. */
const LogPage = cursorPageSchema(LogEntry, logListOrder).extend({ total_capped: z.boolean() })
const OutdatedKind = z.object({
  kind: z.enum(LOG_KIND_NAMES),
  before: z.number(),
  rows: z.number(),
  oldest: z.number(),
  newest: z.number(),
})
/** The state of a home: ids up to which it has the rows, and the rest. */
const HomeReport = z.object({
  home: z.string(),
  place: z.number(),
  settled: z.number(),
  failure: z.string(),
  months: z.number(),
  divided: z.number(),
  move: z.object({
    running: z.boolean(),
    to: z.string(),
    place: z.number(),
    target: z.number(),
    days: z.number(),
    differing: z.array(z.number()),
    failure: z.string(),
  }),
})
/** Rows that a stream may begin with. */
const MAX_TAIL = 100
const streamQuery = { ...resumableQueryFields, tail: z.coerce.number().int().min(0).max(MAX_TAIL).default(0) }
const format = z.enum(LOG_EXPORT_FORMATS).default('csv')

/** Of several charges of a call (turns of a session), the one with this receipt; empty for the last. */
const ofCharge = z.object({ receipt_id: z.string().default('') })

export const logsContract = {
  export: endpoint({
    method: 'GET',
    path: '/api/log/export',
    access: 'admin',
    scope: 'read',
    summary: words('The usage log as a file, in CSV or JSON lines'),
    query: z.object({ ...filter, format }),
    reply: FileDownload,
  }),
  exportSelf: endpoint({
    method: 'GET',
    path: '/api/log/self/export',
    access: 'user',
    scope: 'read',
    summary: words("The signed-in user's log as a file, in CSV or JSON lines"),
    query: z.object({ ...ownFilter, format }),
    reply: FileDownload,
  }),
  stream: endpoint({
    method: 'GET',
    path: '/api/log/stream',
    access: 'admin',
    scope: 'read',
    summary: words('New rows of the usage log as they are written, as server-sent events'),
    query: z.object({ ...filter, ...streamQuery }),
    reply: EventStream,
  }),
  streamSelf: endpoint({
    method: 'GET',
    path: '/api/log/self/stream',
    access: 'user',
    scope: 'read',
    summary: words("New rows of the signed-in user's log as they are written, as server-sent events"),
    query: z.object({ ...ownFilter, ...streamQuery }),
    reply: EventStream,
  }),
  cleanUp: endpoint({
    method: 'DELETE',
    path: '/api/log/',
    access: 'admin',
    scope: 'all',
    summary: words(
      'Remove rows older than a time; returns how many were removed. A long clean-up continues in the background',
    ),
    query: z.object({ target_timestamp: filterByNumber }),
    reply: z.number(),
    replyFields: z.object({ running: z.boolean() }),
  }),
  cleanUpProgress: endpoint({
    method: 'GET',
    path: '/api/log/clean',
    access: 'admin',
    scope: 'read',
    summary: words(
      'How far the clean-up of the log is, and which rows are older than a time, or than the settings keep them',
    ),
    query: z.object({ target_timestamp: filterByNumber, by_settings: queryFlag }),
    reply: z.object({
      running: z.boolean(),
      target_timestamp: z.number(),
      removed: z.number(),
      total: z.number(),
      older: z.number(),
      /** The rows to remove of each kind: older than `before` (0 if all are kept), from the oldest to the newest. */
      kinds: z.array(OutdatedKind),
    }),
  }),
  home: endpoint({
    method: 'GET',
    path: '/api/log/home',
    access: 'root',
    scope: 'read',
    summary: words('The place that rows of the log move to, the progress, and the state of a move to another place'),
    reply: HomeReport,
  }),
  move: endpoint({
    method: 'POST',
    path: '/api/log/move',
    access: 'root',
    scope: 'all',
    proof: true,
    summary: words('Move all rows of the log to another place while calls go on, and compare both by day'),
    body: z.object(declareShapeFields(moveFields, { to: z.string().min(1).max(2000) })),
    reply: HomeReport,
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/log/',
    access: 'admin',
    scope: 'read',
    summary: words('The usage log of all users, newest first'),
    query: z.object({ ...pageQueryFields, ...cursorQueryFields(logListOrder), ...filter }),
    reply: LogPage,
  }),
  listSelf: endpoint({
    method: 'GET',
    path: '/api/log/self',
    access: 'user',
    scope: 'read',
    summary: words('The usage log of the signed-in user, newest first'),
    query: z.object({ ...pageQueryFields, ...cursorQueryFields(logListOrder), ...ownFilter }),
    reply: LogPage,
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/log/search',
    access: 'admin',
    scope: 'read',
    summary: words('The newest rows of a type, or whose content begins with the keyword'),
    limit: 'search',
    query: z.object({ keyword: text }),
    reply: z.array(LogEntry),
  }),
  searchSelf: endpoint({
    method: 'GET',
    path: '/api/log/self/search',
    access: 'user',
    scope: 'read',
    summary: words("The newest rows of a type in the signed-in user's log; the keyword is the type"),
    limit: 'search',
    query: z.object({ keyword: text }),
    reply: z.array(LogEntry),
  }),
  ofToken: endpoint({
    method: 'GET',
    path: '/api/log/token',
    access: 'public',
    anyOrigin: true,
    summary: words('The newest rows of an API token, for the holder of its key'),
    limit: 'search',
    query: z.object({ key: text }),
    reply: z.array(LogEntry),
  }),
  stat: endpoint({
    method: 'GET',
    path: '/api/log/stat',
    access: 'admin',
    scope: 'read',
    summary: words('Calls charged in the range, their quota and tokens, and calls and tokens of the last minute'),
    query: z.object(filter),
    reply: Statistics,
  }),
  statSelf: endpoint({
    method: 'GET',
    path: '/api/log/self/stat',
    access: 'user',
    scope: 'read',
    summary: words('The same for the signed-in user'),
    query: z.object(ownFilter),
    reply: Statistics,
  }),
  explain: endpoint({
    method: 'GET',
    path: '/api/log/explain/{request_id}',
    access: 'admin',
    scope: 'read',
    summary: words(
      'Why a call cost what it did: its log row, the lines of its charge, the channels tried, its ledger entry',
    ),
    params: z.object({ request_id: z.string() }),
    query: ofCharge,
    reply: ChargeExplanation,
  }),
  explainSelf: endpoint({
    method: 'GET',
    path: '/api/log/self/explain/{request_id}',
    access: 'user',
    scope: 'read',
    summary: words('The same for a call of the signed-in user, without channels'),
    params: z.object({ request_id: z.string() }),
    query: ofCharge,
    reply: ChargeExplanation,
  }),
}
