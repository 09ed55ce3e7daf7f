// Prices by the API: listed with their source, set one at a time, compared with a catalogue, applied by choice, undone.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithOwnGateway } from '../support/gateway.ts'
import { Refused, type Visitor } from '../support/server.ts'
import { chatReply } from '../support/upstream.ts'

/** Elsewhere: answers a list of prices, or whatever it is told. */
let answer: RequestListener = (_, response) => response.end()
const elsewhere = createServer((request, response) => answer(request, response))
let address = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/api.json?key=secret`
})
afterAll(() => elsewhere.close())

const codeOf = async (asking: Promise<unknown>) => {
  const refusal = await asking.then(
    () => null,
    (error: unknown) => error,
  )
  return refusal instanceof Refused ? refusal.code : refusal
}

const listOf = (models: Record<string, object>) =>
  JSON.stringify({
    data: Object.entries(models).map(([model_name, fields]) => ({ model_name, quota_type: 0, ...fields })),
  })
const usdOf = ({ prices }: { prices: { component: string; usd: number }[] }) =>
  Object.fromEntries(prices.map(({ component, usd }) => [component, usd]))

describeWithOwnGateway('prices', (weir) => {
  const prices = (as: Visitor = weir.root) => as.client.prices
  const row = async (model: string) =>
    (await prices().list({ keyword: model, all: 'true' })).find((each) => each.model === model)!

  it('are listed with where they come from', async () => {
    await weir.addChannel({ models: 'gpt-4o-mini,gpt-5-high,set-here,unpriced' })
    await prices().set({ model: 'set-here', price: { model_ratio: 1, completion_ratio: 3 } })
    const rows = await prices().list({})
    expect(rows.map(({ model, source, as, served }) => [model, source, as, served])).toEqual([
      ['gpt-4o-mini', 'default', '', true],
      ['gpt-5-high', 'family', 'gpt-5', true],
      ['set-here', 'own', '', true],
      ['unpriced', 'none', '', true],
    ])
    expect(usdOf(rows[2]!)).toMatchObject({ input: 2, output: 6 })
    expect((await prices().list({ all: 'true' })).length).toBeGreaterThan(500)
    expect((await prices().missing()).filter(({ served }) => served)).toEqual([
      { model: 'unpriced', served: true, users: 0, calls: 0, charged: 0 },
    ])
    await prices().remove({ model: 'set-here' })
    expect(await codeOf(prices().remove({ model: 'set-here' }))).toBe('prices.missing')
  })

  it('are set in one call, in dollars or as ratios, and what is not said stays', async () => {
    const { ModelRatio } = weir.gateway.settings()
    await prices().set({
      model: 'mine',
      usd: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75, cache_write_1h: 7.5 },
    })
    const after = weir.gateway.settings()
    expect(after.ModelRatio).toEqual({ ...ModelRatio, mine: 1.5 })
    expect([after.CompletionRatio.mine, after.CacheRatio.mine, after.CreateCacheRatio.mine]).toEqual([5, 0.1, 1.25])
    expect(after.PriceTiers.mine).toEqual({ cache: { '1h': 2 } })
    const raised = await prices().set({ model: 'mine', usd: { input: 6 } })
    expect(raised.price).toMatchObject({ model_ratio: 3, completion_ratio: 5, cache_ratio: 0.1 })
    const fixed = await prices().set({ model: 'mine', price: { model_price: 0.04 } })
    expect(fixed.price).toMatchObject({ model_price: 0.04 })
    expect(Object.hasOwn(weir.gateway.settings().ModelRatio, 'mine')).toBe(false)
    expect(Object.hasOwn(weir.gateway.settings().CompletionRatio, 'mine')).toBe(false)
    await prices().remove({ model: 'mine' })
    expect(weir.gateway.settings().ModelRatio).toEqual(ModelRatio)
    // A model that is priced under another's name takes its cache along.
    const high = await prices().set({ model: 'gpt-5-high', usd: { input: 2.5 } })
    expect(high).toMatchObject({ source: 'own', price: { model_ratio: 1.25, completion_ratio: 8, cache_ratio: 0.1 } })
    await prices().remove({ model: 'gpt-5-high' })
    for (const [bad, code] of [
      [{ model: 'mine' }, 'prices.one_form'],
      [{ model: 'mine', usd: { input: 1 }, price: { model_ratio: 1 } }, 'prices.one_form'],
      [{ model: 'mine', usd: {} }, 'prices.dollars'],
      [{ model: 'mine', usd: { input: 0, output: 1 } }, 'prices.dollars'],
      [{ model: 'mine', price: { cache_ratio: 1 } }, 'setting.price_kind'],
      [{ model: '__proto__', usd: { input: 1 } }, 'prices.name'],
      [{ model: 'gpt-*', usd: { input: 1 } }, 'prices.name'],
      [{ model: 'mine', channel: 'seven', usd: { input: 1 } }, 'setting.price_channel'],
    ] as const) {
      expect(await codeOf(prices().set(bad)), JSON.stringify(bad)).toBe(code)
    }
  })

  it('are set by administrators, and what is bought by the super administrator alone', async () => {
    const [user, admin] = [await weir.addVisitor(), await weir.addVisitor({ patch: { role: 10 } })]
    expect(await codeOf(prices(user).list({}))).toBe('access.forbidden')
    await prices(admin).set({ model: 'theirs', usd: { input: 1 } })
    const bought = { model: 'theirs', channel: 'type:1', usd: { input: 0.5 } }
    expect(await codeOf(prices(admin).set(bought))).toBe('setting.root_only')
    expect(await prices().set(bought)).toMatchObject({ channel: 'type:1', source: 'own', price: { model_ratio: 0.25 } })
    expect((await prices(admin).list({ bought: 'true' })).map(({ channel, model }) => [channel, model])).toEqual([
      ['type:1', 'theirs'],
    ])
    await prices().remove({ model: 'theirs', channel: 'type:1' })
    expect(weir.gateway.settings().ChannelPrice).toEqual({})
    const { items } = await prices(admin).history({ model: 'theirs' })
    expect(items.map(({ username, channel, from, to, source }) => [username, channel, from, to, source])).toEqual([
      ['root', 'type:1', { model_ratio: 0.25 }, null, 'own'],
      ['root', 'type:1', null, { model_ratio: 0.25 }, 'own'],
      [admin.user.username, '', null, { model_ratio: 0.5 }, 'own'],
    ])
    expect((await prices().history({ model: 'theirs', channel: 'type:1' })).total).toBe(2)
    await prices().remove({ model: 'theirs' })
  })

  it('are compared with a list, and change by choice alone; what has changed since is not overwritten; all of it can be undone', async () => {
    await weir.addChannel({ models: 'gpt-4o-mini,gpt-4o,newcomer,alone' })
    await prices().set({ model: 'alone', usd: { input: 1, output: 1 } })
    const usage = { prompt_tokens: 1000, completion_tokens: 500, prompt_tokens_details: { cached_tokens: 800 } }
    weir.upstream.reply(chatReply('Hello', usage))
    const ada = await weir.addCaller({ quota: 10_000_000 })
    for (let call = 0; call < 3; call += 1) await ada.chat()
    const charged = 3 * weir.due({ prompt: 1000, cached: 800, completion: 500 })
    // The ratio is doubled, the rest is as it is.
    const { ModelRatio, CompletionRatio } = weir.gateway.settings()
    const file = listOf({
      'gpt-4o-mini': {
        model_ratio: ModelRatio['gpt-4o-mini']! * 2,
        completion_ratio: CompletionRatio['gpt-4o-mini'] ?? 4,
      },
      'gpt-4o': { model_ratio: ModelRatio['gpt-4o'], completion_ratio: CompletionRatio['gpt-4o'] ?? 4 },
      ...{ newcomer: { model_ratio: 1, completion_ratio: 2 }, elsewhere: { model_ratio: 1 } },
    })
    // Where cached tokens cost what others do, the cached ones of these bills would have.
    const uncached = listOf({
      'gpt-4o-mini': {
        model_ratio: ModelRatio['gpt-4o-mini'],
        cache_ratio: 1,
        completion_ratio: CompletionRatio['gpt-4o-mini'] ?? 4,
      },
    })
    const plainly = (await prices().preview({ file: uncached, models: ['gpt-4o-mini'] })).data[0]
    expect(plainly).toMatchObject({ charged, would_charge: 3 * weir.due({ prompt: 1000, completion: 500 }) })
    const before = await weir.gateway.ports.storage.settings.all()
    const { data, source, shape, skipped } = await prices().preview({ file })
    expect([source, shape, skipped]).toEqual(['file', 'pricing', []])
    const statuses = Object.fromEntries(data.map(({ model, status }) => [model, status]))
    expect(statuses).toMatchObject({ alone: 'only_here', 'gpt-4o': 'same', 'gpt-4o-mini': 'changed', newcomer: 'new' })
    expect(statuses).not.toHaveProperty('elsewhere')
    expect((await prices().preview({ file, all: true })).data.map(({ model }) => model)).toContain('elsewhere')
    const changed = data.find(({ model }) => model === 'gpt-4o-mini')!
    expect(changed).toMatchObject({ users: 1, calls: 3, charged, would_charge: charged * 2 })
    expect(changed.differs).toEqual(expect.arrayContaining(['input', 'output', 'cache_read']))
    expect(plainly!.differs).toEqual(['cache_read'])
    expect(usdOf({ prices: changed.now }).input).toBe(ModelRatio['gpt-4o-mini']! * 2)
    expect(usdOf({ prices: changed.there }).input).toBe(ModelRatio['gpt-4o-mini']! * 4)
    expect(await weir.gateway.ports.storage.settings.all()).toEqual(before)

    const chosen = data.filter(({ model }) => ['gpt-4o-mini', 'newcomer'].includes(model))
    const changes = chosen.map(({ model, version: seen, to }) => ({ model, version: seen, price: to }))
    // Somebody is quicker.
    await prices().set({ model: 'newcomer', usd: { input: 9 } })
    expect(await codeOf(prices().apply({ source, changes }))).toBe('prices.changed')
    expect(weir.gateway.settings().ModelRatio).toEqual({ ...ModelRatio, newcomer: 4.5 })
    await prices().remove({ model: 'newcomer' })
    const applied = await prices().apply({ source, changes })
    expect(applied.map(({ model, source: from }) => [model, from])).toEqual([
      ['gpt-4o-mini', 'own'],
      ['newcomer', 'own'],
    ])
    expect(weir.gateway.settings().ModelRatio).toEqual({
      ...ModelRatio,
      newcomer: 1,
      'gpt-4o-mini': ModelRatio['gpt-4o-mini']! * 2,
    })
    const again = Object.fromEntries(
      (await prices().preview({ file })).data.map(({ model, status }) => [model, status]),
    )
    expect(again).toMatchObject({ 'gpt-4o-mini': 'same', newcomer: 'same' })

    const audited = await weir.root.client.audit.list({ action: 'price.change', target: 'gpt-4o-mini' })
    expect(JSON.parse(audited.items[0]!.after)).toMatchObject({ model_ratio: ModelRatio['gpt-4o-mini']! * 2 })
    for (const model of ['gpt-4o-mini', 'newcomer']) {
      const [last] = (await prices().history({ model })).items
      expect(last).toMatchObject({ source: 'file', username: 'root' })
      await prices().undo({ change: last!.id })
    }
    expect(weir.gateway.settings().ModelRatio).toEqual(ModelRatio)
    await prices().remove({ model: 'alone' })
    expect(await row('gpt-4o-mini')).toMatchObject({ source: 'default' })
  })

  it('are put back as they were before a change, where none came later', async () => {
    await prices().set({ model: 'undone', usd: { input: 1 } })
    await prices().set({ model: 'undone', usd: { input: 2 } })
    await prices().set({ model: 'undone', channel: 'type:1', usd: { input: 0.5 } })
    const input = async () => usdOf(await row('undone')).input
    const history = async (channel = '') =>
      (await prices().history({ model: 'undone' })).items.filter((change) => change.channel === channel)
    const [second, first] = await history()
    const refusal = await prices()
      .undo({ change: first!.id })
      .catch((error: Refused) => error)
    expect(refusal).toMatchObject({ code: 'prices.later_change', message: expect.stringContaining(`${second!.id}`) })
    expect(await input()).toBe(2)
    // What it is bought for is a price of its own.
    expect(await prices().undo({ change: second!.id })).toMatchObject({ model: 'undone', source: 'own' })
    expect(await input()).toBe(1)
    const [undone] = await history()
    expect(undone).toMatchObject({ source: `undo ${second!.id}`, from: { model_ratio: 1 }, to: { model_ratio: 0.5 } })
    expect([undone!.was, undone!.became].map((prices) => usdOf({ prices }).input)).toEqual([2, 1])
    // An undo is a change, which can be undone.
    await prices().undo({ change: undone!.id })
    expect(await input()).toBe(2)
    expect(await codeOf(prices().undo({ change: first!.id }))).toBe('prices.later_change')
    expect(await prices().undo({ change: first!.id, force: true })).toMatchObject({ source: 'none' })
    expect(await history()).toHaveLength(5)
    const [bought] = await history('type:1')
    const admin = await weir.addVisitor({ patch: { role: 10 } })
    expect(await codeOf(prices(admin).undo({ change: bought!.id }))).toBe('setting.root_only')
    await prices().undo({ change: bought!.id })
    expect(weir.gateway.settings().ChannelPrice).toEqual({})
    expect(await codeOf(prices().undo({ change: 9_999_999 }))).toBe('prices.change_missing')
  })

  it('are compared with the catalogue that comes with Weir', async () => {
    await weir.addChannel({ models: 'gpt-4o-mini,claude-sonnet-4-5,gpt-5-high,own-model' })
    const { data, source, shape } = await prices().preview({})
    expect([source, shape]).toEqual(['builtin', 'builtin'])
    const of = (model: string) => data.find((each) => each.model === model)!
    expect(of('gpt-4o-mini')).toMatchObject({ status: 'same', provider: 'openai', as: '' })
    expect(of('gpt-4o-mini').date).toMatch(/^2026-/)
    expect(of('claude-sonnet-4-5')).toMatchObject({ status: 'same', context: 200_000 })
    expect(of('gpt-5-high')).toMatchObject({ as: 'gpt-5', status: 'same' })
    expect(of('own-model')).toMatchObject({ status: 'only_here', there: [], to: null })
  })

  it('are fetched where that is asked for, by the rules of outgoing addresses', async () => {
    const preview = (more: object = {}) => prices().preview({ address, models: ['gpt-4o-mini'], ...more })
    answer = (_, response) => response.end(listOf({ 'gpt-4o-mini': { model_ratio: 9 } }))
    expect(await codeOf(preview())).toBe('web.refused')
    await weir.set('AllowedNetworks', '["127.0.0.0/8"]')
    const { data, source } = await preview()
    expect(source).toBe(address.replace('?key=secret', ''))
    expect(data[0]).toMatchObject({ model: 'gpt-4o-mini', status: 'changed' })
    expect(await codeOf(preview({ file: '{}' }))).toBe('prices.one_source')
    answer = (_, response) => response.writeHead(404).end('{}')
    expect(await codeOf(preview())).toBe('prices.address_status')
    answer = (_, response) => response.end('<html>')
    expect(await codeOf(preview())).toBe('prices.not_json')
    answer = (_, response) => response.end(Buffer.alloc(17 * 1024 * 1024, 32))
    expect(await codeOf(preview())).toBe('web.too_large')
    answer = (request) => request.socket.destroy()
    expect(await codeOf(preview())).toBe('web.failed')
    expect(await codeOf(prices().preview({ address: 'file:///etc/passwd' }))).toBe('web.refused')
    expect(await codeOf(prices().preview({ address: 'http://169.254.169.254/' }))).toBe('web.refused')
  })
})
