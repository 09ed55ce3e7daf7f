// The examples of vendors' documentation, played as their answers to calls through channels of their types.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { openTestGateway, type TestGateway } from '../support/gateway.ts'
import { recordingsHere } from '../support/recordings.ts'
import { page, PAGE } from './channel-types.ts'
import { documented, type Documented } from './documented.ts'

describe('a documented answer', () => {
  let weir: TestGateway
  let ada: Caller
  beforeAll(async () => {
    weir = await openTestGateway()
    await weir.set('SelfUseModeEnabled', true)
    ada = await weir.addCaller({ quota: 1_000_000_000_000 })
  }, 60_000)
  afterAll(() => weir.close())

  async function channelOf({ type, model = weir.model, channel }: Documented): Promise<string> {
    const name = `${type}-${Math.random().toString(36).slice(2)}`
    await weir.addChannel({ type, models: name, model_mapping: JSON.stringify({ [name]: model }), ...channel })
    return name
  }
  function play({ reply }: Documented): void {
    weir.upstream.requests.splice(0)
    // Where a key is exchanged for a token first.
    const token = { body: { access_token: 'a token', expires_in: 2_592_000 } }
    weir.upstream.reply(({ path }) => (path.startsWith('/oauth/2.0/token?') ? token : reply))
  }
  const messages = [{ role: 'user' as const, content: 'Hello' }]
  const asked = () => weir.upstream.requests.at(-1)
  const named = (shows: Documented['shows'][]) =>
    documented.filter((one) => shows.includes(one.shows)).map((one) => [`${one.type}: ${one.page}`, one] as const)

  it.each(named(['an answer', 'a stream']))('of type %s', async (_, one) => {
    const model = await channelOf(one)
    play(one)
    const { choices } = await ada.openai.chat.completions.create({ model, messages })
    expect(choices[0]!.message.content).toBe(one.says)
    expect(asked()).toMatchObject(one.asked)
    const [row] = await ada.logs()
    expect([row!.prompt_tokens, row!.completion_tokens]).toEqual(one.usage)
    expect(row!.quota).toBeGreaterThan(0)

    // And to a caller who wants a stream, whatever the provider does.
    play(one)
    let text = ''
    const stream = await ada.openai.chat.completions.create({ model, messages, stream: true })
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
    expect(text).toBe(one.says)
  })

  it.each(named(['a refusal']))('of type %s', async (_, one) => {
    const model = await channelOf(one)
    const before = (await ada.balances()).quota
    for (const stream of [false, true]) {
      play(one)
      await expect(ada.openai.chat.completions.create({ model, messages, stream })).rejects.toMatchObject({
        status: one.status,
        message: expect.stringContaining(String(one.says)),
      })
      expect(asked()).toMatchObject(one.asked)
    }
    expect((await ada.balances()).quota).toBe(before)
  })

  it.each(named(['a balance']))('of type %s', async (_, one) => {
    const { id } = await weir.addChannel({ type: one.type, models: 'm', ...one.channel })
    play(one)
    const { balance } = await weir.root.client.channels.updateBalance({ id })
    expect(balance).toBeCloseTo(Number(one.says))
    expect(asked()).toMatchObject(one.asked)
  })
})

it.skipIf(!recordingsHere)('the page of channel types tells what was verified', async () => {
  expect(readFileSync(PAGE, 'utf8'), 'run npx tsx test/providers/channel-types.ts').toBe(await page())
})
