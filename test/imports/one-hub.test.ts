// A database of one-hub, by the tables that its version of 2025 makes: channels of its own numbers, limits in JSON, prices
// and groups as rows.
import { afterEach, expect, it } from 'vitest'
import { chatReply } from '../support/upstream.ts'
import { describeWithOwnGateway } from '../support/gateway.ts'
import { accounted, callWith, importInto, lineOf } from './import.ts'
import { newApiSource, type Rows } from './new-api-source.ts'

const TABLES = {
  users:
    'id integer primary key, username text, password text, display_name text, role integer, status integer, email text, avatar_url text, github_id text, oidc_id text, wechat_id text, telegram_id integer default 0, lark_id text, access_token char(32), quota integer, used_quota integer, request_count integer, "group" text, aff_code text, aff_count integer, aff_quota integer, aff_history integer, inviter_id integer, created_time integer, last_login_time integer, deleted_at datetime',
  channels: `id integer primary key, type integer, "key" text, status integer, name text, weight integer, created_time integer, test_time integer, response_time integer, base_url text, other text, balance real, balance_updated_time integer, models text, "group" text, tag text, used_quota integer, model_mapping text, model_headers text, custom_parameter text, priority integer, proxy text, test_model text, only_chat numeric default 0, pre_cost integer default 1, compatible_response numeric default 0, allow_extra_body numeric default 0, disabled_stream json, plugin json, deleted_at datetime`,
  tokens:
    'id integer primary key, user_id integer, "key" varchar(59), status integer, name text, created_time integer, accessed_time integer, expired_time integer, remain_quota integer, unlimited_quota numeric, used_quota integer, "group" text, backup_group text, deleted_at datetime, setting json',
  options: '"key" varchar(191) primary key, value text',
  prices:
    'model varchar(100), type text, channel_type integer, input real, output real, locked numeric, extra_ratios json',
  user_groups:
    'id integer primary key, symbol text, name text, ratio decimal(10,2), api_rate integer, public numeric, enable numeric',
  redemptions:
    'id integer primary key, user_id integer, "key" char(32), status integer, name text, quota integer, created_time integer, redeemed_time integer, used_user_id integer, deleted_at datetime',
  orders:
    'id integer primary key, user_id integer, gateway_id integer, trade_no text, gateway_no text, amount integer, order_amount decimal(10,2), order_currency text, quota integer, fee decimal(10,2), discount decimal(10,2), status text, created_at integer, updated_at integer, deleted_at datetime',
  payments: 'id integer primary key, type text, uuid text, config text',
  logs: 'id integer primary key, user_id integer, created_at integer, type integer, content text, username text, token_name text, model_name text, quota integer, prompt_tokens integer, completion_tokens integer, channel_id integer, request_time integer, is_stream numeric, source_ip text, metadata json',
  statistics: 'date text, user_id integer, channel_id integer, model_name text, request_count integer, quota integer',
  abilities: '"group" text, model text, channel_id integer, enabled numeric',
}

describeWithOwnGateway('what comes from a database of one-hub', (weir) => {
  const made: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const gone of made.splice(0)) await gone()
  })
  async function bring(rows: Rows) {
    const { file, gone } = await newApiSource(rows, TABLES)
    made.push(gone)
    return { file, result: await importInto(weir, file, { product: 'one-hub' }) }
  }
  const channels = async () => (await weir.root.client.channels.list({ p: 0, page_size: 100 })).data

  it('lets its keys go on at its prices, in its groups', async () => {
    const [plain, dashed] = ['sk-AbCdEfGhIjKlMnO_' + 'x'.repeat(43), 'sk-AbCdEfGhIjKlMnO_a-b_c-' + 'y'.repeat(37)]
    const { file, result } = await bring({
      users: [
        { id: 301, username: 'hubuser', quota: 1_000_000, group: 'gold', aff_code: 'HUB1', telegram_id: 0 },
        { id: 302, username: 'hubother', quota: 500, aff_code: 'HUB2', telegram_id: 0 },
        { id: 303, username: 'hubgone_del_abc', aff_code: 'HUB3', deleted_at: '2026-01-02 03:04:05+00:00' },
      ],
      channels: [
        {
          ...{
            id: 71,
            type: 1,
            name: 'main',
            key: 'sk-main',
            base_url: weir.upstream.url,
            group: 'default,gold',
            tag: 't',
          },
          ...{ models: 'hub-a,hub-b,hub-alias', model_mapping: '{"hub-alias":"+hub-a","hub-b":"hub-c"}' },
          ...{ model_headers: '{"X-Team":"seven"}', custom_parameter: '{"top_k":3,"overwrite":true}', pre_cost: 2 },
        },
      ],
      tokens: [
        {
          id: 801,
          user_id: 301,
          key: plain.slice(3),
          name: 'plain',
          setting:
            '{"heartbeat":{"enabled":false},"limits":{"limit_model_setting":{"enabled":true,"models":["hub-a"]},"limits_ip_setting":{"enabled":false,"whitelist":[]}}}',
        },
        { id: 802, user_id: 301, key: dashed.slice(3), name: 'dashed', backup_group: 'default' },
        {
          id: 803,
          user_id: 302,
          key: 'z'.repeat(48),
          setting: '{"limits":{"limits_ip_setting":{"enabled":true,"whitelist":["10.0.0.1"]}}}',
        },
      ],
      prices: [
        { model: 'hub-a', type: 'tokens', input: 2, output: 6, extra_ratios: '{"cached_tokens":0.25}' },
        { model: 'hub-b', type: 'times', input: 5, output: 0 },
        { model: 'hub-*', type: 'tokens', input: 1, output: 1 },
      ],
      user_groups: [
        { id: 1, symbol: 'default', name: 'Default', ratio: 1, public: 0, enable: 1 },
        { id: 2, symbol: 'gold', name: 'Gold', ratio: 0.5, public: 1, enable: 1 },
        { id: 3, symbol: 'old', name: 'Old', ratio: 9, public: 1, enable: 0 },
      ],
      options: [
        { key: 'SystemName', value: 'Our Hub' },
        { key: 'OIDCIssuer', value: 'https://id.example/' },
        { key: 'ChatLinks', value: '[{"name":"Web","url":"https://c.example/?s={server}&k={key}","show":true}]' },
        { key: 'RechargeDiscount', value: '{}' },
      ],
      redemptions: [{ id: 1, key: 'r'.repeat(32), quota: 700 }],
      orders: [
        {
          id: 1,
          user_id: 301,
          trade_no: 'hub-1',
          amount: 3,
          order_amount: 21.9,
          order_currency: 'USD',
          quota: 1_500_000,
          status: 'success',
          created_at: 1_700_000_000,
        },
        {
          id: 2,
          user_id: 301,
          trade_no: 'hub-2',
          amount: 1,
          order_amount: 7.3,
          order_currency: 'CNY',
          quota: 500_000,
          status: 'closed',
          created_at: 1_700_000_000,
        },
      ],
      payments: [{ id: 1, type: 'epay', uuid: 'u', config: '{}' }],
      logs: [
        {
          id: 1,
          user_id: 301,
          username: 'hubuser',
          token_name: 'plain',
          model_name: 'hub-a',
          quota: 33,
          request_time: 2500,
        },
      ],
    })
    for (const [kind, rows] of Object.entries({
      user: 3,
      channel: 1,
      token: 3,
      price: 3,
      redemption: 1,
      topup: 2,
      log: 1,
    }))
      expect(accounted(result, kind), kind).toBe(rows)
    const { GroupRatio, UserUsableGroups, SystemName, Chats } = weir.gateway.settings()
    expect(GroupRatio).toMatchObject({ default: 1, gold: 0.5 })
    expect([Object.hasOwn(GroupRatio, 'old'), UserUsableGroups, SystemName]).toEqual([
      false,
      { gold: 'Gold' },
      'Our Hub',
    ])
    expect(Chats).toEqual([{ Web: 'https://c.example/?s={address}&k={key}' }])
    expect(weir.gateway.settings()['oidc.well_known']).toBe('https://id.example/.well-known/openid-configuration')

    const reply = chatReply('Hello', { prompt_tokens: 100, completion_tokens: 10 })
    weir.upstream.reply(reply)
    const quota = async () => (await weir.root.client.users.search({ keyword: 'hubuser' })).items[0]?.quota ?? 0
    const charged = async (key: string, model: string) => {
      const before = await quota()
      expect(await callWith(weir.url, key, model), model).toBe(200)
      return before - (await quota())
    }
    // (100 × 2 + 10 × 6) × 0.5, and 1000 × 5 × 0.5 for a call.
    expect(await charged(plain, 'hub-a')).toBe(130)
    const { json, headers } = weir.upstream.requests.at(-1) ?? {}
    expect([json?.model, json?.top_k, headers?.['x-team']]).toEqual(['hub-a', 3, 'seven'])
    expect(await charged(dashed, 'hub-b')).toBe(2500)
    expect(weir.upstream.requests.at(-1)?.json.model).toBe('hub-c')
    expect(await callWith(weir.url, plain, 'hub-b')).toBe(403)
    expect(await callWith(weir.url, `sk-${'z'.repeat(48)}`, 'hub-a')).toBe(403)

    const whys: [kind: string, id: string, why: RegExp][] = [
      ['channel', '71', /hub-b: was charged as the model/],
      ['channel', '71', /pre_cost/],
      ['token', '802', /backup_group/],
      ['price', 'hub-*', /many models/],
      ['topup', '1', /USD/],
      ['topup', '2', /closed/],
      ['option', 'RechargeDiscount', /no such setting/],
      ['payments', '*', /no place/],
    ]
    for (const [kind, id, why] of whys) expect(lineOf(result, kind, id)?.why.en, `${kind} ${id}`).toMatch(why)
    expect((await weir.root.client.quota.verify()).ok).toBe(true)
    const again = await importInto(weir, file, { product: 'one-hub' })
    expect(again.counts.filter(({ came, changed }) => came + changed > 0)).toEqual([])
  })

  it('turns its types into ours, and switches off what has none', async () => {
    const types: Record<number, [type: number, on: boolean, more?: object, expected?: object]> = {
      3: [3, true, { base_url: 'https://r.example', other: '2024-10-21' }],
      8: [1, true, { base_url: 'https://own.example' }],
      16: [26, true],
      25: [24, true],
      26: [1, true, {}, { base_url: 'https://api.baichuan-ai.com' }],
      28: [43, true],
      32: [33, true, { key: 'us-east-1|AK|SK' }],
      35: [39, true, { key: 'account|token' }, { other: 'account' }],
      37: [1, false],
      44: [1, false],
      99: [1, false],
    }
    const { result } = await bring({
      users: [{ id: 401, username: 'hubtypes', aff_code: 'HUBT' }],
      channels: [
        ...Object.entries(types).map(([type, [, , more]]) => ({
          ...{ id: 5000 + Number(type), type: Number(type), name: `type ${type}`, models: 'x', ...more },
        })),
        { id: 6001, type: 1, name: 'by model', models: 'x', custom_parameter: '{"per_model":true,"x":{"a":1}}' },
        { id: 6002, type: 1, name: 'bad proxy', models: 'x', proxy: 'not an address' },
        { id: 6003, type: 1, name: 'gone', models: 'x', deleted_at: '2026-01-02 03:04:05+00:00' },
      ],
    })
    const named = new Map((await channels()).map((channel) => [channel.name, channel]))
    for (const [type, [ours, on, , expected = {}]] of Object.entries(types))
      expect(named.get(`type ${type}`), type).toMatchObject({ type: ours, status: on ? 1 : 2, ...expected })
    expect([named.get('by model')?.status, named.get('bad proxy')?.status, named.has('gone')]).toEqual([2, 2, false])
    expect(lineOf(result, 'channel', '6003')?.outcome).toBe('left')
    const stored = await weir.gateway.ports.storage.channels.find(named.get('type 32')?.id ?? 0)
    expect(stored?.key).toBe('AK|SK|us-east-1')
  })

  it('is told apart from its relatives', async () => {
    const { file } = await bring({ users: [{ id: 402, username: 'hubname', aff_code: 'HUBN' }] })
    for (const product of ['one-api', 'new-api', 'litellm', 'bifrost'] as const)
      await expect(importInto(weir, file, { product }), product).rejects.toThrow('weir import one-hub')
  })
})
