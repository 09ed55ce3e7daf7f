import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { pageOf, pageQuery } from '../contract/page.ts'
import { Explanation } from './explanation.ts'
import { LogEntry } from './log.ts'

const number = z.coerce.number().int().catch(0).default(0)
const text = z.string().default('')

/** Filters of the usage log; 0 and the empty text do not filter. Times in epoch seconds, inclusive. */
const ownFilter = {
  type: number,
  token_name: text,
  model_name: text,
  start_timestamp: number,
  end_timestamp: number,
  group: text,
  request_id: text,
}
const filter = { ...ownFilter, username: text, channel: number }
const Statistics = z.object({ quota: z.number(), rpm: z.number(), tpm: z.number() })

export const logs = {
  list: endpoint({
    method: 'GET',
    path: '/api/log/',
    access: 'admin',
    summary: 'The usage log of everybody, newest first',
    query: z.object({ ...pageQuery, ...filter }),
    reply: pageOf(LogEntry),
  }),
  listSelf: endpoint({
    method: 'GET',
    path: '/api/log/self',
    access: 'user',
    summary: 'The usage log of the signed-in user, newest first',
    query: z.object({ ...pageQuery, ...ownFilter }),
    reply: pageOf(LogEntry),
  }),
  stat: endpoint({
    method: 'GET',
    path: '/api/log/stat',
    access: 'admin',
    summary: 'Quota charged in the range, and calls and tokens of the last minute',
    query: z.object(filter),
    reply: Statistics,
  }),
  statSelf: endpoint({
    method: 'GET',
    path: '/api/log/self/stat',
    access: 'user',
    summary: 'The same for the signed-in user',
    query: z.object(ownFilter),
    reply: Statistics,
  }),
  explain: endpoint({
    method: 'GET',
    path: '/api/log/explain/{request_id}',
    access: 'admin',
    summary: 'Why a call cost what it did: its log row, the lines of its charge, the channels tried, its ledger entry',
    params: z.object({ request_id: z.string() }),
    reply: Explanation,
  }),
  explainSelf: endpoint({
    method: 'GET',
    path: '/api/log/self/explain/{request_id}',
    access: 'user',
    summary: 'The same for a call of the signed-in user, without channels',
    params: z.object({ request_id: z.string() }),
    reply: Explanation,
  }),
}
