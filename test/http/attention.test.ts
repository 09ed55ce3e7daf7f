// The findings of attention: of the gateway for administrators, of their own account for users.
import { expect, it } from 'vitest'
import { describeWithOwnGateway, eventually } from '../support/gateway.ts'
import { chatReply } from '../support/upstream.ts'

describeWithOwnGateway('what needs attention', (weir) => {
  const list = () => weir.root.client.attention.list()
  const of = async (id: number) =>
    (await list()).filter((one) => one.id === id).map(({ kind, reason, ...facts }) => ({ ...facts, kind, reason }))

  it('tells administrators how far a new gateway is on the way to its first call', async () => {
    const look = () => weir.root.client.attention.firstSteps()
    expect(await look()).toEqual({ channels: 0, models: [], unpriced: [], tokens: 0, newest: 0, answered: false })
    const channel = await weir.addChannel({ models: `${weir.model},priceless` })
    await weir.root.client.tokens.create({ name: 'first', unlimited_quota: true })
    const { data } = await weir.root.client.tokens.list({ size: 1 })
    expect(await look()).toEqual({
      channels: 1,
      models: [weir.model, 'priceless'].sort(),
      unpriced: ['priceless'],
      tokens: 1,
      newest: data[0]!.id,
      answered: false,
    })
    await weir.root.client.channels.delete({ id: channel.id })
  })

  it('tells administrators of channels that were switched off, of dead keys and of low balances', async () => {
    const { channels } = weir.gateway.ports.storage
    const fine = await weir.addChannel({ name: 'Fine' })
    const broken = await weir.addChannel({ name: 'Broken' })
    const several = await weir.addChannel({ name: 'Several' })
    const poor = await weir.addChannel({ name: 'Poor' })
    await channels.update(broken.id, { status: 3, other_info: JSON.stringify({ status_reason: 'Incorrect API key' }) })
    const keys_off = { abc: { reason: 'Invalid key', time: 1 } }
    await channels.update(several.id, { other_info: JSON.stringify({ keys_off }) })
    await channels.update(poor.id, { balance: 1.5, balance_updated_time: 1_700_000_000 })
    expect(await of(fine.id)).toEqual([])
    expect(await of(broken.id)).toMatchObject([
      { kind: 'channel_off', severity: 'error', name: 'Broken', reason: 'Incorrect API key' },
    ])
    expect(await of(several.id)).toMatchObject([
      { kind: 'keys_off', severity: 'warning', keys: 1, reason: 'Invalid key' },
    ])
    expect(await of(poor.id)).toMatchObject([{ kind: 'low_balance', severity: 'warning', usd: 1.5 }])
    expect((await list()).map(({ severity }) => severity)).toEqual(['error', 'warning', 'warning'])
    expect(JSON.stringify(await list())).not.toContain('upstream-secret')
  })

  it('tells of a burst of errors, and of a model without a price that was called', async () => {
    await weir.set('RetryTimes', '0')
    const channel = await weir.addChannel({ models: `${weir.model},priceless` })
    const ada = await weir.addCaller({
      quota: 1_000_000,
      patch: { setting: '{"accept_unset_model_ratio_model":true}' },
    })
    const usage = { prompt_tokens: 10, completion_tokens: 10 }
    weir.upstream.reply(chatReply('Hello', usage))
    await ada.chat({ model: 'priceless' })
    weir.upstream.reply({ status: 500, body: { error: { message: 'overloaded' } } })
    for (let n = 0; n < 5; n += 1) await ada.chat()
    const found = await eventually(list, (all) => all.length > 1)
    expect(found).toMatchObject([
      { kind: 'errors', id: channel.id, failed: 5, tried: 6, reason: expect.stringContaining('overloaded') as string },
      { kind: 'no_price', name: 'priceless', calls: 1 },
    ])
    expect((await weir.root.client.prices.missing()).find(({ model }) => model === 'priceless')).toMatchObject({
      calls: 1,
    })
    // To her they are her own calls, and nothing of channels.
    const visitor = weir.visitor()
    await visitor.login(ada.user.username, ada.password)
    expect(await visitor.client.attention.list()).toMatchObject([{ kind: 'own_errors', id: 0, failed: 5, tried: 6 }])
  })

  it('tells users of a balance below what they, or the operator, have said', async () => {
    await weir.set('QuotaRemindThreshold', '1000')
    const ada = await weir.addCaller({ quota: 999 })
    const bob = await weir.addCaller({ quota: 999, patch: { setting: '{"quota_warning_threshold":500}' } })
    const told = async ({ user, password }: typeof ada) => {
      const visitor = weir.visitor()
      await visitor.login(user.username, password)
      return (await visitor.client.attention.list()).map(({ kind, quota }) => [kind, quota])
    }
    expect(await told(ada)).toEqual([['own_balance', 999]])
    expect(await told(bob)).toEqual([])
  })
})
