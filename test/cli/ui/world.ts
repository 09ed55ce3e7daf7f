// A Weir for pictures: the same channels, people, tokens and calls at every time.
import { createPainter } from '../../../cli/output/paint.ts'
import { createColumnMemory } from '../../../cli/output/table.ts'
import { createDriver, type DriverOptions } from '../../../cli/ui/driver.ts'
import { parseKeyPresses } from '../../../cli/parts/keys.ts'
import { type ScreenFrame, buildFrameLines } from '../../../cli/ui/screen.ts'
import type { AnyPage, UiPagePorts } from '../../../cli/ui/page.ts'
import { allPages } from '../../../cli/ui/pages/index.ts'
import { createPulse } from '../../../cli/ui/pulse.ts'
import { createStartState, type UiState } from '../../../cli/ui/state.ts'
import type { LogEntry } from '../../../core/calls/log-entry.ts'
import type { WeirClient } from '../../../core/contracts.ts'
import type { Language } from '../../../core/errors.ts'
import { until } from '../../support/terminal.ts'

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
/** Newest first; each sixth is a top-up. */
const amounts = Array.from({ length: 30 }, (_, at) => (at % 6 === 5 ? 5_000_000 : -1234 - at))
const entries = amounts.map((amount, at) => {
  const isCharge = amount < 0
  const later = amounts.slice(0, at).reduce((sum, one) => sum + one, 0)
  return {
    ...{ id: 900 - at, account_id: 2, amount, created_at: NOW_SECONDS - at * 60, balance_after: 7_000_000 - later },
    ...{ kind: isCharge ? 'charge' : 'topup', reference: null, hold_id: isCharge ? `hold-${at}` : null },
    ...{ request_id: isCharge ? `req-${900 - at}` : null, model_name: isCharge ? MODELS[at % 4]! : '' },
    ...{ by_user_id: isCharge ? null : 1, by_username: isCharge ? '' : 'root', reason: '' },
  }
})

const line = (component: string, usd: number) => ({ component, unit: 'token', per: 1_000_000, usd })
const priceOf = (model: string, at: number) => ({
  ...{ model, channel: '', as: at === 1 ? 'claude-opus-4' : model, served: true, version: 'v1', price: {} },
  source: (['own', 'family', 'none', 'default'] as const)[at]!,
  prices:
    at === 2
      ? []
      : at === 3
        ? [{ component: 'call', unit: 'call', per: 1, usd: 0.04 }]
        : [line('input', 1.25), line('output', 10)],
})

/** Answers as the API does, with what is above. */
const client = {
  logs: { list: async () => ({ items: calls, total: calls.length }), explain: async () => ({ attempts: [] }) },
  channels: {
    list: async () => ({ data: channels, next_cursor: '' }),
    get: async () => ({ ...channels[0], base_url: '' }),
    health: async () => ({ from: 0, channels: health }),
    tests: async () => [],
    types: async () => [{ type: 1, id: 'openai' }],
  },
  users: { list: async () => ({ items: users, total: 812 }), search: async () => ({ items: [], total: 0 }) },
  teams: {
    list: async () => ({ items: [{ id: 9, name: 'Platform', quota: 9e7, used_quota: 1e6, request_count: 99 }] }),
  },
  tokens: { list: async () => ({ data: tokens, next_cursor: '' }) },
  prices: {
    list: async () => MODELS.map((model, at) => priceOf(model, at)),
    preview: async ({ changes: [{ model }] }: { changes: [{ model: string }] }) => ({
      data: [{ model, calls: 12, users: 3, charged: 5_000_000, would_charge: 7_500_000 }],
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
    list: async () => ({
      data: [
        {
          ...{ task_id: 'suno-1', platform: 'suno', action: 'MUSIC', status: 'SUCCESS', progress: '100%', user_id: 2 },
          ...{ channel_id: 3, quota: 50_000, created_at: NOW_SECONDS - 30, fail_reason: '' },
        },
      ],
      total: 1,
    }),
    drawings: async () => ({ data: [], total: 0 }),
  },
  attention: {
    list: async () => [
      {
        ...{
          severity: 'error',
          kind: 'channel_off',
          id: 3,
          name: '通义千问',
          reason: 'The key was refused (401)',
          usd: 0,
        },
        ...{ failed: 0, tried: 0, keys: 0, calls: 0, quota: 0, paid: '', price: '' },
      },
    ],
  },
  alerts: {
    list: async () => [
      {
        ...{
          id: 1,
          name: 'Errors',
          kind: 'error_rate',
          threshold: 20,
          enabled: true,
          unknown: '',
          minutes: 5,
          least: 10,
        },
        ...{
          root: true,
          mails: 'ops@example.com',
          webhook_url: '',
          model: '',
          channel: 0,
          group: '',
          quiet_minutes: 0,
        },
        alerts: [{ began_at: NOW_SECONDS - 600, failure: '' }],
      },
    ],
  },
  audit: {
    list: async () => ({
      items: [
        {
          ...{
            id: 5,
            created_at: NOW_SECONDS - 60,
            username: 'alice',
            user_id: 2,
            action: 'user.disable',
            target: '4',
          },
          ...{ before: '{"status":1}', after: '{"status":2}', via: 'session', ip: '192.0.2.7', request_id: 'r1' },
        },
      ],
      total: 1,
    }),
  },
  groups: {
    table: async () => [
      {
        ...{ name: 'vip', ratio: 0.8, description: 'Important people', users: 3, tokens: 4, channels: 30, special: {} },
      },
    ],
  },
  redemptions: {
    search: async () => ({
      items: [
        {
          ...{
            id: 7,
            name: 'spring',
            key: '0123456789abcdef0123456789abcdef',
            status: 1,
            quota: 2_500_000,
            remark: '',
          },
          ...{ created_time: NOW_SECONDS - 86_400, expired_time: 0, redeemed_time: 0, used_user_id: 0 },
        },
      ],
      total: 1,
    }),
  },
  usage: {
    query: async () => {
      const figures = { calls: 40, failed: 4, prompt_tokens: 9000, cached_tokens: 0, output_tokens: 3000, cost: 9_000 }
      const row = { ...figures, model_name: 'gpt-5.1', quota: 25_000, errors: {}, latency_ms: { p50: 400, p95: 1900 } }
      return { rows: [row], total: row, groups: 1 }
    },
  },
  settings: {
    list: async () => [
      { key: 'RetryTimes', value: '3' },
      { key: 'QuotaPerUnit', value: '500000' },
      { key: 'SystemName', value: 'Weir' },
    ],
  },
} as unknown as WeirClient

export function portsIn(language: Language): UiPagePorts {
  const pulse = createPulse()
  pulse.add(calls)
  return { client, language, pulse, money: { quota_per_unit: 500_000, display_in_currency: true } }
}

/** The driver of the screen on this world, with what came of it. */
export function driverHere(more: Partial<DriverOptions> = {}) {
  const seen = { commands: [] as string[], copied: '', mouse: false, left: false }
  const driver = createDriver({
    pages: allPages,
    ports: portsIn('en'),
    label: 'this machine',
    size: () => ({ columns: 100, rows: 24 }),
    paint: createPainter(false),
    command: async (words) => {
      seen.commands.push(words.join(' '))
      return { code: 0, output: 'Done it.' }
    },
    copy: (text) => (seen.copied = text),
    mouse: (on) => (seen.mouse = on),
    quit: () => (seen.left = true),
    changed: () => {},
    now: () => NOW,
    ...more,
  })
  const screen = () => driver.lines().join('\n')
  /** Waits until it is on the screen. */
  const has = (text: string | RegExp) =>
    until(() => (typeof text === 'string' ? screen().includes(text) : text.test(screen()))).catch(() => {
      throw new Error(`waited in vain for “${text}” on\n${screen()}`)
    })
  return { driver, seen, screen, has, type: (typed: string) => parseKeyPresses(typed).forEach(driver.press) }
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
  const at = allPages.findIndex(({ name }) => name === page)
  const ports = portsIn(language)
  const state = change({ ...createStartState(allPages), page: at })
  const loaded = await (allPages[at] as AnyPage).load(ports, state.places[at]!.filter)
  const frame: ScreenFrame = {
    ...{ columns, rows, language, label: 'this machine', now: NOW, pages: allPages, state, loaded, ports },
    ...{ memory: createColumnMemory(), paint: createPainter(false) },
  }
  return buildFrameLines(frame)
}
