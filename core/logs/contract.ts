import { z } from 'zod'
import { Download } from '../contract/download.ts'
import { endpoint } from '../contract/endpoint.ts'
import { EventStream, resumable } from '../contract/event-stream.ts'
import { filterKind, filterNumber } from '../contract/filter.ts'
import { pageQuery, walkedPageOf, walkQuery } from '../contract/page.ts'
import { OPERATIONS } from '../models/operation.ts'
import { EXPORT_FORMATS } from './export.ts'
import { Explanation } from './explanation.ts'
import { logList } from './log.ts'
import { LogEntry } from '../calls/log-entry.ts'

const text = z.string().default('')

/** Filters of the usage log; 0 and the empty text do not filter. Times in epoch seconds, inclusive. */
const ownFilter = {
  type: filterKind,
  token_name: text,
  model_name: text,
  operation: z.enum(['', ...OPERATIONS]).default(''),
  start_timestamp: filterNumber,
  end_timestamp: filterNumber,
  group: text,
  request_id: text,
}
const filter = { ...ownFilter, username: text, channel: filterNumber }
const Statistics = z.object({ quota: z.number(), rpm: z.number(), tpm: z.number() })

/** Where a total is the largest that is counted, there may be more. */
const LogPage = walkedPageOf(LogEntry, logList).extend({ total_capped: z.boolean() })
const format = z.enum(EXPORT_FORMATS).default('csv')

/** Of several charges of a call (turns of a session) the one with this receipt; empty for the last. */
const ofCharge = z.object({ receipt_id: z.string().default('') })

export const logs = {
  export: endpoint({
    method: 'GET',
    path: '/api/log/export',
    access: 'admin',
    scope: 'read',
    summary: 'The usage log as a file, in CSV or JSON lines',
    query: z.object({ ...filter, format }),
    reply: Download,
  }),
  exportSelf: endpoint({
    method: 'GET',
    path: '/api/log/self/export',
    access: 'user',
    scope: 'read',
    summary: "The signed-in user's log as a file, in CSV or JSON lines",
    query: z.object({ ...ownFilter, format }),
    reply: Download,
  }),
  stream: endpoint({
    method: 'GET',
    path: '/api/log/stream',
    access: 'admin',
    scope: 'read',
    summary: 'New rows of the usage log as they are written, as server-sent events',
    query: z.object({ ...filter, ...resumable }),
    reply: EventStream,
  }),
  streamSelf: endpoint({
    method: 'GET',
    path: '/api/log/self/stream',
    access: 'user',
    scope: 'read',
    summary: "New rows of the signed-in user's log as they are written, as server-sent events",
    query: z.object({ ...ownFilter, ...resumable }),
    reply: EventStream,
  }),
  cleanUp: endpoint({
    method: 'DELETE',
    path: '/api/log/',
    access: 'admin',
    scope: 'all',
    summary: 'Remove rows older than a time; gives how many are gone. A long clean-up goes on in the background',
    query: z.object({ target_timestamp: filterNumber }),
    reply: z.number(),
    beside: z.object({ running: z.boolean() }),
  }),
  cleanUpProgress: endpoint({
    method: 'GET',
    path: '/api/log/clean',
    access: 'admin',
    scope: 'read',
    summary: 'How far the clean-up of the log is',
    reply: z.object({
      running: z.boolean(),
      target_timestamp: z.number(),
      removed: z.number(),
      total: z.number(),
    }),
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/log/',
    access: 'admin',
    scope: 'read',
    summary: 'The usage log of everybody, newest first',
    query: z.object({ ...pageQuery, ...walkQuery(logList), ...filter }),
    reply: LogPage,
  }),
  listSelf: endpoint({
    method: 'GET',
    path: '/api/log/self',
    access: 'user',
    scope: 'read',
    summary: 'The usage log of the signed-in user, newest first',
    query: z.object({ ...pageQuery, ...walkQuery(logList), ...ownFilter }),
    reply: LogPage,
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/log/search',
    access: 'admin',
    scope: 'read',
    summary: 'The newest rows of a type, or whose content begins with the keyword',
    limit: 'search',
    query: z.object({ keyword: text }),
    reply: z.array(LogEntry),
  }),
  searchSelf: endpoint({
    method: 'GET',
    path: '/api/log/self/search',
    access: 'user',
    scope: 'read',
    summary: "The newest rows of a type in the signed-in user's log; the keyword is the type",
    limit: 'search',
    query: z.object({ keyword: text }),
    reply: z.array(LogEntry),
  }),
  ofToken: endpoint({
    method: 'GET',
    path: '/api/log/token',
    access: 'public',
    anyOrigin: true,
    summary: 'The newest rows of an API token, for whoever has its key',
    limit: 'search',
    query: z.object({ key: text }),
    reply: z.array(LogEntry),
  }),
  stat: endpoint({
    method: 'GET',
    path: '/api/log/stat',
    access: 'admin',
    scope: 'read',
    summary: 'Quota charged in the range, and calls and tokens of the last minute',
    query: z.object(filter),
    reply: Statistics,
  }),
  statSelf: endpoint({
    method: 'GET',
    path: '/api/log/self/stat',
    access: 'user',
    scope: 'read',
    summary: 'The same for the signed-in user',
    query: z.object(ownFilter),
    reply: Statistics,
  }),
  explain: endpoint({
    method: 'GET',
    path: '/api/log/explain/{request_id}',
    access: 'admin',
    scope: 'read',
    summary: 'Why a call cost what it did: its log row, the lines of its charge, the channels tried, its ledger entry',
    params: z.object({ request_id: z.string() }),
    query: ofCharge,
    reply: Explanation,
  }),
  explainSelf: endpoint({
    method: 'GET',
    path: '/api/log/self/explain/{request_id}',
    access: 'user',
    scope: 'read',
    summary: 'The same for a call of the signed-in user, without channels',
    params: z.object({ request_id: z.string() }),
    query: ofCharge,
    reply: Explanation,
  }),
}
