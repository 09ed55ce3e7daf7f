// Prices before they are set: who says each number, a whole price at once, and what a change would mean for the bills.
import { expect, it } from 'vitest'
import { SUMMED_MEASURES, getSlotStart } from '../../core/usage/sums.ts'
import { describeWithOwnGateway } from '../support/gateway.ts'
import { Refused } from '../support/server.ts'
import { chatReply } from '../support/upstream.ts'

const codeOf = (asking: Promise<unknown>) =>
  asking.then(
    () => null,
    (error: unknown) => (error instanceof Refused ? error.code : error),
  )
const usdOf = ({ prices }: { prices: { component: string; usd: number }[] }) =>
  Object.fromEntries(prices.map(({ component, usd }) => [component, usd]))

describeWithOwnGateway('a price', (weir) => {
  const prices = () => weir.root.client.prices
  const row = async (model: string) =>
    (await prices().list({ keyword: model, all: 'true' })).find((each) => each.model === model)!

  it('is told with who says each number, and set as a whole in dollars, with what dollars cannot say', async () => {
    await prices().set({
      model: 'whole',
      usd: { input: 2, output: 8, cache_read: 0.2, cache_write_1h: 5 },
      price: { tools: { web_search: 25 }, tiers: { prompt: [{ above: 1000, factor: 2 }] } },
    })
    const first = await row('whole')
    expect(first.dollars).toEqual({ input: 2, output: 8, cache_read: 0.2, cache_write_1h: 5 })
    expect(first.said).toEqual({
      ...{ model_ratio: 1, completion_ratio: 4, cache_ratio: 0.1, tools: { web_search: 25 } },
      tiers: { prompt: [{ above: 1000, factor: 2 }], cache: { '1h': 2 } },
    })
    const sayers = ({ prices }: typeof first) =>
      Object.fromEntries(prices.map(({ component, set_by }) => [component, set_by]))
    expect(sayers(first)).toMatchObject({ input: 'own', cache_write: 'rule', cache_write_1h: 'own' })
    // What is left out goes.
    const second = await prices().set({ model: 'whole', usd: { input: 3 }, whole: true, version: first.version })
    expect(second).toMatchObject({ dollars: { input: 3 }, said: { model_ratio: 1.5 } })
    expect(second.said).toEqual({ model_ratio: 1.5 })
    expect(sayers(second)).toMatchObject({ input: 'own', output: 'rule', cache_read: 'rule' })
    const late = prices().set({ model: 'whole', usd: { input: 4 }, whole: true, version: first.version })
    expect(await codeOf(late)).toBe('prices.changed')
    await prices().remove({ model: 'whole' })
    await weir.addChannel({ models: 'gpt-5-high' })
    expect(sayers(await row('gpt-4o-mini'))).toMatchObject({ input: 'default', cache_read: 'default' })
    const like = await row('gpt-5-high')
    expect(sayers(like)).toMatchObject({ input: 'family', cache_read: 'family' })
    expect(like.dollars).toMatchObject({ input: 1.25, cache_read: 0.125 })
    expect(await codeOf(prices().set({ model: 'whole', usd: { input: 1 }, price: { cache_ratio: 1 } }))).toBe(
      'prices.one_form',
    )
  })

  it('is tried on the bills of some days before it is set, with the models that follow; nothing changes', async () => {
    await weir.addChannel({ models: 'gpt-5,gpt-5-high,gpt-4o-mini' })
    const usage = { prompt_tokens: 1000, completion_tokens: 100 }
    weir.upstream.reply(chatReply('Hello', usage))
    const ada = await weir.addCaller({ quota: 10_000_000 })
    for (const model of ['gpt-5', 'gpt-5-high', 'gpt-5-high']) await ada.chat({ model })
    const before = await weir.gateway.ports.storage.settings.all()
    const { dollars, version } = await row('gpt-5')
    const tried = async (change: object, days = 7) =>
      (await prices().preview({ changes: [{ model: 'gpt-5', ...change }], days })).data
    const doubled = await tried({ usd: { input: dollars.input! * 2 } })
    expect(doubled.map(({ model, calls, would_charge, charged }) => [model, calls, would_charge / charged])).toEqual([
      ['gpt-5', 1, 2],
      ['gpt-5-high', 2, 2],
    ])
    expect(doubled[0]).toMatchObject({ status: 'changed', version, to: { model_ratio: 1.25 } })
    expect(usdOf({ prices: doubled[1]!.there }).input).toBe(dollars.input! * 2)
    // The same in other words is no change.
    expect(await tried({ usd: dollars, whole: false })).toMatchObject([{ model: 'gpt-5', status: 'same', differs: [] }])
    // The price of its dated name is left, and costs the same.
    const freed = await tried({ price: null })
    expect(freed.map(({ model, there, to }) => [model, usdOf({ prices: there }).input, to])).toEqual([
      ['gpt-5', dollars.input, null],
    ])
    expect(await weir.gateway.ports.storage.settings.all()).toEqual(before)
    // What was used before those days is no part of them.
    const counts = SUMMED_MEASURES.map((name) => ({ calls: 5, quota: 400, prompt_tokens: 300 })[name] ?? 0)
    const slot = getSlotStart(Math.floor(Date.now() / 1000) - 8 * 24 * 3600)
    const of = { user_id: 1, token_id: 1, channel_id: 1, group: 'default', model_name: 'gpt-5' }
    await weir.gateway.ports.storage.usage.add([{ ...of, slot, counts }])
    expect((await tried({ usd: { input: 9 } }))[0]!.calls).toBe(1)
    expect((await tried({ usd: { input: 9 } }, 30))[0]).toMatchObject({ calls: 6, users: 2 })
    for (const [bad, code] of [
      [{ changes: [{ model: 'gpt-5' }] }, 'prices.one_form'],
      [{ changes: [{ model: 'gpt-5', usd: {} }] }, 'prices.dollars'],
      [{ changes: [{ model: 'gpt-*', usd: { input: 1 } }] }, 'prices.name'],
      [{ changes: [{ model: 'gpt-5', usd: { input: 1 } }], file: '{}' }, 'prices.one_source'],
    ] as const)
      expect(await codeOf(prices().preview({ ...bad, changes: [...bad.changes] })), JSON.stringify(bad)).toBe(code)
  })
})
