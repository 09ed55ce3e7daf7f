// Calls that nobody pays for, of a caller without any balance or with one: the estimate of a call, and the count of a prompt.
import { afterEach, expect, it } from 'vitest'
import { openaiResponses } from '../../../core/index.ts'
import { MODEL, openRelay, QUOTA, type Relayed } from './calls.ts'

const opened: Relayed[] = []
const open = async (given: Parameters<typeof openRelay>[0] = {}) => {
  const relay = await openRelay(given)
  opened.push(relay)
  return relay
}
afterEach(async () => {
  for (const { gateway } of opened.splice(0)) await gateway.close()
})

it('an estimate names itself, its model and price, and the channels in their order', async () => {
  const { gateway, callOf, balance, settled } = await open({
    channels: [{ name: 'first' }, { name: 'second' }],
    quota: 0,
  })
  const { prompt_tokens, price, ...rest } = await gateway.estimateCall(callOf({ max_tokens: 10 }))
  expect(prompt_tokens).toBeGreaterThan(0)
  expect(price).toMatchObject({ model_ratio: 1, completion_ratio: 2 })
  const inDollars = (quota: number) => ({ quota, usd: quota / 500_000 })
  expect(rest).toEqual({
    ...{ object: 'estimate', model: MODEL, group: 'default', group_ratio: 1 },
    // Read from a cache the prompt costs half, written for an hour twice as much; a token of an answer costs two.
    least: inDollars(Math.ceil(prompt_tokens / 2)),
    most: inDollars(prompt_tokens * 2 + 20),
    channels: [
      { id: 1, priority: 0 },
      { id: 2, priority: -1 },
    ],
  })
  expect(gateway.upstream.requests).toEqual([])
  expect(await balance()).toBe(0)
  await settled()
})

it('a count leaves a row of 0 quota, with its tokens and the seconds that it took', async () => {
  const { gateway, callOf, balance, caller, settled } = await open()
  const counted = { object: 'response.input_tokens', input_tokens: 321 }
  gateway.upstream.reply(() => {
    gateway.clock.advance(2_400)
    return { headers: { 'content-type': 'application/json' }, parts: [JSON.stringify(counted)] }
  })
  const body = new TextEncoder().encode(JSON.stringify({ model: MODEL, input: 'Hello' }))
  const { estimated } = await gateway.countPrompt(callOf({}, { inbound: openaiResponses, body }))
  expect(estimated).toBe(false)
  const { items } = await gateway.storage.logs.list({ user_id: caller.user.id }, { offset: 0, limit: 10 })
  expect(items.filter(({ other }) => other.includes('"count"'))).toMatchObject([
    { quota: 0, prompt_tokens: 321, completion_tokens: 0, use_time: 2, model_name: MODEL, token_name: 'laptop' },
  ])
  expect(await balance()).toBe(QUOTA)
  await settled()
})
