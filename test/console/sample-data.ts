// A small site for the console's tests: who is signed in, and what the API answers.
import type { SignedIn } from '../../core/auth/signed-in.ts'
import type { Channel } from '../../core/channels/channel.ts'
import type { ChannelType } from '../../core/channels/contract.ts'
import type { LogEntry } from '../../core/calls/log-entry.ts'
import type { Status } from '../../core/site/contract.ts'
import type { Team, TeamMember } from '../../core/teams/team.ts'
import { keyEnds, type Token } from '../../core/tokens/token.ts'
import type { Handlers } from './fake-server.ts'

export const NOW = 1_790_000_000

export const root: SignedIn = { id: 1, username: 'root', display_name: 'Root', role: 100, status: 1, group: 'default' }
export const reader: SignedIn = { ...root, id: 2, username: 'ada', display_name: 'Ada', role: 1, group: 'vip' }

/** Local storage of a browser in which somebody is signed in. */
export const signedIn = (user: SignedIn) => ({ user: JSON.stringify(user) })

export const status: Partial<Status> = {
  version: '0.1.0',
  start_time: NOW,
  setup: true,
  system_name: 'Weir',
  logo: '',
  footer_html: '',
  server_address: '',
  docs_link: '',
  top_up_link: '',
  quota_per_unit: 500000,
  display_in_currency: true,
  default_collapse_sidebar: false,
  self_use_mode_enabled: false,
  demo_site_enabled: false,
  register_enabled: true,
  password_login: true,
  password_register: true,
  enable_drawing: true,
  enable_task: true,
  enable_data_export: true,
  data_export_default_time: 'hour',
  chats: [],
}

/** Fields that are not named here get the plainest value of their schema. */
type Sample<T, K extends keyof T> = Partial<T> & Pick<T, K>

export const token = (id: number, change: Partial<Token> = {}): Sample<Token, 'id' | 'key'> => ({
  id,
  user_id: 1,
  key: `Weir${String(id).padStart(4, '0')}abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOP`.slice(0, 48),
  name: `token-${id}`,
  status: 1,
  created_time: NOW - id * 86400,
  accessed_time: NOW,
  expired_time: -1,
  remain_quota: 500000,
  unlimited_quota: false,
  used_quota: 123456,
  model_limits_enabled: false,
  model_limits: '',
  allow_ips: '',
  group: '',
  ...change,
})

export const channel = (id: number, change: Partial<Channel> = {}): Sample<Channel, 'id'> => ({
  id,
  name: `channel-${id}`,
  type: 1,
  openai_organization: '',
  max_input_tokens: 0,
  base_url: '',
  other: '',
  models: 'gpt-4o,gpt-4o-mini',
  group: 'default,vip',
  model_mapping: '',
  status_code_mapping: '',
  param_override: '',
  setting: '',
  auto_ban: 1,
  test_model: '',
  priority: 0,
  weight: 0,
  tag: null,
  status: 1,
  response_time: 0,
  balance: 0,
  used_quota: 2_345_678,
  other_info: '',
  created_time: NOW,
  balance_updated_time: 0,
  test_time: 0,
  ...change,
})

export const channelTypes: Partial<ChannelType>[] = [
  {
    type: 1,
    id: 'openai',
    name: 'OpenAI',
    base_url: 'https://api.openai.com',
    models: ['gpt-4o', 'gpt-4o-mini', 'o3'],
    needs_key: true,
    env: 'OPENAI_API_KEY',
    fields: { openai_organization: { label: 'Organization' } },
  },
  {
    type: 43,
    id: 'deepseek',
    name: 'DeepSeek',
    base_url: 'https://api.deepseek.com',
    models: ['deepseek-chat', 'deepseek-reasoner'],
    needs_key: true,
    fields: {},
  },
  {
    type: 1001,
    id: 'sandbox',
    name: 'Sandbox',
    base_url: '',
    models: ['sandbox-echo'],
    needs_key: false,
    fields: {},
  },
]

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

const page = <T>(items: T[]) => ({ items, page: 1, page_size: 10, total: items.length })

/** A token as lists show it. */
const masked = <T extends { key: string }>(full: T): T => ({ ...full, key: keyEnds(full.key) })

/** A list whose rows stand bare, with what stands beside them. */
export const listed = <T>(data: T[], total = data.length) => ({ data, beside: { total, next_cursor: '' } })

/** What a site with two tokens, three channels and a few calls answers. */
const team: Sample<Team, 'id'> = { id: 70, name: 'research', created_time: NOW, quota: 5_000_000, used_quota: 250_000 }
const members: Sample<TeamMember, 'user_id'>[] = [
  { user_id: reader.id, username: 'ada', role: 'owner' },
  { user_id: 3, username: 'bob', role: 'member', budget_day: 500_000 },
].map((one) => ({ team_id: 70, used_day: 100_000, used_month: 150_000, ...one }) as never)

export const sampleHandlers = (): Handlers => ({
  'site.status': () => ({ data: status }),
  'site.setupStatus': () => ({
    data: { status: true, root_init: true, database_type: 'sqlite', code_required: false },
  }),
  'site.setup': () => ({ data: root }),
  'site.home': () => ({ data: '' }),
  'site.notice': () => ({ data: '' }),
  'auth.login': ({ password }) =>
    password === 'correct-horse' ? { data: root } : { refuse: 'Username or password is wrong', status: 401 },
  'auth.logout': () => ({ data: null }),
  'users.models': () => ({ data: ['gpt-4o', 'gpt-4o-mini', 'deepseek-chat'] }),
  'groups.usable': () => ({
    data: { default: { desc: 'Default group', ratio: 1 }, vip: { desc: 'VIP group', ratio: 0.8 } },
  }),
  'groups.list': () => ({ data: ['default', 'svip', 'vip'] }),
  'tokens.list': () =>
    listed([
      masked(token(3, { name: 'production', unlimited_quota: true, group: 'vip' })),
      masked(token(2, { name: 'laptop', status: 2, model_limits_enabled: true, model_limits: 'gpt-4o' })),
      masked(token(1, { name: 'old script', status: 3, expired_time: NOW - 1_000_000_000, remain_quota: 0 })),
    ]),
  'tokens.search': ({ keyword }) => listed([masked(token(9, { name: `found ${String(keyword)}` }))]),
  'tokens.get': ({ id }) => ({ data: token(Number(id)) }),
  'tokens.create': ({ name }) => ({ data: token(10, { name: String(name) }) }),
  'tokens.update': ({ id, status: next }) => ({ data: token(Number(id), { status: Number(next ?? 1) }) }),
  'tokens.delete': () => ({ data: null }),
  'channels.list': () =>
    listed([
      channel(7, { name: 'OpenAI main', priority: 10, weight: 5, response_time: 642, test_time: NOW }),
      channel(6, { name: 'DeepSeek', type: 43, models: 'deepseek-chat', response_time: 4210, tag: 'cheap' }),
      channel(5, {
        name: 'OpenAI spare',
        status: 3,
        other_info: JSON.stringify({ status_reason: 'Incorrect API key', status_time: NOW }),
      }),
      channel(4, { name: 'Practice', type: 1001, models: 'sandbox-echo', status: 2 }),
    ]),
  'channels.search': ({ keyword }) => ({ data: [channel(8, { name: `found ${String(keyword)}` })] }),
  'channels.types': () => ({ data: channelTypes }),
  'channels.get': ({ id }) => ({
    data: channel(Number(id), { name: 'OpenAI main', base_url: 'https://example.test' }),
  }),
  'channels.test': () => ({ data: null, beside: { time: 1.25 } }),
  'channels.create': ({ name }) => ({ data: [channel(11, { name: String(name) })] }),
  'channels.update': ({ id, status: next }) => ({ data: channel(Number(id), { status: Number(next ?? 1) }) }),
  'channels.delete': () => ({ data: null }),
  'teams.list': () => ({ data: page([team]) }),
  'teams.get': () => ({ data: { ...team, members } }),
  'teams.create': ({ name }) => ({ data: { ...team, name: String(name) } }),
  'teams.update': ({ name }) => ({ data: { ...team, name: String(name) } }),
  'teams.delete': () => ({ data: null }),
  'teams.putMember': () => ({ data: members[0] }),
  'teams.removeMember': () => ({ data: null }),
  'teams.transfer': () => ({ data: team }),
  'teams.adjust': () => ({ data: team }),
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
  'logs.stat': () => ({ data: { quota: 4321, rpm: 2, tpm: 1545 } }),
  'logs.statSelf': () => ({ data: { quota: 4321, rpm: 1, tpm: 1545 } }),
})
