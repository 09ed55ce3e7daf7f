// Limits and capabilities of models by the API: compared with a list beside their prices, taken over by choice, and put back.
import { expect, it } from 'vitest'
import { describeWithOwnGateway } from '../support/gateway.ts'
import { Refused, type Visitor } from '../support/server.ts'

const codeOf = (asking: () => Promise<unknown>) =>
  asking().then(
    () => null,
    (error: unknown) => (error instanceof Refused ? error.code : error),
  )

describeWithOwnGateway('facts of models', (weir) => {
  const prices = (as: Visitor = weir.root) => as.client.prices

  it('come with the prices of a list, and are taken over as they are', async () => {
    await weir.addChannel({ models: 'claude-sonnet-4-6,house-chat' })
    const file = JSON.stringify({
      anthropic: {
        models: {
          'claude-sonnet-4-6': {
            cost: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 },
            limit: { context: 2_000_000, output: 128_000 },
            modalities: { input: ['pdf', 'text', 'image'], output: ['text'] },
          },
        },
      },
      house: {
        models: {
          'house-chat': {
            cost: { input: 1, output: 2 },
            limit: { context: 64_000, output: 8000 },
            modalities: { input: ['text'], output: ['text'] },
          },
        },
      },
    })
    const before = weir.gateway.settings()
    const { data } = await prices().preview({ file })
    const of = (model: string) => data.find((each) => each.model === model)!
    expect(of('claude-sonnet-4-6')).toMatchObject({
      status: 'same',
      facts_differ: ['context'],
      facts_now: { context: 1_000_000, output: 128_000, kind: 'chat' },
      facts_there: { context: 2_000_000 },
      facts_to: { context: 2_000_000 },
    })
    expect(of('house-chat').facts_differ).toEqual(['context', 'output', 'reads', 'writes'])
    expect(weir.gateway.settings()).toBe(before)

    const taken = ['claude-sonnet-4-6', 'house-chat'].map(of)
    const changes = taken.map(({ model, facts_version, facts_to }) => ({ model, facts_version, facts: facts_to }))
    await prices().apply({ source: 'file', changes })
    expect(weir.gateway.settings()['models.facts']).toEqual({
      'claude-sonnet-4-6': { context: 2_000_000 },
      'house-chat': { context: 64_000, output: 8000, reads: ['text'], writes: ['text'] },
    })
    expect(weir.gateway.settings().ModelRatio).toEqual(before.ModelRatio)
    const [audited] = (await weir.root.client.audit.list({ action: 'setting.change', target: 'models.facts' })).items
    expect(JSON.parse(audited!.after)).toHaveProperty('house-chat')
    expect(await codeOf(() => prices().apply({ source: 'file', changes }))).toBe('prices.changed')
    const admin = await weir.addVisitor({ patch: { role: 1 } })
    expect(await codeOf(() => prices(admin).apply({ source: 'file', changes }))).toBe('access.forbidden')
    expect((await prices().preview({ file })).data.flatMap(({ facts_differ }) => facts_differ)).toEqual([])
    const list = (await weir.root.client.pricing.list()).data
    expect(list.find(({ model_name }) => model_name === 'claude-sonnet-4-6')).toMatchObject({ context: 2_000_000 })

    // What came with Weir is a catalogue too: taking it over leaves nothing stored.
    const back = (await prices().preview({ models: ['claude-sonnet-4-6'] })).data[0]!
    expect(back).toMatchObject({ facts_differ: ['context'], facts_there: { context: 1_000_000 }, facts_to: null })
    await prices().apply({
      source: 'builtin',
      changes: [
        { model: 'claude-sonnet-4-6', facts_version: back.facts_version, facts: null },
        { model: 'house-chat', facts: null },
      ],
    })
    expect(weir.gateway.settings()['models.facts']).toEqual({})
  })
})
