// Channels that mend requests: one that exceeds the limits of its format is written anew within them, any other is sent
// as it is; what the operator sets is in both.
import { afterEach, describe, expect, it } from 'vitest'
import { whole } from '../../support/memory-upstream.ts'
import { MODEL, openRelay, type Relayed } from './calls.ts'

const opened: Relayed[] = []
afterEach(async () => {
  for (const { gateway } of opened.splice(0)) await gateway.close()
})

/** Sends a request over a channel with these settings, and returns what its provider receives. */
async function send(fields: object, setting: object) {
  const relay = await openRelay({
    channels: [
      { setting: JSON.stringify(setting), param_override: '{"seed":7}', model_mapping: `{"${MODEL}":"inner"}` },
    ],
  })
  opened.push(relay)
  relay.gateway.upstream.reply(() => whole('Hello'))
  const { head, error } = await relay.run(fields)
  expect(error).toBeUndefined()
  const [asked] = relay.gateway.upstream.requests
  return { text: new TextDecoder().decode(asked!.body), json: asked!.json, dropped: head?.headers['x-weir-dropped'] }
}

const tools = Array.from({ length: 130 }, (_, at) => ({ type: 'function', function: { name: `tool_${at}` } }))
const mending = [{ mend_requests: true }, { force_format: true }]

describe.each(mending)('a channel with %o', (setting) => {
  it('writes a request with too much of something anew, with what the operator sets', async () => {
    const { json, dropped } = await send({ tools, vendor_field: { kept: 1 } }, setting)
    expect(json).toMatchObject({ model: 'inner', seed: 7, max_tokens: 10 })
    expect(json.tools).toHaveLength(128)
    expect(dropped).toBe('tools')
  })

  it('sends a request that fits as its caller wrote it, with what the operator sets', async () => {
    const messages = [{ content: [{ type: 'text', text: 'hello', vendor_field: 1 }], role: 'user' }]
    const { text, json, dropped } = await send({ messages, tools: tools.slice(0, 128) }, setting)
    expect(json).toMatchObject({ model: 'inner', seed: 7 })
    expect(text).toContain(JSON.stringify(messages))
    expect(dropped).toBeUndefined()
  })
})

it('a channel that mends nothing sends a request with too much as it is', async () => {
  const { json, dropped } = await send({ tools }, {})
  expect(json).toMatchObject({ model: 'inner', seed: 7 })
  expect(json.tools).toHaveLength(130)
  expect(dropped).toBeUndefined()
})
