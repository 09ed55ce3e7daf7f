// Price tiers on a real call: fixed at admission, decided by what was used and served, explained in the log.
import { afterEach, describe, expect, test } from 'vitest'
import { whole } from '../../support/memory-upstream.ts'
import { openRelay, QUOTA, type Relayed } from './calls.ts'

const opened: Relayed[] = []
afterEach(async () => {
  for (const { gateway } of opened.splice(0)) await gateway.close()
})

async function openWith(tiers: object): Promise<Relayed> {
  const relay = await openRelay()
  opened.push(relay)
  await setTiers(relay, tiers)
  return relay
}

const setTiers = async ({ gateway }: Relayed, tiers: object) =>
  gateway.ask(await gateway.as('root'), 'settings.update', {
    options: [{ key: 'PriceTiers', value: JSON.stringify({ 'gpt-4o': tiers }) }],
  })

const usage = (prompt_tokens: number, completion_tokens = 0) => ({ prompt_tokens, completion_tokens })

describe('a call of a model with tiers', () => {
  test('costs by the prompt that was reported, not the one that was estimated', async () => {
    const relay = await openWith({ prompt: [{ above: 1000, factor: { input: 2, output: 1.5 } }] })
    relay.gateway.upstream.reply(whole('short', usage(1000, 10)))
    await relay.run({})
    relay.gateway.upstream.reply(whole('long', usage(1001, 10)))
    // A prompt that long, so that the report is believed.
    await relay.run({ messages: [{ role: 'user', content: 'word '.repeat(1500) }] })
    const [long, short] = await relay.logs()
    expect([short?.quota, long?.quota]).toEqual([1020, 2002 + 30])
    expect(await relay.balance()).toBe(QUOTA - 1020 - 2032)
    await relay.settled()
  })

  test('costs by the tier of service that was served, and the log says which', async () => {
    const relay = await openWith({ service: { priority: 2 } })
    relay.gateway.upstream.reply(whole('x', usage(100, 50), { service_tier: 'priority' }))
    await relay.run({ service_tier: 'flex' })
    const [row] = await relay.logs()
    expect(row?.quota).toBe(400)
    expect(row?.detail).toMatchObject({ service_tier: 'priority', price_version: expect.stringMatching(/^\w+$/) })
  })

  test('costs by the moment it was admitted, also when the hour passes meanwhile', async () => {
    const relay = await openWith({ time: [{ time_zone: 'UTC', hours: [[0, 24]], factor: 0.5 }] })
    relay.gateway.upstream.reply(whole('x', usage(100, 50)))
    const call = relay.begin()
    await call.next()
    await setTiers(relay, {})
    for await (const _ of call);
    const [row] = await relay.logs()
    expect(row?.quota).toBe(100)
  })

  test('has another price version when its tiers change', async () => {
    const relay = await openWith({ service: { priority: 2 } })
    const version = async () => {
      relay.gateway.upstream.reply(whole('x', usage(1, 1)))
      await relay.run()
      return (await relay.logs())[0]?.detail.price_version
    }
    const first = await version()
    expect(await version()).toBe(first)
    await setTiers(relay, { service: { priority: 3 } })
    expect(await version()).not.toBe(first)
  })
})
