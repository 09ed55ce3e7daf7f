// A small site for the console's tests: who is signed in, and what the API answers.
import type { SignedIn } from '../../core/auth/signed-in.ts'
import type { PublicStatus } from '../../core/site/status.ts'
import type { Team, TeamMember } from '../../core/teams/team.ts'
import { formatKeyEnds, type Token } from '../../core/tokens/token.ts'
import type { Handlers } from './fake-server.ts'
import { channelHandlers } from './sample-channels.ts'
import { logHandlers } from './sample-log.ts'
import { listed, NOW, page, type Sample } from './samples.ts'

export { logEntry } from './sample-log.ts'
export { listed, NOW }

export const root: SignedIn = { id: 1, username: 'root', display_name: 'Root', role: 100, status: 1, group: 'default' }
export const reader: SignedIn = { ...root, id: 2, username: 'ada', display_name: 'Ada', role: 1, group: 'vip' }

/** Local storage of a browser in which somebody is signed in. */
export const signedIn = (user: SignedIn) => ({ user: JSON.stringify(user) })

export const status: Partial<PublicStatus> = {
  version: '0.1.0',
  start_time: NOW,
  setup: true,
  system_name: 'Weir',
  logo: '',
  theme_color: '',
  footer_html: '',
  server_address: '',
  docs_link: '',
  top_up_link: '',
  invoice_seller: '',
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

/** What a token has that no call was made with yet. */
export const UNUSED = { created_time: NOW, accessed_time: NOW, used_quota: 0 }

/** A token as lists show it. */
const masked = <T extends { key: string }>(full: T): T => ({ ...full, key: formatKeyEnds(full.key) })

/** What a site with two tokens, three channels and a few calls answers. */
const team: Sample<Team, 'id'> = { id: 70, name: 'research', created_time: NOW, quota: 5_000_000, used_quota: 250_000 }
const members: Sample<TeamMember, 'user_id'>[] = [
  { user_id: reader.id, username: 'ada', role: 'owner' },
  { user_id: 3, username: 'bob', role: 'member', budget_day: 500_000, version: 3 },
].map((one) => ({ team_id: 70, used_day: 100_000, used_month: 150_000, ...one }) as never)

/** Budgets, half and nearly used, and limits. */
const bounded = {
  ...{ budget_day: 500_000, budget_used_day: 250_000, budget_reset_day: Math.floor(Date.now() / 1000) + 7200 },
  ...{ budget_month: 5_000_000, budget_used_month: 4_600_000, budget_reset_month: NOW + 9_000_000 },
  ...{ requests_per_minute: 60, tokens_per_minute: 100_000, max_concurrent: 4 },
  ...{ fallback_models: 'gpt-4o-mini,deepseek-chat', allow_ips: '10.0.0.0/8', team_id: 70 },
}

/** What single tokens have beside the usual. */
const LIMITED: Record<number, Partial<Token>> = {
  2: { name: 'laptop', model_limits_enabled: true, model_limits: 'gpt-4o' },
}

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
  'auth.providers': () => ({ data: [] }),
  'auth.logout': () => ({ data: null }),
  'prices.missing': () => ({ data: [] }),
  'users.models': () => ({ data: ['gpt-4o', 'gpt-4o-mini', 'deepseek-chat'] }),
  'groups.usable': () => ({
    data: { default: { desc: 'Default group', ratio: 1 }, vip: { desc: 'VIP group', ratio: 0.8 } },
  }),
  'groups.list': () => ({ data: ['default', 'svip', 'vip'] }),
  'tokens.list': () =>
    listed([
      masked(token(3, { name: 'production', unlimited_quota: true, group: 'vip', ...bounded })),
      masked(token(2, { name: 'laptop', status: 2, model_limits_enabled: true, model_limits: 'gpt-4o' })),
      masked(token(1, { name: 'old script', status: 3, expired_time: NOW - 1_000_000_000, remain_quota: 0 })),
    ]),
  'tokens.search': ({ keyword }) => listed([masked(token(9, { name: `found ${String(keyword)}` }))]),
  'tokens.get': ({ id }) => ({ data: token(Number(id), LIMITED[Number(id)]) }),
  'tokens.create': ({ name }) => ({ data: token(10, { name: String(name), ...UNUSED }) }),
  'tokens.update': ({ id, status: next }) => ({ data: token(Number(id), { status: Number(next ?? 1) }) }),
  'tokens.delete': () => ({ data: null }),
  ...channelHandlers(),
  'teams.list': () => ({ data: page([team]) }),
  'teams.get': ({ id }) => ({ data: { ...team, id: Number(id), members, invitations: [] } }),
  'teams.invitations': () => ({ data: [] }),
  'teams.accept': () => ({ data: members[1] }),
  'teams.decline': () => ({ data: null }),
  'teams.withdraw': () => ({ data: null }),
  'teams.views': () => ({ data: { views: [], managed: [{ id: team.id, name: team.name }] } }),
  'teams.create': ({ name }) => ({ data: { ...team, name: String(name) } }),
  'teams.update': ({ name }) => ({ data: { ...team, name: String(name) } }),
  'teams.delete': () => ({ data: null }),
  'teams.putMember': ({ version }) => ({ data: { ...members[0], invited: version === undefined } }),
  'teams.removeMember': () => ({ data: null }),
  'teams.transfer': () => ({ data: team }),
  'teams.adjust': () => ({ data: team }),
  ...logHandlers(),
})
