// A change by an administrator applies to the next call: no cache returns the previous value.
import { expect, it } from 'vitest'
import { describeWithGateway } from '../support/gateway.ts'
import { runsAllTests } from '../support/suite.ts'
import { chatReply } from '../support/upstream.ts'

/** How often each change is made. */
const ROUNDS = runsAllTests ? 15 : 4
const reply = chatReply('Hello', { prompt_tokens: 1, completion_tokens: 1 })

describeWithGateway('a change holds for the next call', (weir) => {
  it('when a channel is added, switched off, on and deleted, again and again', async () => {
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply(reply)
    const { channels } = weir.root.client
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await weir.addChannel()
      expect((await ada.chat()).status).toBe(200)
      await channels.update({ id, status: 2 })
      expect((await ada.chat()).status).toBe(404)
      await channels.update({ id, status: 1 })
      expect((await ada.chat()).status).toBe(200)
      await channels.delete({ id })
      expect((await ada.chat()).status).toBe(404)
    }
  })

  it('when several changes are made at once', async () => {
    const { client } = weir.root
    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all(Array.from({ length: 5 }, (_, index) => weir.addChannel({ models: `model-${index}` })))
      expect(await client.channels.modelsEnabled()).toEqual(['model-0', 'model-1', 'model-2', 'model-3', 'model-4'])
      const { data: made } = await client.channels.list({ page_size: 100 })
      await Promise.all(made.map(({ id }) => client.channels.delete({ id })))
      expect(await client.channels.modelsEnabled()).toEqual([])
    }
  })

  it('when a setting is changed, also by several at once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all([weir.set('Notice', `notice ${round}`), weir.set('About', `about ${round}`)])
      expect((await weir.visitor().send('GET', '/api/notice')).json.data).toBe(`notice ${round}`)
      expect((await weir.visitor().send('GET', '/api/about')).json.data).toBe(`about ${round}`)
    }
  })

  it('when a token is narrowed or its quota is raised', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000, token: { remain_quota: 1 } })
    const visitor = weir.visitor()
    await visitor.login(ada.user.username, ada.password)
    const { tokens } = visitor.client
    const { id } = ada.token
    weir.upstream.reply(reply)
    expect((await ada.chat()).status).toBe(403)
    await tokens.update({ id, remain_quota: 100_000 })
    expect((await ada.chat()).status).toBe(200)
    await tokens.update({ id, model_limits_enabled: true, model_limits: 'other' })
    expect((await ada.chat()).json.error.message).toContain('may not use the model')
    await tokens.update({ id, model_limits_enabled: false, allow_ips: '192.0.2.1' })
    expect((await ada.chat()).json.error.message).toContain('Your address')
  })
})
