// What old dashboards ask for: how much a token has left and has used.
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
