// A Weir for pictures: the same channels, people, tokens and calls at every time.
import { painter } from '../../../cli/paint.ts'
import { newMemory } from '../../../cli/table.ts'
import { frameLines, type Frame } from '../../../cli/ui/frame.ts'
import type { AnyPage, Ports } from '../../../cli/ui/page.ts'
import { pages } from '../../../cli/ui/pages/index.ts'
import { createPulse } from '../../../cli/ui/pulse.ts'
import { startState, type UiState } from '../../../cli/ui/state.ts'
import type { LogEntry } from '../../../core/calls/log-entry.ts'
import type { WeirClient } from '../../../core/contracts.ts'
import type { Language } from '../../../core/errors.ts'

export const NOW = Date.UTC(2026, 0, 15, 12, 0, 0)
const NOW_SECONDS = NOW / 1000

const MODELS = ['gpt-5.1', 'claude-opus-4-5', 'gemini-3-pro', 'qwen-max']
const PEOPLE = ['alice', 'bob', 'carol', '王小明']

/** One call in each of the last seconds; every ninth failed. */
export const calls: LogEntry[] = Array.from({ length: 40 }, (_, at) => {
  const failed = at % 9 === 4
  return {
    id: 1000 - at,
    type: failed ? 5 : 2,
    created_at: NOW_SECONDS - at * 7,
    user_id: (at % 4) + 2,
    username: PEOPLE[at % 4]!,
    token_id: 1,
    token_name: 'work',
    channel: (at % 3) + 1,
    channel_name: ['OpenAI main', 'Anthropic', '通义千问'][at % 3]!,
    group: 'default',
    model_name: MODELS[at % 4]!,
    operation: 'chat',
    use_time: 1,
    is_stream: true,
    prompt_tokens: 100 + at * 13,
    completion_tokens: failed ? 0 : 50 + at,
    quota: failed ? 0 : 1234 + at * 1000,
    content: failed ? 'The provider is overloaded (529)' : '',
    other: JSON.stringify({ admin_info: { attempts: [{ at: 2, ms: 400 + at * 37 }] } }),
    request_id: `req-${1000 - at}`,
    hold_id: '',
  }
})

const channels = Array.from({ length: 30 }, (_, at) => ({
  id: at + 1,
  name:
    ['OpenAI main', 'Anthropic', '通义千问', 'A channel with quite a long name'][at % 4]! + (at > 3 ? ` ${at}` : ''),
  status: [1, 1, 3, 2][at % 4]!,
  group: 'default,vip',
  priority: 10 - (at % 3),
  weight: at,
  models: MODELS.slice(at % 4).join(','),
  tag: '',
  type: 1,
  test_time: NOW_SECONDS - 60,
}))

const cell = (at: number) => ({
  hour: NOW_SECONDS - (24 - at) * 3600,
  answered: at % 5 === 3 ? 1 : 20,
  failed: at % 7 === 2 ? 9 : at % 5 === 3 ? 1 : 0,
  failures: {},
  abandoned: 0,
  avg_ms: 400,
  p95_ms: 900 + at,
  first_ms: 200,
})
const health = channels.map(({ id, name, status }) => ({
  ...{ id, name, status, since: 0, last_test: null, keys: [] },
  reason: status === 3 ? 'The key was refused (401)' : '',
  circuits: id === 2 ? [{ fingerprint: 'a1b2', model: 'claude-opus-4-5', until: NOW_SECONDS + 60 }] : [],
  last_error: status === 3 ? { at: NOW_SECONDS, key: '', status: 401, error: 'invalid api key' } : null,
  cells: Array.from({ length: 24 }, (_, at) => (id % 3 === 0 ? null : cell(at + id))),
}))

const users = PEOPLE.map((username, at) => ({
  ...{ id: at + 2, username, display_name: username, email: `${username}@example.com`, role: at === 0 ? 100 : 1 },
  ...{ status: at === 2 ? 2 : 1, group: 'default', quota: 5_000_000 * at, used_quota: 123_456 * at },
  ...{ request_count: at * 17, created_time: NOW_SECONDS - 86_400 * at },
}))
const tokens = ['work', 'agents', 'old one'].map((name, at) => ({
  ...{ id: at + 1, name, key: `sk-abc***${at}xyz`, status: at === 2 ? 2 : 1 },
  ...{ unlimited_quota: at === 0, remain_quota: 2_500_000, used_quota: 1_000_000 * at, group: '' },
  ...{
    expired_time: at === 1 ? NOW_SECONDS + 4e8 : -1,
    model_limits_enabled: at === 1,
    model_limits: 'gpt-5.1',
    allow_ips: '',
    fallback_models: '',
  },
}))
const entries = Array.from({ length: 30 }, (_, at) => ({
  ...{ id: 900 - at, account_id: 2, amount: at % 6 === 5 ? 5_000_000 : -1234 - at, created_at: NOW_SECONDS - at * 60 },
  ...{ kind: at % 6 === 5 ? 'top_up' : 'charge', balance_after: 7_000_000 - at, request_id: `req-${900 - at}` },
  ...{ reference: null, model_name: at % 6 === 5 ? '' : MODELS[at % 4]!, by_username: at % 6 === 5 ? 'root' : '' },
}))

/** Answers as the API does, with what is above. */
const client = {
  logs: { list: async () => ({ items: calls, total: calls.length }), explain: async () => ({}) },
  channels: {
    list: async () => ({ data: channels, next_cursor: '' }),
    health: async () => ({ from: 0, channels: health }),
    tests: async () => [],
    types: async () => [{ type: 1, id: 'openai' }],
  },
  users: { list: async () => ({ items: users, total: 812 }), search: async () => ({ items: [], total: 0 }) },
  teams: {
    list: async () => ({ items: [{ id: 9, name: 'Platform', quota: 9e7, used_quota: 1e6, request_count: 99 }] }),
  },
  tokens: { list: async () => ({ data: tokens, next_cursor: '' }) },
  pricing: {
    list: async () => ({
      data: MODELS.map((model_name, at) => ({
        ...{ model_name, quota_type: at === 3 ? 1 : 0, model_ratio: 1.25, model_price: 0.04, completion_ratio: 8 },
        ...{ owner_by: 'OpenAI', enable_groups: ['default', 'vip'], has_price: at !== 2, prices: [], tiers: [] },
      })),
    }),
  },
  quota: {
    entriesSelf: async () => ({
      items: entries,
      total: 345,
      account_id: 2,
      account_kind: 'user',
      account_name: 'alice',
    }),
  },
  tasks: {
    list: async () => [
      {
        ...{ task_id: 'suno-1', platform: 'suno', action: 'MUSIC', status: 'SUCCESS', progress: '100%', user_id: 2 },
        ...{ channel_id: 3, quota: 50_000, created_at: NOW_SECONDS - 30, fail_reason: '' },
      },
    ],
    drawings: async () => [],
  },
  settings: {
    list: async () => [
      { key: 'RetryTimes', value: '3' },
      { key: 'QuotaPerUnit', value: '500000' },
      { key: 'SystemName', value: 'Weir' },
    ],
  },
} as unknown as WeirClient

export function portsIn(language: Language): Ports {
  const pulse = createPulse()
  pulse.add(calls)
  return { client, language, pulse, money: { quota_per_unit: 500_000, display_in_currency: true } }
}

interface Look {
  page: string
  columns: number
  rows: number
  language?: Language
  change?(state: UiState): UiState
}

/** The screen as text. */
export async function picture({ page, columns, rows, language = 'en', change = (state) => state }: Look) {
  const at = pages.findIndex(({ name }) => name === page)
  const ports = portsIn(language)
  const state = change({ ...startState(pages), page: at })
  const loaded = await (pages[at] as AnyPage).load(ports, state.places[at]!.filter)
  const frame: Frame = {
    ...{ columns, rows, language, label: 'this machine', now: NOW, pages, state, loaded, ports },
    ...{ memory: newMemory(), paint: painter(false) },
  }
  return frameLines(frame)
}
