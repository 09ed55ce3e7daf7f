// Sample replies of the API about the log, and of the search over everything.
import type { LogEntry } from '../../core/calls/log-entry.ts'
import type { Handlers } from './fake-server.ts'
import { NOW, page, type Sample } from './samples.ts'

export const logEntry = (id: number, change: Partial<LogEntry> = {}): Sample<LogEntry, 'id'> => ({
  id,
  type: 2,
  created_at: Math.floor(Date.now() / 1000) - id * 60,
  user_id: 1,
  username: 'root',
  token_id: 1,
  token_name: 'token-1',
  channel: 7,
  channel_name: 'channel-7',
  group: 'default',
  model_name: 'gpt-4o',
  operation: 'chat',
  use_time: 3,
  is_stream: true,
  prompt_tokens: 1200,
  completion_tokens: 345,
  quota: 4321,
  content: '',
  other: JSON.stringify({
    model_ratio: 1.25,
    group_ratio: 1,
    completion_ratio: 4,
    model_price: -1,
    frt: 840,
    admin_info: { use_channel: ['3', '7'] },
    lines: [
      { what: 'input', count: 1200, price: '1.25', quota: '1500' },
      { what: 'output', count: 345, price: '5', quota: '1725' },
    ],
  }),
  request_id: `req-${id}`,
  ...change,
})

/** What the ledger and the tries tell of the call of a row. */
export const explanation = (request_id: string) => ({
  request_id,
  lines: [
    { what: 'input', count: 1200, price: '2.5', quota: '3000' },
    { what: 'output', count: 345, price: '3.83', multiplier: '1', quota: '1321.35' },
  ],
  exact: '4321.35',
  rounding: '-0.35',
  group_ratio: 2,
  quota: 4321,
  entry: { id: 12, kind: 'charge', amount: -4321, hold_id: 'hold-1', created_at: NOW, balance_after: 995_679 },
  balance_before: 1_000_000,
  balance_after: 995_679,
  channels: [{ id: 7, name: 'channel-7' }],
  attempts: [
    {
      channel: 3,
      name: 'spare',
      model: 'gpt-4o',
      at: 4,
      ms: 120,
      result: 'failed',
      status: 429,
      why: 'too many',
      next: 'channel',
    },
    { channel: 7, name: 'channel-7', model: 'gpt-4o', at: 130, ms: 2870, first_ms: 710, result: 'answered' },
  ],
})

/** What can be found by its name. */
const hits = [
  { kind: 'channel', id: '7', name: 'OpenAI main', line: 'OpenAI · gpt-4o,gpt-4o-mini', rank: 2 },
  { kind: 'user', id: '4', name: 'maine', line: 'default', rank: 1 },
  { kind: 'token', id: '3', name: 'main production', line: 'sk-abc***', rank: 1 },
  { kind: 'call', id: 'req-1', name: 'gpt-4o', line: 'ada', rank: 0 },
]

export const logHandlers = (): Handlers => ({
  'logs.list': () => ({
    data: page([
      logEntry(1),
      logEntry(2, {
        type: 5,
        quota: 0,
        content: 'The upstream broke off in the middle of its answer',
        is_stream: false,
        other: '{}',
      }),
      logEntry(3, { type: 1, model_name: '', content: 'Topped up $10.00', channel: 0, quota: 0, other: '' }),
    ]),
  }),
  'logs.listSelf': () => ({ data: page([logEntry(1, { channel: 0, channel_name: '', username: 'ada' })]) }),
  'logs.stream': () => ({ events: [] }),
  'logs.streamSelf': () => ({ events: [] }),
  'logs.explain': ({ request_id }) => ({ data: { ...explanation(String(request_id)), log: logEntry(1) } }),
  'logs.explainSelf': ({ request_id }) => ({ data: { ...explanation(String(request_id)), attempts: [] } }),
  'search.find': ({ text }) => ({ data: hits.filter(({ name, id }) => name.includes(String(text)) || id === text) }),
  'logs.stat': () => ({ data: { ...charged, rpm: 2, tpm: 1545 } }),
  'logs.statSelf': () => ({ data: { ...charged, rpm: 1, tpm: 1545 } }),
})

const charged = { calls: 1204, quota: 4321, prompt_tokens: 81_000, completion_tokens: 9_400 }
