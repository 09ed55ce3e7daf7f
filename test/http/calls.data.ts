// Every call of the specification, and the five it leaves out that the screens need: who may make it, and one success
// of it. What a service elsewhere must take part in is refused here and driven in `also`.
import { expect } from 'vitest'
import type { Asked, CallsWorld } from './calls-world.ts'
import type { EndpointAccess } from '../../core/contract/endpoint.ts'
import type { Json } from '../support/json.ts'

export interface SpecifiedCall {
  /** As the specification writes it: with the slash at its end or without, the query, and the fields of the body. */
  call: string
  who: EndpointAccess
  /** Its name in the contract. */
  endpoint: string
  /** What it is asked with. Made anew for each asking. */
  ask?(world: CallsWorld): Promise<Asked> | Asked
  /** What `data` matches; without it only the refusal is looked at. */
  reply?: Json
  /** Fields beside `data`. */
  beside?: object
  refused?: string
  /** Tests that go further. */
  also?: string
}

const list = expect.any(Array)
const text = expect.any(String)
const number = expect.any(Number)
const object = expect.any(Object)
const page = { items: list, page: 1, total: number }
const logPage = { ...page, page_size: 10 }
const statistics = { calls: number, quota: number, prompt_tokens: number, completion_tokens: number, rpm: number, tpm: number }
const times = { start_timestamp: 0, end_timestamp: 4_000_000_000 }
const msTimes = { start_timestamp: 0, end_timestamp: 4_000_000_000_000 }
const logFilter = { p: 1, page_size: 10, type: 0, token_name: '', model_name: '', ...times, group: '' }

const users: SpecifiedCall[] = [
  { call: 'GET /api/user/?p&page_size', who: 'admin', endpoint: 'users.list', ask: () => ({ query: { p: 1, page_size: 10 } }), reply: page, also: 'accounts.test.ts' },
  { call: 'GET /api/user/search?keyword&group&p&page_size', who: 'admin', endpoint: 'users.search', ask: () => ({ query: { keyword: 'user', group: 'default', p: 1, page_size: 10 } }), reply: page, also: '../storage/users.test.ts' },
  { call: 'GET /api/user/{id}', who: 'admin', endpoint: 'users.get', ask: ({ ids }) => ({ params: { id: ids.user } }), reply: { id: number, username: text, quota: number }, also: 'accounts.test.ts' },
  { call: 'GET /api/user/self', who: 'user', endpoint: 'users.self', reply: { id: number, username: text, role: 1 }, also: 'sessions.test.ts' },
  { call: 'GET /api/user/self/groups', who: 'user', endpoint: 'groups.usable', reply: { default: { desc: text, ratio: number } } },
  { call: 'GET /api/user/models', who: 'user', endpoint: 'users.models', reply: ['gpt-4o-mini'] },
  { call: 'POST /api/user/ {username, display_name, password}', who: 'admin', endpoint: 'users.create', ask: ({ fresh }) => ({ body: { username: fresh('u'), display_name: 'New', password: 'long enough' } }), reply: { id: number, username: text, role: 1, status: 1 }, also: '../cli/connect.test.ts' },
  { call: 'PUT /api/user/ {id, username, display_name, group, quota}', who: 'admin', endpoint: 'users.update', ask: ({ ids }) => ({ body: { id: ids.user, display_name: 'Changed', group: 'default', quota: 5 } }), reply: null, also: 'accounts.test.ts' },
  { call: 'PUT /api/user/self {username, display_name, original_password, password}', who: 'user', endpoint: 'users.updateSelf', ask: () => ({ body: { display_name: 'Me' } }), reply: null, also: 'accounts.test.ts' },
  { call: 'DELETE /api/user/self', who: 'user', endpoint: 'users.deleteSelf', ask: ({ leaver }) => leaver(), reply: null, also: 'accounts.test.ts' },
  { call: 'GET /api/user/logout', who: 'public', endpoint: 'auth.logout', reply: null, also: 'sessions.test.ts' },
  { call: 'POST /api/user/manage {id, action}', who: 'admin', endpoint: 'users.manage', ask: ({ ids }) => ({ body: { id: ids.user, action: 'enable' } }), reply: { status: 1, role: 1 }, also: 'accounts.test.ts' },
  { call: 'POST /api/user/login?turnstile {username, password}', who: 'public', endpoint: 'auth.login', ask: ({ account }) => ({ body: account }), reply: { id: number, username: text, role: 1, status: 1 }, also: 'sessions.test.ts' },
  { call: 'POST /api/user/register?turnstile {username, password, password2, email, verification_code, aff_code}', who: 'public', endpoint: 'auth.register', ask: ({ fresh }) => ({ body: { username: fresh('r'), password: 'long enough', password2: 'long enough' } }), reply: { id: number, username: text, role: 1, status: 1 }, also: 'registration.test.ts' },
  { call: 'GET /api/verification?email&turnstile', who: 'public', endpoint: 'auth.verification', ask: () => ({ query: { email: 'a@example.com' } }), refused: 'mail.none', also: 'registration.test.ts' },
  { call: 'GET /api/oauth/state?aff', who: 'public', endpoint: 'auth.oauthState', ask: () => ({ query: { aff: 'abcd' } }), reply: text, also: 'login-methods.test.ts' },
  { call: 'GET /api/oauth/{type}?code&state', who: 'public', endpoint: 'auth.oauth', ask: () => ({ params: { type: 'github' }, query: { code: 'c', state: 's' } }), refused: 'oauth.off', also: 'login-methods.test.ts' },
  { call: 'GET /api/oauth/wechat?code', who: 'public', endpoint: 'auth.wechat', ask: () => ({ query: { code: 'c' } }), refused: 'oauth.off', also: 'login-methods.test.ts' },
  { call: 'GET /api/oauth/wechat/bind?code', who: 'user', endpoint: 'auth.wechatBind', ask: () => ({ query: { code: 'c' } }), refused: 'oauth.off', also: 'login-methods.test.ts' },
  { call: 'GET /api/oauth/email/bind?email&code', who: 'user', endpoint: 'auth.emailBind', ask: () => ({ query: { email: 'a@example.com', code: 'c' } }), refused: 'verification.wrong', also: 'registration.test.ts' },
  { call: 'GET /api/oauth/telegram/login?id&first_name&last_name&username&photo_url&auth_date&hash', who: 'public', endpoint: 'auth.telegram', ask: () => ({ query: { id: 1, hash: 'h', lang: 'en' } }), refused: 'oauth.off', also: 'login-methods.test.ts' },
  { call: 'GET /api/oauth/telegram/bind?id&first_name&last_name&username&photo_url&auth_date&hash', who: 'user', endpoint: 'auth.telegramBind', ask: () => ({ query: { id: 1, hash: 'h' } }), refused: 'oauth.off', also: 'login-methods.test.ts' },
  { call: 'GET /api/user/token', who: 'user', endpoint: 'users.accessToken', reply: text, also: 'sessions.test.ts' },
  { call: 'GET /api/user/aff', who: 'user', endpoint: 'users.aff', reply: text, also: 'registration.test.ts' },
  { call: 'POST /api/user/aff_transfer {quota}', who: 'user', endpoint: 'users.affTransfer', ask: () => ({ body: { quota: 500_000 } }), refused: 'invitation.short', also: 'registration.test.ts' },
  { call: 'PUT /api/user/setting {notify_type, quota_warning_threshold, webhook_url, webhook_secret, notification_email, accept_unset_model_ratio_model}', who: 'user', endpoint: 'users.setting', ask: () => ({ body: { notify_type: 'email', quota_warning_threshold: 5 } }), reply: null, also: 'accounts.test.ts' },
  { call: 'GET /api/reset_password?email&turnstile', who: 'public', endpoint: 'auth.resetRequest', ask: () => ({ query: { email: 'a@example.com' } }), refused: 'mail.none', also: 'registration.test.ts' },
  { call: 'POST /api/user/reset {email, token}', who: 'public', endpoint: 'auth.reset', ask: () => ({ body: { email: 'a@example.com', token: 't' } }), refused: 'reset.invalid', also: 'registration.test.ts' },
]

const site: SpecifiedCall[] = [
  { call: 'GET /api/status', who: 'public', endpoint: 'site.status', reply: { system_name: text, version: text, setup: true }, also: 'setup.test.ts' },
  { call: 'GET /api/setup', who: 'public', endpoint: 'site.setupStatus', reply: { status: true, root_init: false, database_type: '' }, also: 'setup.test.ts' },
  { call: 'POST /api/setup {username, password, confirmPassword, SelfUseModeEnabled, DemoSiteEnabled}', who: 'public', endpoint: 'site.setup', ask: () => ({ body: { username: 'x', password: 'y' } }), refused: 'setup.done', also: 'setup.test.ts' },
  { call: 'GET /api/group/', who: 'admin', endpoint: 'groups.list', reply: ['default', 'svip', 'vip'] },
  { call: 'GET /api/models', who: 'user', endpoint: 'channels.modelsByType', reply: { 1: list } },
  { call: 'GET /api/option/', who: 'admin', endpoint: 'settings.list', reply: expect.arrayContaining([{ key: 'SystemName', value: 'Weir' }]), also: '../core/settings/snapshot.test.ts' },
  { call: 'PUT /api/option/ {key, value}', who: 'admin', endpoint: 'settings.update', ask: () => ({ body: { key: 'Notice', value: '' } }), reply: null, also: 'two-tenants.test.ts' },
  { call: 'POST /api/option/rest_model_ratio', who: 'admin', endpoint: 'settings.resetPrices', reply: null },
  { call: 'DELETE /api/log/?target_timestamp', who: 'admin', endpoint: 'logs.cleanUp', ask: () => ({ query: { target_timestamp: 5 } }), reply: 0, also: 'log-data.test.ts' },
  { call: 'GET /api/notice', who: 'public', endpoint: 'site.notice', reply: '' },
  { call: 'GET /api/about', who: 'public', endpoint: 'site.about', reply: '' },
  { call: 'GET /api/home_page_content', who: 'public', endpoint: 'site.home', reply: '' },
]

const channels: SpecifiedCall[] = [
  { call: 'GET /api/channel/models_enabled', who: 'admin', endpoint: 'channels.modelsEnabled', reply: ['gpt-4o-mini'] },
  { call: 'GET /api/channel/models', who: 'admin', endpoint: 'channels.models', reply: expect.arrayContaining([{ id: 'gpt-4o', object: 'model', owned_by: text }]) },
  { call: 'GET /api/channel/?p&page_size&id_sort&tag_mode', who: 'admin', endpoint: 'channels.list', ask: () => ({ query: { p: 0, page_size: 10, id_sort: true, tag_mode: false } }), reply: list, also: 'live-changes.test.ts' },
  { call: 'GET /api/channel/search?keyword&group&model&id_sort&tag_mode', who: 'admin', endpoint: 'channels.search', ask: () => ({ query: { keyword: 'channel', group: 'default', model: 'gpt', id_sort: true, tag_mode: true } }), reply: list, also: '../storage/channels.test.ts' },
  { call: 'GET /api/channel/{id}', who: 'admin', endpoint: 'channels.get', ask: ({ ids }) => ({ params: { id: ids.channel } }), reply: { id: number, name: text, models: 'gpt-4o-mini' }, also: 'failover.test.ts' },
  { call: 'POST /api/channel/ {name, type, key, models, group}', who: 'admin', endpoint: 'channels.create', ask: ({ fresh }) => ({ body: { name: fresh('c'), type: 1, key: 'k', models: 'a,b', group: 'default,vip', base_url: 'http://127.0.0.1:1' } }), reply: [{ models: 'a,b', group: 'default,vip' }], also: '../core/channels/handlers.test.ts' },
  { call: 'PUT /api/channel/ {id, status, priority, weight}', who: 'admin', endpoint: 'channels.update', ask: ({ ids }) => ({ body: { id: ids.channel, status: 1, priority: 5, weight: 2 } }), reply: { priority: 5, weight: 2 }, also: '../core/channels/handlers.test.ts' },
  { call: 'DELETE /api/channel/{id}/', who: 'admin', endpoint: 'channels.delete', ask: async ({ channel }) => ({ params: { id: await channel() } }), reply: null, also: 'live-changes.test.ts' },
  { call: 'DELETE /api/channel/disabled', who: 'admin', endpoint: 'channels.deleteDisabled', ask: async ({ channel }) => ({ params: { id: await channel({ status: 2 }) } }), reply: 1, also: '../core/channels/bulk.test.ts' },
  { call: 'POST /api/channel/batch {ids}', who: 'admin', endpoint: 'channels.deleteMany', ask: async ({ channel }) => ({ body: { ids: [await channel(), await channel()] } }), reply: 2, also: '../core/channels/bulk.test.ts' },
  { call: 'POST /api/channel/batch/tag {ids, tag}', who: 'admin', endpoint: 'channels.tagMany', ask: async ({ channel }) => ({ body: { ids: [await channel()], tag: 'blue' } }), reply: 1, also: '../core/channels/bulk.test.ts' },
  { call: 'PUT /api/channel/tag {tag, new_tag, model_mapping, groups, models, priority, weight}', who: 'admin', endpoint: 'channels.updateTag', ask: async ({ tagged }) => ({ body: { tag: await tagged(), weight: 3 } }), reply: 1, also: '../core/channels/bulk.test.ts' },
  { call: 'POST /api/channel/tag/enabled {tag}', who: 'admin', endpoint: 'channels.enableTag', ask: async ({ tagged }) => ({ body: { tag: await tagged() } }), reply: number, also: '../core/channels/bulk.test.ts' },
  { call: 'POST /api/channel/tag/disabled {tag}', who: 'admin', endpoint: 'channels.disableTag', ask: async ({ tagged }) => ({ body: { tag: await tagged() } }), reply: number, also: '../core/channels/bulk.test.ts' },
  { call: 'POST /api/channel/fix', who: 'admin', endpoint: 'channels.repair', reply: number, also: '../core/channels/bulk.test.ts' },
  { call: 'GET /api/channel/test', who: 'admin', endpoint: 'channels.testAll', reply: null, also: '../core/channels/bulk.test.ts' },
  { call: 'GET /api/channel/test/{id}?model', who: 'admin', endpoint: 'channels.test', ask: ({ ids }) => ({ params: { id: ids.channel }, query: { model: 'gpt-4o-mini' } }), reply: null, beside: { time: number }, also: 'embeddings-client.test.ts' },
  { call: 'GET /api/channel/update_balance/{id}/', who: 'admin', endpoint: 'channels.updateBalance', ask: ({ ids }) => ({ params: { id: ids.balance } }), reply: null, beside: { balance: 12.5 }, also: '../core/channels/bulk.test.ts' },
  { call: 'GET /api/channel/update_balance', who: 'admin', endpoint: 'channels.updateBalances', reply: { updated: number, failed: number }, also: '../core/channels/bulk.test.ts' },
  { call: 'GET /api/channel/fetch_models/{id}', who: 'admin', endpoint: 'channels.fetchModels', ask: ({ ids }) => ({ params: { id: ids.channel } }), reply: ['a-model'], also: '../core/channels/bulk.test.ts' },
  { call: 'POST /api/channel/fetch_models {base_url, type, key}', who: 'admin', endpoint: 'channels.fetchModelsNew', ask: ({ weir }) => ({ body: { base_url: weir.upstream.url, type: 1, key: 'k' } }), reply: ['a-model'], also: '../core/channels/bulk.test.ts' },
]

const tokens: SpecifiedCall[] = [
  { call: 'GET /api/token/?p&size', who: 'user', endpoint: 'tokens.list', ask: () => ({ query: { p: 0, size: 10 } }), reply: list, also: 'two-tenants.test.ts' },
  { call: 'GET /api/token/search?keyword&token', who: 'user', endpoint: 'tokens.search', ask: () => ({ query: { keyword: 'own', token: '' } }), reply: list, also: 'two-tenants.test.ts' },
  { call: 'GET /api/token/{id}', who: 'user', endpoint: 'tokens.get', ask: ({ ids }) => ({ params: { id: ids.token } }), reply: { name: 'own', key: expect.stringMatching(/^\w{48}$/) }, also: 'two-tenants.test.ts' },
  { call: 'POST /api/token/ {name, remain_quota, expired_time, unlimited_quota, model_limits_enabled, model_limits, allow_ips, group}', who: 'user', endpoint: 'tokens.create', ask: () => ({ body: { name: 'made', remain_quota: 5, expired_time: -1, unlimited_quota: false, model_limits_enabled: false, model_limits: '', allow_ips: '', group: '' } }), reply: { name: 'made', remain_quota: 5, status: 1 }, also: 'limits.test.ts' },
  { call: 'PUT /api/token/ {id, name}', who: 'user', endpoint: 'tokens.update', ask: ({ ids }) => ({ body: { id: ids.token, name: 'own' } }), reply: { name: 'own' }, also: 'live-changes.test.ts' },
  { call: 'PUT /api/token/?status_only {id, status}', who: 'user', endpoint: 'tokens.update', ask: ({ ids }) => ({ query: { status_only: 'true' }, body: { id: ids.token, status: 2 } }), reply: { status: 2, name: 'own' }, also: 'two-tenants.test.ts' },
  { call: 'DELETE /api/token/{id}/', who: 'user', endpoint: 'tokens.delete', ask: async ({ token }) => ({ params: { id: await token() } }), reply: null, also: 'refusals.test.ts' },
]

const money: SpecifiedCall[] = [
  { call: 'GET /api/redemption/?p&page_size', who: 'admin', endpoint: 'redemptions.list', ask: () => ({ query: { p: 1, page_size: 10 } }), reply: page, also: 'redemptions.test.ts' },
  { call: 'GET /api/redemption/search?keyword&p&page_size', who: 'admin', endpoint: 'redemptions.search', ask: () => ({ query: { keyword: 'code', p: 1, page_size: 10 } }), reply: page, also: 'redemptions.test.ts' },
  { call: 'GET /api/redemption/{id}', who: 'admin', endpoint: 'redemptions.get', ask: async ({ code }) => ({ params: { id: (await code()).id } }), reply: { name: 'code', quota: 5, status: 1 }, also: 'redemptions.test.ts' },
  { call: 'POST /api/redemption/ {name, quota, count}', who: 'admin', endpoint: 'redemptions.create', ask: () => ({ body: { name: 'many', quota: 5, count: 2 } }), reply: [text, text], beside: { codes: [{ id: number }, { id: number }] }, also: 'redemptions.test.ts' },
  { call: 'PUT /api/redemption/ {id, name, quota}', who: 'admin', endpoint: 'redemptions.update', ask: async ({ code }) => ({ body: { id: (await code()).id, name: 'other', quota: 6 } }), reply: { name: 'other', quota: 6 }, also: 'redemptions.test.ts' },
  { call: 'PUT /api/redemption/?status_only {id, status}', who: 'admin', endpoint: 'redemptions.update', ask: async ({ code }) => ({ query: { status_only: 'true' }, body: { id: (await code()).id, status: 2 } }), reply: { status: 2 }, also: 'redemptions.test.ts' },
  { call: 'DELETE /api/redemption/{id}/', who: 'admin', endpoint: 'redemptions.delete', ask: async ({ code }) => ({ params: { id: (await code()).id } }), reply: null, also: 'redemptions.test.ts' },
  { call: 'POST /api/user/topup {key}', who: 'user', endpoint: 'redemptions.redeem', ask: async ({ code }) => ({ body: { key: (await code()).key } }), reply: 5, also: 'redemptions.test.ts' },
  { call: 'POST /api/user/pay {amount, top_up_code, payment_method}', who: 'user', endpoint: 'topups.pay', ask: () => ({ body: { amount: 10, top_up_code: '', payment_method: 'zfb' } }), reply: { pid: '1001', money: '73.00' }, beside: { message: 'success', url: 'https://pay.example/submit.php' }, also: 'topups.test.ts' },
  { call: 'POST /api/user/amount {amount, top_up_code}', who: 'user', endpoint: 'topups.amount', ask: () => ({ body: { amount: 10, top_up_code: '' } }), reply: '73.00', beside: { message: 'success' }, also: 'topups.test.ts' },
]

const logs: SpecifiedCall[] = [
  { call: 'GET /api/log/?p&page_size&type&username&token_name&model_name&start_timestamp&end_timestamp&channel&group', who: 'admin', endpoint: 'logs.list', ask: () => ({ query: { ...logFilter, username: '', channel: 0 } }), reply: logPage, also: '../storage/log-suite.ts' },
  { call: 'GET /api/log/self/?p&page_size&type&token_name&model_name&start_timestamp&end_timestamp&group', who: 'user', endpoint: 'logs.listSelf', ask: () => ({ query: logFilter }), reply: logPage, also: 'two-tenants.test.ts' },
  { call: 'GET /api/log/stat?type&username&token_name&model_name&start_timestamp&end_timestamp&channel&group', who: 'admin', endpoint: 'logs.stat', ask: () => ({ query: { ...logFilter, username: '', channel: 0 } }), reply: statistics },
  { call: 'GET /api/log/self/stat?type&token_name&model_name&start_timestamp&end_timestamp&group', who: 'user', endpoint: 'logs.statSelf', ask: () => ({ query: logFilter }), reply: statistics, also: 'two-tenants.test.ts' },
  { call: 'GET /api/mj/?p&channel_id&mj_id&start_timestamp&end_timestamp', who: 'admin', endpoint: 'tasks.drawings', ask: () => ({ query: { p: 0, channel_id: 0, mj_id: '', ...msTimes } }), reply: list, also: 'tasks.test.ts' },
  { call: 'GET /api/mj/self/?p&mj_id&start_timestamp&end_timestamp', who: 'user', endpoint: 'tasks.drawingsSelf', ask: () => ({ query: { p: 0, mj_id: '', ...msTimes } }), reply: list, also: 'tasks.test.ts' },
  { call: 'GET /api/task/?p&channel_id&task_id&start_timestamp&end_timestamp', who: 'admin', endpoint: 'tasks.list', ask: () => ({ query: { p: 0, channel_id: 0, task_id: '', ...times } }), reply: list, also: 'tasks.test.ts' },
  { call: 'GET /api/task/self?p&task_id&start_timestamp&end_timestamp', who: 'user', endpoint: 'tasks.listSelf', ask: () => ({ query: { p: 0, task_id: '', ...times } }), reply: list, also: 'tasks.test.ts' },
  { call: 'POST /api/task/manage {id, action}', who: 'admin', endpoint: 'tasks.manage', ask: async ({ task }) => ({ body: { id: await task(), action: 'cancel' } }), reply: { status: 'FAILURE', refunded: 50 }, also: '../tasks/ends.test.ts' },
  { call: 'GET /api/pricing', who: 'public', endpoint: 'pricing.list', reply: [{ model_name: 'gpt-4o-mini', quota_type: 0 }], beside: { group_ratio: object, usable_group: object }, also: 'pricing.test.ts' },
  { call: 'GET /api/data/?start_timestamp&end_timestamp&username', who: 'admin', endpoint: 'usage.hours', ask: () => ({ query: { ...times, username: '' } }), reply: list, also: 'usage.test.ts' },
  { call: 'GET /api/data/self?start_timestamp&end_timestamp', who: 'user', endpoint: 'usage.hoursSelf', ask: () => ({ query: { start_timestamp: 1_700_000_000, end_timestamp: 1_700_000_005 } }), reply: list, also: 'usage.test.ts' },
]

export const specified: SpecifiedCall[] = [...users, ...site, ...channels, ...tokens, ...money, ...logs]

/** What Weir has beside the specification: who may ask, and the test that asks. */
export const beyond: Record<string, { who: EndpointAccess; by: string }> = {
  'prices.list': { who: 'admin', by: 'prices.test.ts' },
  'prices.set': { who: 'admin', by: 'prices.test.ts' },
  'prices.remove': { who: 'admin', by: 'prices.test.ts' },
  'prices.missing': { who: 'admin', by: 'prices.test.ts' },
  'prices.history': { who: 'admin', by: 'prices.test.ts' },
  'prices.preview': { who: 'admin', by: 'prices.test.ts' },
  'state.export': { who: 'root', by: 'state.test.ts' },
  'state.plan': { who: 'root', by: 'state.test.ts' },
  'state.apply': { who: 'root', by: 'state.test.ts' },
  'state.managed': { who: 'admin', by: 'state.test.ts' },
  'prices.undo': { who: 'admin', by: 'prices.test.ts' },
  'imports.bring': { who: 'root', by: '../imports/made-up.test.ts' },
  'imports.history': { who: 'root', by: '../imports/made-up.test.ts' },
  'users.topUp': { who: 'admin', by: 'old-scripts.test.ts' },
  'users.availableModels': { who: 'user', by: 'old-scripts.test.ts' },
  'usage.dashboard': { who: 'user', by: 'old-scripts.test.ts' },
  'prices.apply': { who: 'admin', by: 'prices.test.ts' },
  'site.release': { who: 'admin', by: '../core/site/release.test.ts' },
  'auth.oauthStart': { who: 'public', by: 'login-methods.test.ts' },
  'auth.bindings': { who: 'user', by: 'login-methods.test.ts' },
  'auth.unbind': { who: 'user', by: 'login-methods.test.ts' },
  'site.gateway': { who: 'admin', by: 'site.test.ts' },
  'site.check': { who: 'admin', by: 'site.test.ts' },
  'groups.common': { who: 'public', by: 'site.test.ts' },
  'users.removeProofs': { who: 'admin', by: 'second-factors.test.ts' },
  'users.deleteMany': { who: 'admin', by: 'accounts.test.ts' },
  'users.delete': { who: 'admin', by: 'accounts.test.ts' },
  'users.testNotice': { who: 'user', by: 'notices.test.ts' },
  'users.sessions': { who: 'user', by: 'accounts.test.ts' },
  'users.endSession': { who: 'user', by: 'accounts.test.ts' },
  'users.endSessions': { who: 'user', by: 'accounts.test.ts' },
  'users.sessionsOf': { who: 'admin', by: 'accounts.test.ts' },
  'users.endSessionsOf': { who: 'admin', by: 'accounts.test.ts' },
  'tokens.ofTeam': { who: 'user', by: 'teams.test.ts' },
  'tokens.ofUser': { who: 'admin', by: 'others-tokens.test.ts' },
  'groups.table': { who: 'admin', by: 'groups.test.ts' },
  'groups.set': { who: 'admin', by: 'groups.test.ts' },
  'groups.remove': { who: 'admin', by: 'groups.test.ts' },
  'tokens.createOf': { who: 'admin', by: 'others-tokens.test.ts' },
  'tokens.updateOf': { who: 'admin', by: 'others-tokens.test.ts' },
  'tokens.manage': { who: 'admin', by: 'others-tokens.test.ts' },
  'users.accessTokens': { who: 'user', by: '../attacks/access-tokens.test.ts' },
  'users.createAccessToken': { who: 'user', by: '../attacks/access-tokens.test.ts' },
  'users.deleteAccessToken': { who: 'user', by: '../attacks/access-tokens.test.ts' },
  'users.thisAccessToken': { who: 'user', by: '../attacks/access-tokens.test.ts' },
  'users.endThisAccessToken': { who: 'user', by: '../attacks/access-tokens.test.ts' },
  'devices.begin': { who: 'public', by: '../attacks/devices.test.ts' },
  'devices.token': { who: 'public', by: '../attacks/devices.test.ts' },
  'devices.request': { who: 'user', by: '../attacks/devices.test.ts' },
  'devices.answer': { who: 'user', by: '../attacks/devices.test.ts' },
  'users.revokeAccessToken': { who: 'user', by: 'accounts.test.ts' },
  'channels.health': { who: 'admin', by: '../core/channels/channel-health.test.ts' },
  'channels.tests': { who: 'admin', by: '../core/channels/channel-health.test.ts' },
  'channels.keys': { who: 'admin', by: 'channel-keys.test.ts' },
  'channels.addKeys': { who: 'admin', by: 'channel-keys.test.ts' },
  'channels.manageKeys': { who: 'admin', by: 'channel-keys.test.ts' },
  'channels.try': { who: 'admin', by: '../core/channels/channel-try.test.ts' },
  'channels.switchMany': { who: 'admin', by: '../core/channels/bulk.test.ts' },
  'channels.consequences': { who: 'admin', by: '../core/channels/bulk.test.ts' },
  'channels.copy': { who: 'admin', by: '../core/channels/bulk.test.ts' },
  'channels.types': { who: 'admin', by: '../core/channels/handlers.test.ts' },
  'channels.route': { who: 'admin', by: '../core/channels/several-keys.test.ts' },
  'logs.export': { who: 'admin', by: 'log-data.test.ts' },
  'logs.exportSelf': { who: 'user', by: 'log-data.test.ts' },
  'logs.cleanUpProgress': { who: 'admin', by: 'log-data.test.ts' },
  'logs.stream': { who: 'admin', by: 'log-stream.test.ts' },
  'logs.streamSelf': { who: 'user', by: 'log-stream.test.ts' },
  'logs.search': { who: 'admin', by: 'log-data.test.ts' },
  'logs.searchSelf': { who: 'user', by: 'log-data.test.ts' },
  'logs.ofToken': { who: 'public', by: 'log-data.test.ts' },
  'logs.explain': { who: 'admin', by: 'receipts.test.ts' },
  'logs.explainSelf': { who: 'user', by: 'receipts.test.ts' },
  'usage.query': { who: 'admin', by: 'usage.test.ts' },
  'usage.querySelf': { who: 'user', by: 'usage.test.ts' },
  'usage.rebuild': { who: 'admin', by: 'usage.test.ts' },
  'usage.rebuildProgress': { who: 'admin', by: 'usage.test.ts' },
  'quota.verify': { who: 'root', by: 'setup.test.ts' },
  'quota.pending': { who: 'root', by: 'storage-away.test.ts' },
  'quota.retry': { who: 'root', by: 'storage-away.test.ts' },
  'quota.checkpoint': { who: 'root', by: 'receipts.test.ts' },
  'logs.home': { who: 'root', by: '../storage/log-moves.long.test.ts' },
  'logs.move': { who: 'root', by: '../storage/log-moves.long.test.ts' },
  'privacy.exportSelf': { who: 'user', by: 'privacy.test.ts' },
  'privacy.export': { who: 'admin', by: 'privacy.test.ts' },
  'privacy.forget': { who: 'root', by: 'privacy.test.ts' },
  'privacy.forgetting': { who: 'admin', by: 'privacy.test.ts' },
  'backups.make': { who: 'root', by: '../cli/backup.test.ts' },
  'quota.entries': { who: 'user', by: 'receipts.test.ts' },
  'quota.entriesSelf': { who: 'user', by: 'receipts.test.ts' },
  'quota.receiptKey': { who: 'public', by: 'receipts.test.ts' },
  'quota.receipt': { who: 'user', by: 'receipts.test.ts' },
  'topups.complete': { who: 'admin', by: 'topups.test.ts' },
  'topups.cancel': { who: 'admin', by: 'topups.test.ts' },
  'topups.note': { who: 'admin', by: 'topups.test.ts' },
  'topups.list': { who: 'admin', by: 'topups.test.ts' },
  'topups.listSelf': { who: 'user', by: 'topups.test.ts' },
  'auth.loginCode': { who: 'public', by: 'second-factors.test.ts' },
  'auth.stepUp': { who: 'user', by: 'step-up.test.ts' },
  'auth.stepUpPasskey': { who: 'user', by: 'step-up.test.ts' },
  'auth.totp': { who: 'user', by: 'second-factors.test.ts' },
  'auth.totpBegin': { who: 'user', by: 'second-factors.test.ts' },
  'auth.totpConfirm': { who: 'user', by: 'second-factors.test.ts' },
  'auth.totpBackups': { who: 'user', by: 'step-up.test.ts' },
  'auth.totpRemove': { who: 'user', by: 'step-up.test.ts' },
  'auth.passkeys': { who: 'user', by: 'second-factors.test.ts' },
  'auth.passkeyBegin': { who: 'user', by: 'second-factors.test.ts' },
  'auth.passkeyAdd': { who: 'user', by: 'second-factors.test.ts' },
  'auth.passkeyRemove': { who: 'user', by: 'second-factors.test.ts' },
  'auth.passkeyAsk': { who: 'public', by: 'second-factors.test.ts' },
  'auth.passkeyLogin': { who: 'public', by: 'second-factors.test.ts' },
  'auth.providers': { who: 'public', by: 'oidc.test.ts' },
  'auth.providerList': { who: 'admin', by: 'oidc.test.ts' },
  'auth.providerCreate': { who: 'root', by: 'oidc.test.ts' },
  'auth.providerUpdate': { who: 'root', by: 'oidc.test.ts' },
  'auth.providerDelete': { who: 'root', by: 'oidc.test.ts' },
  'audit.list': { who: 'admin', by: 'accounts.test.ts' },
  'search.find': { who: 'user', by: 'search.test.ts' },
  'bodies.list': { who: 'user', by: 'bodies.test.ts' },
  'bodies.setKey': { who: 'user', by: 'bodies.test.ts' },
  'bodies.switchOff': { who: 'user', by: 'bodies.test.ts' },
  'bodies.get': { who: 'user', by: 'bodies.test.ts' },
  'bodies.delete': { who: 'user', by: 'bodies.test.ts' },
  'alerts.list': { who: 'admin', by: 'alerts.test.ts' },
  'alerts.history': { who: 'admin', by: 'alerts.test.ts' },
  'alerts.create': { who: 'admin', by: 'alerts.test.ts' },
  'alerts.update': { who: 'admin', by: 'alerts.test.ts' },
  'alerts.delete': { who: 'admin', by: 'alerts.test.ts' },
  'alerts.test': { who: 'admin', by: 'alerts.test.ts' },
  'alerts.preview': { who: 'admin', by: 'alerts.test.ts' },
  'attention.list': { who: 'user', by: 'attention.test.ts' },
  'attention.firstSteps': { who: 'admin', by: 'attention.test.ts' },
  'teams.adjust': { who: 'admin', by: 'teams.test.ts' },
  'teams.accept': { who: 'user', by: 'team-invitations.test.ts' },
  'teams.create': { who: 'user', by: 'teams.test.ts' },
  'teams.deleteView': { who: 'user', by: 'team-views.test.ts' },
  'teams.decline': { who: 'user', by: 'team-invitations.test.ts' },
  'teams.delete': { who: 'user', by: 'teams.test.ts' },
  'teams.get': { who: 'user', by: 'teams.test.ts' },
  'teams.invitations': { who: 'user', by: 'team-invitations.test.ts' },
  'teams.list': { who: 'user', by: 'teams.test.ts' },
  'teams.logs': { who: 'user', by: 'teams.test.ts' },
  'teams.putMember': { who: 'user', by: 'teams.test.ts' },
  'teams.removeMember': { who: 'user', by: 'teams.test.ts' },
  'teams.renameView': { who: 'user', by: 'team-views.test.ts' },
  'teams.shareView': { who: 'user', by: 'team-views.test.ts' },
  'teams.transfer': { who: 'user', by: 'teams.test.ts' },
  'teams.update': { who: 'user', by: 'teams.test.ts' },
  'teams.views': { who: 'user', by: 'team-views.test.ts' },
  'teams.withdraw': { who: 'user', by: 'team-invitations.test.ts' },
  'settings.testMail': { who: 'root', by: '../core/settings/try-out.test.ts' },
  'settings.readWellKnown': { who: 'root', by: '../core/settings/try-out.test.ts' },
  'topups.verifyNotice': { who: 'root', by: '../core/settings/try-out.test.ts' },
}

/** Calls that are not declared in the contract: they stream, or are answered in words of others. */
export const relayed = [
  {
    call: 'POST /pg/chat/completions {messages, stream, model, group, max_tokens, temperature}',
    who: 'user',
    by: 'playground.test.ts',
  },
  { call: 'GET /api/user/epay/notify', who: 'who has the key', by: 'topups.test.ts' },
  { call: 'POST /api/user/epay/notify', who: 'who has the key', by: 'topups.test.ts' },
  { call: 'POST /api/user/stripe/notify', who: 'who has the key', by: 'topups.test.ts' },
  { call: 'GET /api/usage/token', who: 'who has the key', by: 'billing.test.ts' },
  { call: 'GET /embed/usage?token&days&zone&theme&language', who: 'who has the token', by: 'usage-widget.test.ts' },
  { call: 'GET /api/openapi.json', who: 'everybody', by: 'api.test.ts' },
]
