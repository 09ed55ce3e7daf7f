// Calls that go on with an earlier answer: they find the channel and key that keep it, for nobody but its owner.
import { expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway } from '../support/gateway.ts'
import { send } from '../support/server.ts'

const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 }
const responseOf = (id: string) => ({ id, object: 'response', status: 'completed', model: 'm', output: [], usage })
const streamOf = (id: string) =>
  ['response.created', 'response.completed'].map(
    (type) => `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: 0, response: responseOf(id) })}\n\n`,
  )
let ids = 0
/** A provider's ids are never the same. */
const freshId = () => `resp_0123456789abcdef${++ids}`
const several = { key: 'first-key-0123\nsecond-key-0123\nthird-key-0123', key_mode: 'random' as const }

describeWithGateway('previous_response_id', (weir) => {
  const ask = (ada: Caller, more: object = {}) =>
    send('POST', `${weir.url}/v1/responses`, {
      headers: { authorization: `Bearer ${ada.key}` },
      body: { model: weir.model, input: 'Hello', ...more },
    })
  const keys = () => weir.upstream.requests.map(({ headers }) => headers.authorization)

  it.each([
    ['a whole answer', {}],
    ['a stream', { stream: true }],
  ])('goes on with %s where it is kept, by channel and key', async (_, how) => {
    for (let channels = 0; channels < 3; channels++) await weir.addChannel(several)
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const id = freshId()
    weir.upstream.reply('stream' in how ? { chunks: streamOf(id) } : { body: responseOf(id) })
    expect((await ask(ada, how)).status).toBe(200)
    weir.upstream.reply({ body: responseOf(freshId()) })
    for (let times = 0; times < 5; times++) {
      expect((await ask(ada, { previous_response_id: id })).status).toBe(200)
    }
    expect(weir.upstream.requests[1]!.json.previous_response_id).toBe(id)
    expect(new Set(keys())).toHaveLength(1)
    const used = (await ada.logs()).map(({ channel }) => channel)
    expect(new Set(used)).toHaveLength(1)
  })

  it('is refused to everybody else', async () => {
    await weir.addChannel()
    const [ada, eve] = [await weir.addCaller({ quota: 1_000_000 }), await weir.addCaller({ quota: 1_000_000 })]
    const id = freshId()
    weir.upstream.reply({ body: responseOf(id) })
    await ask(ada)
    const refused = await ask(eve, { previous_response_id: id })
    expect([refused.status, refused.json.error.code]).toEqual([400, 'previous_response_not_found'])
    expect(weir.upstream.requests).toHaveLength(1)
    expect((await eve.balances()).quota).toBe(1_000_000)
  })

  it('is refused clearly where the channel is gone, and where nobody knows the answer', async () => {
    const kept = await weir.addChannel()
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const unknown = await ask(ada, { previous_response_id: 'resp_of_somebody_else' })
    expect([unknown.status, unknown.json.error.code]).toEqual([400, 'previous_response_not_found'])
    expect(unknown.json.error.message).toContain('resp_of_somebody_else')
    const id = freshId()
    weir.upstream.reply({ body: responseOf(id) })
    await ask(ada)
    const { channel } = (await ada.logs())[0]!
    expect([kept.id, kept.id + 1]).toContain(channel)
    await weir.root.client.channels.update({ id: channel, status: 2 })
    const away = await ask(ada, { previous_response_id: id })
    expect([away.status, away.json.error.message]).toEqual([400, expect.stringContaining('not available')])
    expect(weir.upstream.requests).toHaveLength(1)
  })

  it('passes where root opens what nobody got here and only one channel can be meant, and is not tried on another', async () => {
    await weir.addChannel()
    await weir.set('RetryTimes', 3)
    await weir.set('objects.one_tenant', true)
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply({ status: 500, body: { error: { message: 'broken' } } })
    expect((await ask(ada, { previous_response_id: 'resp_from_before' })).status).toBe(500)
    expect(weir.upstream.requests).toHaveLength(1)
  })

  it('answers that are not to be kept are not noted', async () => {
    await weir.addChannel()
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply({ body: responseOf('resp_not_to_be_kept') })
    await ask(ada, { store: false })
    expect((await ask(ada, { previous_response_id: 'resp_not_to_be_kept' })).status).toBe(400)
  })
})
