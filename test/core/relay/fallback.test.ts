// Models to fall back on: when they are tried, what they cost, and what the caller sees of it.
import { afterEach, describe, expect, test } from 'vitest'
import { listFallbackModels } from '../../../core/relay/model-candidates.ts'
import { refusal, whole } from '../../support/memory-upstream.ts'
import { openRelay, QUOTA, type Relayed } from './calls.ts'

const opened: Relayed[] = []
const USAGE = { prompt_tokens: 100, completion_tokens: 50 }

/** Channel 1 serves gpt-4o (input 1, output 2), channel 2 serves "cheap", channel 3 "dear" (10 and 20). */
async function open(given: { own?: string; group?: Record<string, string[]>; quota?: number } = {}) {
  const relay = await openRelay({
    channels: [{}, { models: 'cheap' }, { models: 'dear' }],
    ...(given.quota === undefined ? {} : { quota: given.quota }),
  })
  opened.push(relay)
  const { gateway, caller } = relay
  const options = [
    { key: 'ModelRatio', value: '{"gpt-4o": 1, "cheap": 0.5, "dear": 10}' },
    { key: 'CompletionRatio', value: '{"gpt-4o": 2, "cheap": 2, "dear": 2}' },
    { key: 'FallbackModels', value: JSON.stringify({ default: given.group ?? {} }) },
    { key: 'PreConsumedQuota', value: '100' },
  ]
  await gateway.ask(await gateway.as('root'), 'settings.update', { options })
  caller.token = { ...caller.token!, fallback_models: given.own ?? '' }
  gateway.upstream.reply(({ json }) => (json.model === 'gpt-4o' ? refusal(500, 'down') : whole('Hello', USAGE)))
  return relay
}
afterEach(async () => {
  for (const { gateway } of opened.splice(0)) await gateway.close()
})
const asked = ({ gateway }: Relayed) => gateway.upstream.requests.map(({ json }) => json.model)

describe('fallback models', () => {
  test('answer when every channel of the model failed: at their own price, and the caller is told', async () => {
    const relay = await open({ own: 'cheap' })
    const { error, head, text } = await relay.run()
    expect(error).toBeUndefined()
    expect(text).toContain('Hello')
    expect(head?.headers).toMatchObject({ 'x-weir-model': 'cheap', 'x-weir-fallback': 'gpt-4o' })
    expect(asked(relay)).toEqual(['gpt-4o', 'cheap'])
    const [log] = await relay.logs()
    expect(log).toMatchObject({ model_name: 'cheap', channel: 2, quota: 100, detail: { fallback_from: 'gpt-4o' } })
    expect(log?.detail.admin_info).toMatchObject({ use_channel: ['1', '2'] })
    expect(await relay.balance()).toBe(QUOTA - 100)
    await relay.settled()
  })

  test('are declared for a group, and a token goes by its own', async () => {
    const byGroup = await open({ group: { 'gpt-4o': ['cheap'] } })
    await byGroup.run()
    expect(asked(byGroup)).toEqual(['gpt-4o', 'cheap'])
    const own = await open({ own: 'missing, dear', group: { 'gpt-4o': ['cheap'] } })
    expect((await own.run()).head?.headers).toMatchObject({ 'x-weir-model': 'dear' })
    const none = await open()
    expect((await none.run()).error).toMatchObject({ failure: { status: 500, message: 'down' } })
  })

  test('answer for a model that no channel serves', async () => {
    const relay = await open({ own: 'cheap' })
    const { head, error } = await relay.run({ model: 'gpt-unknown' })
    expect(error).toBeUndefined()
    expect(head?.headers).toMatchObject({ 'x-weir-model': 'cheap', 'x-weir-fallback': 'gpt-unknown' })
    const nowhere = await open({ own: 'gone' })
    expect((await nowhere.run({ model: 'gpt-unknown' })).error).toMatchObject({ code: 'model.missing' })
  })

  test('that are dearer are held for first; who cannot pay them is told why the model failed', async () => {
    const rich = await open({ own: 'dear' })
    expect((await rich.run()).error).toBeUndefined()
    expect(await rich.balance()).toBe(QUOTA - 2000)
    await rich.settled()
    // Enough for gpt-4o (110 held) but not for dear (1100), so that the cheap one answers.
    const poor = await open({ own: 'dear,cheap', quota: 150 })
    expect((await poor.run()).head?.headers).toMatchObject({ 'x-weir-model': 'cheap' })
    await poor.settled()
    const stuck = await open({ own: 'dear', quota: 150 })
    expect((await stuck.run()).error).toMatchObject({ failure: { message: 'down' } })
    expect(await stuck.balance()).toBe(150)
    expect(asked(stuck)).toEqual(['gpt-4o'])
    await stuck.settled()
  })

  test('are no way around a refusal: neither of the request nor of the caller', async () => {
    const relay = await open({ own: 'cheap' })
    relay.gateway.upstream.reply(() => refusal(400, 'bad request'))
    expect((await relay.run()).error).toMatchObject({ failure: { status: 400 } })
    expect(asked(relay)).toEqual(['gpt-4o'])
    const limited = await open({ own: 'cheap' })
    limited.caller.token = { ...limited.caller.token!, model_limits_enabled: true, model_limits: 'gpt-4o' }
    expect((await limited.run()).error).toMatchObject({ failure: { status: 500 } })
    expect(asked(limited)).toEqual(['gpt-4o'])
    expect((await limited.run({ model: 'dear' })).error).toMatchObject({ code: 'model.not_allowed' })
  })

  test('answer where a provider refuses a request that another may take', async () => {
    const relay = await open({ own: 'cheap' })
    await relay.gateway.storage.channels.update(1, { type: 14 })
    await relay.gateway.storage.announce({ topic: 'channels', id: 0 })
    relay.gateway.upstream.reply(({ host }) =>
      host === 'p1.test' ? refusal(400, 'bad request') : whole('Hello', USAGE),
    )
    expect((await relay.run()).head?.headers).toMatchObject({ 'x-weir-model': 'cheap' })
    expect(asked(relay)).toEqual(['gpt-4o', 'cheap'])
  })

  test('are read from plain lists', () => {
    const tables = { FallbackModels: { default: { a: ['b', 'a', 'c'] } } }
    const own = (fallback_models: string) => ({ fallback_models })
    expect(listFallbackModels('a', 'default', own(''), tables)).toEqual(['b', 'c'])
    expect(listFallbackModels('b', 'default', own(''), tables)).toEqual([])
    expect(listFallbackModels('constructor', 'toString', own(''), tables)).toEqual([])
    expect(listFallbackModels('a', 'default', own('x, a ,,y'), tables)).toEqual(['x', 'y'])
    expect(listFallbackModels('a', 'default', own('1,2,3,4,5,6,7'), tables)).toHaveLength(5)
  })
})
