// An imported gateway continues to work: channels that can work, prices as charged at the source, settings that depend
// on each other; everything without a counterpart is reported.
import { afterEach, expect, it } from 'vitest'
import { buildNewApiPrices } from '../../core/imports/new-api/prices.ts'
import { LATER } from '../../core/imports/new-api/ratios.data.ts'
import { buildOneApiPrices } from '../../core/imports/one-api/index.ts'
import { ONE_API_RATIO } from '../../core/imports/one-api/ratios.data.ts'
import { allProviders } from '../../core/providers/index.ts'
import { declaredSettings, findDeclaration } from '../../core/settings/index.ts'
import { describeWithOwnGateway } from '../support/gateway.ts'
import { chatReply } from '../support/upstream.ts'
import { importInto, lineOf } from './import.ts'
import { newApiSource, type Rows } from './new-api-source.ts'

describeWithOwnGateway('what is carried over from another gateway', (weir) => {
  const made: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const gone of made.splice(0)) await gone()
  })
  let sources = 0
  async function bring(rows: Rows, options: { dry_run?: boolean } = {}) {
    const mark = { id: 9000 + ++sources, username: `m${sources}`, aff_code: `C${sources}${weir.rootId}` }
    const { file, gone } = await newApiSource({ ...rows, users: [mark, ...(rows.users ?? [])] })
    made.push(gone)
    return importInto(weir, file, { product: 'new-api', ...options })
  }
  const channelNamed = async (name: string) => {
    const { data } = await weir.root.client.channels.list({ p: 0, page_size: 100, id_sort: 'true' })
    return data.find((channel) => channel.name === name)
  }
  const textOf = (result: Awaited<ReturnType<typeof bring>>, kind: string, id: string) =>
    lineOf(result, kind, id)?.why.en ?? ''

  /** Is the price here the one there? */
  const isCharged = (line: string) => {
    const [there, here] = line.replace('charged there: ', '').split('; charged here: ')
    return there === here?.split('; ')[0]
  }

  /** The columns of a database of 2026 that the version is told from. */
  const OF_2026: Rows = { checkins: [{ id: 1, user_id: 1 }] }

  it('keeps the ratio of a group that users may choose here', async () => {
    await weir.set('UserUsableGroups', { default: 'Default', svip: 'Super' })
    const option = { key: 'GroupRatio', value: '{"default":1,"gold":2}' }
    const result = await bring({ options: [option] }, { dry_run: true })
    expect(textOf(result, 'option', 'GroupRatio')).toBe('users may choose svip here, so these groups keep their ratios')
  })

  it('imports groups of its own into a Weir with the default ones', async () => {
    const result = await bring({ options: [{ key: 'GroupRatio', value: '{"default":1,"gold":2}' }] })
    expect(textOf(result, 'option', 'GroupRatio')).toContain('may not choose vip')
    expect(weir.gateway.settings().GroupRatio).toEqual({ default: 1, gold: 2 })
    expect(Object.keys(weir.gateway.settings().UserUsableGroups)).toEqual(['default'])
  })

  it('is refused by no setting of ours, whichever of a pair is imported', async () => {
    const pairs = Object.entries(declaredSettings).flatMap(([key, { conflict, value }]) => {
      const read = new Set<string>()
      ;(conflict as ((own: unknown, others: (other: string) => unknown) => unknown) | undefined)?.(
        value.kind === 'flag' ? true : value.default,
        (other) => {
          read.add(other)
          return findDeclaration(other)?.value.default
        },
      )
      return [...read].map((other) => [key, other] as const)
    })
    expect(pairs.length).toBeGreaterThan(8)
    const values = (key: string) => {
      const kind = findDeclaration(key)?.value.kind
      return kind === 'flag'
        ? ['true', 'false']
        : kind === 'json'
          ? ['{"default":1}', '{"other":1}']
          : ['', 'x.example']
    }
    await weir.set('DemoSiteEnabled', true)
    const tryOption = (key: string, value: string) => {
      const row = { kind: 'option' as const, id: key, name: key, key, value }
      return weir.root.client.imports.bring({ product: 'new-api', marks: ['options'], dry_run: true, rows: [row] })
    }
    for (const key of new Set(pairs.flat()))
      for (const value of values(key)) {
        const { counts } = await tryOption(key, value)
        expect(
          counts.find(({ kind }) => kind === 'option'),
          `${key} = ${value}`,
        ).toBeDefined()
      }
    const { lines } = await tryOption('SelfUseModeEnabled', 'true')
    expect(lines.find(({ kind }) => kind === 'option')).toMatchObject({ id: 'SelfUseModeEnabled', outcome: 'left' })
  })

  it('switches off the channels that a form would refuse, of every type, and names each', async () => {
    // All that need more than a key, or less, and some of the others.
    const types = allProviders
      .filter(({ retired }) => !retired)
      .filter(({ fields: { base_url, other }, needs_key, check }, at) =>
        [base_url?.required, other?.required, !needs_key, check, at % 5 === 0].some(Boolean),
      )
      .map(({ type }) => type)
    const channels = types.map((type, at) => ({
      ...{ id: 10_000 + type, type, name: `of type ${type}`, models: 'carried-model' },
      key: at % 4 === 3 ? '' : 'k',
    }))
    const result = await bring({ channels })
    const { data } = await weir.root.client.channels.list({ p: 0, page_size: 100, id_sort: 'true' })
    for (const { id, type, name, key } of channels) {
      const form = { name: `form ${id}`, type, key, models: 'carried-model', groups: ['default'] }
      const isAccepted = await weir.root.client.channels.create(form).then(
        () => true,
        () => false,
      )
      expect(data.find((channel) => channel.name === name)?.status, name).toBe(isAccepted ? 1 : 2)
      if (!isAccepted) expect(textOf(result, 'channel', String(id)), name).toContain('switched off')
    }
  })

  it('switches off a channel without what decides where its calls go', async () => {
    const lost = {
      base_url: 'not an address',
      model_mapping: '{"a":1}',
      param_override: '[1]',
      setting: '{"proxy":"nonsense"}',
      header_override: '{"X-Caller":"{client_header:X}"}',
    }
    const cycle = { model_mapping: '{"a":"b","b":"a"}', models: 'a' }
    const operations = { param_override: '{"operations":[{"path":"top_p","mode":"delete"}]}' }
    const given = [...Object.entries(lost).map(([field, text]) => ({ [field]: text })), cycle, operations]
    const rows = given.map((fields, at) => ({ id: 20_000 + at, name: `lost ${at}`, ...fields }))
    const result = await bring({ channels: rows })
    for (const { id, name } of rows) {
      expect((await channelNamed(name))?.status, name).toBe(2)
      expect(textOf(result, 'channel', String(id)), name).toContain('switched off')
    }
  })

  it('brings the keys that are switched off inside a channel, and the headers of its calls', async () => {
    await bring({
      channels: [
        {
          id: 21_000,
          name: 'several',
          key: 'first\nsecond\nthird',
          base_url: weir.upstream.url,
          models: 'several-model',
          channel_info: JSON.stringify({
            is_multi_key: true,
            multi_key_mode: 'polling',
            multi_key_status_list: { 0: 2, 2: 3 },
            multi_key_disabled_reason: { 2: 'out of quota' },
          }),
          header_override: '{"X-Tenant":"blue"}',
        },
      ],
      options: [{ key: 'ModelRatio', value: '{"several-model":1}' }],
    })
    const ada = await weir.addCaller({ quota: 100_000 })
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 10, completion_tokens: 1 }))
    for (let call = 0; call < 3; call += 1) expect((await ada.chat({ model: 'several-model' })).status).toBe(200)
    const sent = weir.upstream.requests.slice(-3)
    expect(new Set(sent.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer second']))
    expect(sent.every(({ headers }) => headers['x-tenant'] === 'blue')).toBe(true)
  })

  it('names what has no place: columns whatever they are called, tables, expired codes, automatic groups', async () => {
    const past = Math.floor(Date.now() / 1000) - 60
    const result = await bring({
      users: [{ id: 31, username: 'Named', invented_column: 'something' }],
      channels: [{ id: 22_000, name: 'remarked', remark: 'ask Ada', settings: '{"allow_service_tier":true}' }],
      tokens: [{ id: 41, user_id: 31, key: 'T'.repeat(48), group: 'auto', invented_column: '0' }],
      redemptions: [
        { id: 51, key: 'E'.repeat(32), expired_time: past },
        { id: 52, key: 'F'.repeat(32), expired_time: past + 600 },
      ],
      logs: [{ id: 61, user_id: 31, ip: '192.0.2.1' }],
      user_subscriptions: [{ id: 71, user_id: 31, plan_id: 3, amount_total: 500, amount_used: 100, status: 'active' }],
      invented_table: [{ id: 1 }],
      options: [{ key: 'AutoGroups', value: '["vip","default"]' }],
    })
    expect(textOf(result, 'user', '31')).toContain('invented_column')
    expect(textOf(result, 'channel', '22000')).toContain('allow_service_tier')
    expect((await weir.root.client.channels.get({ id: 22_000 })).remark).toBe('ask Ada')
    expect(textOf(result, 'token', '41')).toContain('tried vip, default in turn')
    expect(textOf(result, 'token', '41')).not.toContain('invented_column')
    expect(textOf(result, 'redemption', '51')).toContain('expired at')
    const { items: codes } = await weir.root.client.redemptions.list({ p: 0, page_size: 100 })
    expect(codes.map((code) => code.expired_time)).toContain(past + 600)
    expect(textOf(result, 'subscription', '71')).toContain('400 of 500')
    expect(result.lines).toContainEqual(expect.objectContaining({ kind: 'log', id: '*', name: 'ip' }))
    expect(result.lines).toContainEqual(expect.objectContaining({ kind: 'invented_table', id: '*' }))
    const ada = await weir.addVisitor()
    const redeem = (letter: string) => ada.client.redemptions.redeem({ key: letter.repeat(32) })
    await expect(redeem('E')).rejects.toThrow()
    await redeem('F')
  })

  it('charges what new-api charged, and says so for every model', async () => {
    const models = 'gpt-4.1,claude-sonnet-4-20250514,o4-mini,priced-there,unpriced-there,dall-e-3'
    const result = await bring({
      ...OF_2026,
      channels: [{ id: 23_000, name: 'built-in', base_url: weir.upstream.url, models }],
    })
    expect(result.lines.find(({ kind }) => kind === 'source')?.name).toContain('2026-01')
    expect(textOf(result, 'price', 'gpt-4.1')).toBe(
      'charged there: $2.00 in, $4.00 out per 1M tokens (cached $0.50, cache writes $2.50); charged here: $2.00 in, $4.00 out per 1M tokens (cached $0.50, cache writes $2.50)',
    )
    expect(textOf(result, 'price', 'dall-e-3')).toContain('$0.04 per call')
    expect(textOf(result, 'price', 'unpriced-there')).toContain('charged there: no price, calls are refused')
    expect(lineOf(result, 'price', 'unpriced-there')?.outcome).toBe('left')
    const ada = await weir.addCaller({ quota: 100_000 })
    const charge = async (model: string) => {
      weir.upstream.reply(chatReply('Hello', { prompt_tokens: 100, completion_tokens: 20 }))
      const before = (await ada.balances()).quota
      expect((await ada.chat({ model })).status, model).toBe(200)
      return before - (await ada.balances()).quota
    }
    expect(await charge('gpt-4.1')).toBe(140)
    expect(await charge('claude-sonnet-4-20250514')).toBe(300)
    // Its rules name o1 and o3 alone: output costs as much as input.
    expect(await charge('o4-mini')).toBe(66)
  })

  it('charges every model that a product knows as the product did, whatever else it is called', async () => {
    const before = new Map<string, Set<string>>()
    const tablesOf2026 = new Map([['checkins', new Set(['user_id'])]])
    const units = 500_000
    const options = new Map<string, string>()
    const cases = [
      {
        product: 'new-api' as const,
        prices: buildNewApiPrices({ tables: tablesOf2026, options, units }),
        models: LATER.ModelRatio,
      },
      {
        product: 'one-api' as const,
        prices: buildOneApiPrices({ tables: before, options, units }),
        models: ONE_API_RATIO,
      },
    ]
    for (const { product, prices, models } of cases) {
      const rows = Object.keys(models).flatMap((model) => {
        const { price } = prices.state(model)
        const label = { kind: 'price' as const, id: model, name: model, notes: [] }
        return price && !model.includes('*') ? [{ ...label, price: JSON.stringify(price) }] : []
      })
      const { lines } = await weir.root.client.imports.bring({ product, marks: ['prices'], dry_run: true, rows })
      expect(lines.length).toBeGreaterThan(150)
      const isOwn = ({ why }: { why: { en: string } }) => why.en.includes('which stays')
      expect(lines.filter((line) => !isCharged(line.why.en) && !isOwn(line))).toEqual([])
    }
  })

  it("keeps the operator's options and prices before the built-in ones, and names models of unknown versions", async () => {
    await weir.set('ModelRatio', { ...weir.gateway.settings().ModelRatio, 'own-here': 3 })
    const result = await bring({
      channels: [
        {
          id: 24_000,
          name: 'options',
          header_override: '{}',
          models: 'own-there,own-here,gpt-4-0125-preview,gemini-1.5-pro-latest',
        },
      ],
      options: [
        {
          key: 'ModelRatio',
          value: '{"own-there":0.5,"own-here":1,"gpt-4-0125-preview":5,"gemini-1.5-pro-latest":1,"not-in-a-channel":2}',
        },
        { key: 'CompletionRatio', value: '{"own-there":7,"gemini-1.5-pro-latest":9}' },
      ],
    })
    const settings = weir.gateway.settings()
    expect(settings.ModelRatio).toMatchObject({ 'own-there': 0.5, 'own-here': 3, 'not-in-a-channel': 2 })
    // new-api does not let an option change the ratio of this family.
    expect(settings.CompletionRatio).toMatchObject({ 'own-there': 7, 'gemini-1.5-pro-latest': 4 })
    expect(textOf(result, 'price', 'own-here')).toMatch(/there: \$2.00 in.*here: \$6.00 in.*which stays/)
    expect(textOf(result, 'price', 'own-there')).not.toContain('may have been')
    expect(textOf(result, 'price', 'gpt-4-0125-preview')).toContain('may have been charged otherwise')
  })
})
