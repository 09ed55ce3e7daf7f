// The price list, as each viewer sees it.
import { expect, it } from 'vitest'
import { describeWithGateway } from '../support/gateway.ts'

describeWithGateway('the price list', (weir) => {
  it('has what the viewer can call, with its price, and the groups open to them', async () => {
    await weir.set('GroupRatio', '{"default":1,"vip":0.5,"staff":0.1}')
    await weir.set('UserUsableGroups', '{"default":"Everybody","vip":"Fast"}')
    await weir.addChannel({ group: 'default,vip', models: 'gpt-4o-mini,dall-e-3,no-price' })
    await weir.addChannel({ group: 'staff', models: 'gpt-4o' })
    const nobody = (await weir.visitor().send('GET', '/api/pricing/')).json
    expect(nobody).toMatchObject({
      success: true,
      message: '',
      group_ratio: { default: 1, vip: 0.5 },
      usable_group: { default: 'Everybody', vip: 'Fast' },
    })
    expect(nobody.data.map(({ model_name }: { model_name: string }) => model_name)).toEqual(['dall-e-3', 'gpt-4o-mini'])
    const { ModelPrice, ModelRatio, CompletionRatio } = weir.gateway.settings()
    expect(nobody.data[0]).toEqual({
      model_name: 'dall-e-3',
      quota_type: 1,
      model_price: ModelPrice['dall-e-3'],
      ...{
        model_ratio: 0,
        completion_ratio: 0,
        owner_by: 'openai',
        enable_groups: ['default', 'vip'],
        has_price: true,
        image_multipliers: expect.any(Object),
        tools: expect.any(Object),
        prices: expect.any(Array),
        tiers: expect.any(Array),
        kind: 'images',
      },
    })
    expect(nobody.data[1]).toMatchObject({
      ...{
        kind: 'chat',
        context: 128_000,
        longest: 16_384,
        reads: expect.arrayContaining(['image']),
        writes: ['text'],
      },
      quota_type: 0,
      model_price: 0,
      model_ratio: ModelRatio['gpt-4o-mini'],
      completion_ratio: CompletionRatio['gpt-4o-mini'] ?? 4,
    })
    const staff = await weir.addVisitor({ patch: { group: 'staff' } })
    const list = await staff.client.pricing.list()
    expect(list.usable_group).toEqual({ default: 'Everybody', vip: 'Fast', staff: 'staff' })
    expect(list.group_ratio.staff).toBe(0.1)
    expect(list.data.find(({ model_name }) => model_name === 'gpt-4o')?.enable_groups).toEqual(['staff'])
  })

  it('has everything that a price has: dollars of each component, ratios, tiers as a list', async () => {
    await weir.set('ModelRatio', '{"talker":1.25,"plain":0.075}')
    await weir.set('CompletionRatio', '{"talker":4}')
    await weir.set('CacheRatio', '{"talker":0.1}')
    await weir.set('AudioRatio', '{"talker":8}')
    await weir.set('AudioCompletionRatio', '{"talker":2}')
    await weir.set('ImageRatio', '{"talker":2}')
    await weir.set('ToolPrice', '{"web_search":10}')
    await weir.set('PriceTiers', {
      talker: { prompt: [{ above: 200_000, factor: { input: 2, output: 1.5 } }], service: { batch: 0.5 } },
    })
    await weir.addChannel({ models: 'talker,plain,dall-e-3' })
    const { data } = await weir.visitor().client.pricing.list()
    const of = (name: string) => data.find(({ model_name }) => model_name === name)!
    const usd = (name: string) =>
      Object.fromEntries(of(name).prices.map(({ component, label, usd: each }) => [label ?? component, each]))
    expect(usd('talker')).toEqual({
      ...{ input: 2.5, image_input: 5, audio_input: 20, cache_read: 0.25, cache_write: 3.125, cache_write_1h: 5 },
      ...{ output: 10, audio_output: 40 },
    })
    expect(of('talker')).toMatchObject({
      ...{ cache_ratio: 0.1, create_cache_ratio: 1.25, audio_ratio: 8, audio_completion_ratio: 2, image_ratio: 2 },
      tools: { web_search: 10 },
      tiers: [
        { kind: 'prompt', above: 200_000, factor: { input: 2, output: 1.5, cache_read: 2, cache_write: 2 } },
        { kind: 'service', name: 'batch', factor: { input: 0.5, output: 0.5, cache_read: 0.5, cache_write: 0.5 } },
      ],
    })
    expect(usd('plain')).toMatchObject({ input: 0.15, output: 0.15 })
    expect(of('plain').prices.find(({ component }) => component === 'input')).toMatchObject({ unit: 'token', per: 1e6 })
    expect(usd('dall-e-3')).toMatchObject({ image: 0.04, hd: 0.08, 'hd:1024x1792': 0.12 })
  })

  it('has models without a price, as such, for whoever can call them', async () => {
    await weir.addChannel({ models: 'no-price' })
    const names = async () => (await weir.visitor().client.pricing.list()).data.map(({ model_name }) => model_name)
    expect(await names()).toEqual([])
    await weir.set('SelfUseModeEnabled', 'true')
    expect((await weir.visitor().client.pricing.list()).data).toMatchObject([
      { model_name: 'no-price', has_price: false, model_ratio: 37.5 },
    ])
    await weir.set('SelfUseModeEnabled', 'false')
    const ada = await weir.addVisitor()
    await ada.client.users.setting({
      ...{ notify_type: 'email', quota_warning_threshold: 1, accept_unset_model_ratio_model: true },
    })
    expect((await ada.client.pricing.list()).data).toMatchObject([{ model_name: 'no-price', has_price: false }])
    expect(await names()).toEqual([])
  })
})
