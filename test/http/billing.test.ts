// The endpoints for old dashboards: the remaining and the used quota of a token.
import { expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway } from '../support/gateway.ts'
import { send } from '../support/server.ts'
import { chatReply } from '../support/upstream.ts'

describeWithGateway('the billing of old dashboards', (weir) => {
  const get = (caller: Caller, path: string) =>
    send('GET', `${weir.url}${path}`, { headers: { authorization: `Bearer ${caller.key}` } })
  const UNIT = 500_000

  it('tells what the token has, at both addresses', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 10 * UNIT, token: { remain_quota: 4 * UNIT } })
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 1000, completion_tokens: 100 }))
    await ada.chat()
    const { token_used } = await ada.balances()
    expect(token_used).toBeGreaterThan(0)
    for (const path of ['/dashboard/billing', '/v1/dashboard/billing']) {
      expect((await get(ada, `${path}/subscription`)).json).toEqual({
        object: 'billing_subscription',
        has_payment_method: true,
        soft_limit_usd: 4,
        hard_limit_usd: 4,
        system_hard_limit_usd: 4,
        access_until: 0,
      })
      const used = (await get(ada, `${path}/usage?start_date=2026-01-01&end_date=2026-12-31`)).json
      expect(used).toEqual({ object: 'list', total_usage: expect.closeTo((token_used / UNIT) * 100, 6) })
    }
  })

  it('tells what the user has, and in quota, where settings say so', async () => {
    const ada = await weir.addCaller({ quota: 10 * UNIT, token: { remain_quota: UNIT } })
    await weir.set('DisplayTokenStatEnabled', false)
    expect((await get(ada, '/dashboard/billing/subscription')).json.hard_limit_usd).toBe(10)
    await weir.set('DisplayInCurrencyEnabled', false)
    expect((await get(ada, '/dashboard/billing/subscription')).json.hard_limit_usd).toBe(10 * UNIT)
  })

  it("tells it to new-api's clients, with the key alone", async () => {
    await weir.addChannel()
    const limits = { model_limits_enabled: true, model_limits: 'gpt-4o,gpt-4o-mini' }
    const ada = await weir.addCaller({ quota: 10 * UNIT, token: { remain_quota: 4 * UNIT, ...limits } })
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 1000, completion_tokens: 100 }))
    await ada.chat()
    const { token_used } = await ada.balances()
    expect(token_used).toBeGreaterThan(0)
    for (const path of ['/api/usage/token', '/api/usage/token/'])
      expect((await get(ada, path)).json, path).toEqual({
        code: true,
        message: 'ok',
        data: {
          object: 'token_usage',
          name: ada.token.name,
          total_granted: 4 * UNIT,
          total_used: token_used,
          total_available: 4 * UNIT - token_used,
          unlimited_quota: false,
          model_limits: { 'gpt-4o': true, 'gpt-4o-mini': true },
          model_limits_enabled: true,
          expires_at: 0,
        },
      })
    const unknown = await get({ ...ada, key: 'sk-nobody' }, '/api/usage/token')
    expect([unknown.status, unknown.json.success]).toEqual([401, false])
    expect((await send('GET', `${weir.url}/api/usage/token`)).status).toBe(401)
    const preflight = await send('OPTIONS', `${weir.url}/api/usage/token`)
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, '*'])
    // Neither a session nor an access token is a key.
    expect((await weir.root.send('GET', '/api/usage/token')).status).toBe(401)
    await weir.changeUser(ada.user.id, { status: 2 })
    expect((await get(ada, '/api/usage/token')).status).toBe(403)
  })

  it('answers a token that has expired, or is used up, and none that is disabled', async () => {
    const { storage } = weir.gateway.ports
    const ada = await weir.addCaller({ quota: UNIT, token: { remain_quota: 0, unlimited_quota: false } })
    await storage.tokens.update(ada.token.id, { expired_time: 5 })
    expect((await get(ada, '/api/usage/token')).json.data).toMatchObject({ total_available: 0, expires_at: 5 })
    await storage.tokens.update(ada.token.id, { status: 2 })
    expect((await get(ada, '/api/usage/token')).status).toBe(401)
  })

  it('has no limit for a token without one, and answers one that has expired', async () => {
    const ada = await weir.addCaller({ quota: UNIT, token: { expired_time: Math.floor(Date.now() / 1000) + 3600 } })
    const answer = (await get(ada, '/dashboard/billing/subscription')).json
    expect(answer).toMatchObject({ hard_limit_usd: 100_000_000, access_until: ada.token.expired_time })
    await weir.changeUser(ada.user.id, { status: 2 })
    expect((await get(ada, '/dashboard/billing/subscription')).status).toBe(403)
    expect((await get({ ...ada, key: 'sk-nobody' }, '/dashboard/billing/usage')).status).toBe(401)
  })

  it('is told with every whole answer: in units, and in dollars', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 10 * UNIT })
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 1000, completion_tokens: 100 }))
    const { data, response } = await ada.openai.chat.completions
      .create({ model: weir.model, messages: [{ role: 'user', content: 'Hello' }] })
      .withResponse()
    expect(data.choices[0]?.message.content).toBe('Hello')
    const [row] = await ada.logs()
    expect(row?.quota).toBeGreaterThan(0)
    expect(response.headers.get('x-weir-charge')).toBe(String(row?.quota))
    expect(Number(response.headers.get('x-weir-cost'))).toBe(row!.quota / UNIT)
    weir.upstream.reply({ status: 500, body: { error: { message: 'broken' } } })
    const failed = await ada.openai.chat.completions
      .create({ model: weir.model, messages: [{ role: 'user', content: 'Hello' }] }, { maxRetries: 0 })
      .catch((error: { headers: Headers }) => error)
    expect((failed as { headers: Headers }).headers.get('x-weir-charge')).toBeNull()
  })
})
