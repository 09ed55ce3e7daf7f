// The price list, as each viewer sees it.
import { expect, it } from 'vitest'
import { describeBothGateways } from '../support/gateway.ts'

describeBothGateways('the price list', (weir) => {
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
      },
    })
    expect(nobody.data[1]).toMatchObject({
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
