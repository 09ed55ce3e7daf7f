// Scripts that were written for one-api go on: its names are understood, and its calls answer in its shapes.
import { expect, it } from 'vitest'
import { MODEL, describeWithGateway } from '../support/gateway.ts'
import { chatReply } from '../support/upstream.ts'

describeWithGateway('a script for one-api', (weir) => {
  it('limits a token by models and subnet', async () => {
    await weir.addChannel({ models: `${MODEL},gpt-4o` })
    const ada = await weir.addVisitor({ quota: 1_000_000 })
    const form = {
      name: 'old',
      unlimited_quota: true,
      models: `${MODEL}, gpt-4o-audio`,
      subnet: '10.0.0.0/8,127.0.0.1/32',
    }
    const made = (await ada.send('POST', '/api/token/', { body: form })).json.data
    expect(made).toMatchObject({
      ...{ model_limits_enabled: true, model_limits: `${MODEL},gpt-4o-audio` },
      allow_ips: '10.0.0.0/8,127.0.0.1/32',
    })
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 3, completion_tokens: 2 }))
    const call = async (model: string) =>
      (
        await weir.visitor().send('POST', '/v1/chat/completions', {
          headers: { authorization: `Bearer sk-${made.key}` },
          body: { model, messages: [{ role: 'user', content: 'hi' }] },
        })
      ).status
    expect(await call(MODEL)).toBe(200)
    expect(await call('gpt-4o')).toBe(403)
    const change = (body: object) => ada.send('PUT', '/api/token/', { body: { id: made.id, ...body } })
    expect((await change({ subnet: '203.0.113.0/24' })).json.data.allow_ips).toBe('203.0.113.0/24')
    expect(await call(MODEL)).toBe(403)
    const open = (await change({ models: null, subnet: null })).json.data
    expect(open).toMatchObject({ model_limits_enabled: false, model_limits: '', allow_ips: '' })
    expect((await change({ subnet: 'not a network' })).json).toMatchObject({ success: false, code: 'token.addresses' })
  })

  it('adds to a balance, with a remark', async () => {
    const ada = await weir.addVisitor({ quota: 10 })
    const body = { user_id: ada.user.id, quota: 500, remark: 'paid in cash' }
    expect((await ada.send('POST', '/api/topup', { body })).json.success).toBe(false)
    expect(await weir.root.client.users.topUp(body)).toBeNull()
    expect((await ada.client.users.self()).quota).toBe(510)
    const [entry] = (await ada.client.quota.entriesSelf()).items
    expect(entry).toMatchObject({ kind: 'adjustment', amount: 500, reason: 'paid in cash' })
    expect((await weir.root.send('POST', '/api/topup', { body: { ...body, quota: 0 } })).json.success).toBe(false)
  })

  it('reads the models and the usage of its user', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const visitor = weir.visitor()
    await visitor.login(ada.user.username, ada.password)
    expect(await visitor.client.users.availableModels()).toEqual(await visitor.client.users.models())
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 30, completion_tokens: 20 }))
    expect((await ada.chat()).status).toBe(200)
    const rows = await visitor.client.usage.dashboard()
    expect(rows).toEqual([
      {
        ...{ Day: new Date().toISOString().slice(0, 10), ModelName: MODEL, RequestCount: 1 },
        ...{ Quota: weir.due({ prompt: 30, completion: 20 }), PromptTokens: 30, CompletionTokens: 20 },
      },
    ])
  })
})
