// Limits as a caller meets them: 429 in the caller's format with Retry-After, and what the API tells of budgets.
import { RateLimitError } from 'openai'
import { expect, it } from 'vitest'
import { describeWithGateway } from '../support/gateway.ts'
import { chatReply, chatStream } from '../support/upstream.ts'

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
const hello = { messages: [{ role: 'user' as const, content: 'Hello' }] }

describeWithGateway('a limited call', (weir) => {
  const quota = 10_000_000

  it('is refused with 429, in the format of OpenAI, and told when to come back', async () => {
    await weir.addChannel()
    weir.upstream.reply(chatReply('Hello', usage))
    const caller = await weir.addCaller({ quota, token: { requests_per_minute: 2 } })
    expect((await caller.chat()).status).toBe(200)
    expect((await caller.chat({ stream: true })).status).toBe(200)
    const before = await caller.balances()
    const refused = await caller.chat()
    expect(refused.status).toBe(429)
    expect(refused.json.error).toMatchObject({ type: 'new_api_error', code: 'rate_limit_exceeded', param: null })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    const error = await caller.openai.chat.completions
      .create({ model: weir.model, ...hello, stream: true })
      .catch((e) => e)
    expect(error).toBeInstanceOf(RateLimitError)
    expect(weir.upstream.requests).toHaveLength(2)
    expect(await caller.balances()).toEqual(before)
    expect((await weir.gateway.client.quota.verify()).open_holds).toBe(0)
  })

  it('of many at once, only so many run; the next may when one has ended', async () => {
    await weir.addChannel()
    weir.upstream.reply({ ...chatStream(['Hello'], usage), latency_ms: 300 })
    const caller = await weir.addCaller({ quota, token: { max_concurrent: 3 } })
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async () => (await caller.chat({ stream: true })).status),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(3)
    expect(statuses.filter((status) => status === 429)).toHaveLength(7)
    expect((await caller.chat({ stream: true })).status).toBe(200)
  })

  it('a call that fails gives its success back, but was a request', async () => {
    await weir.addChannel()
    await weir.set('RetryTimes', 0)
    await weir.set('ModelRequestRateLimitEnabled', true)
    await weir.set('ModelRequestRateLimitGroup', { default: [5, 2] })
    const caller = await weir.addCaller({ quota })
    weir.upstream.reply({ status: 400, body: { error: { message: 'no', type: 'invalid_request_error' } } })
    for (let index = 0; index < 3; index += 1) expect((await caller.chat()).status).toBe(400)
    weir.upstream.reply(chatReply('Hello', usage))
    expect((await caller.chat()).status).toBe(200)
    expect((await caller.chat()).status).toBe(200)
    const refused = await caller.chat()
    expect(refused.status).toBe(429)
    expect(refused.json.error.message).toMatch(/^Limited to [25] .*requests within 1 min/)
    await weir.set('ModelRequestRateLimitEnabled', false)
    expect((await caller.chat()).status).toBe(200)
  })

  it('a budget ends with its day; the token shows what was used of it', async () => {
    await weir.addChannel()
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 100_000, completion_tokens: 1, total_tokens: 100_001 }))
    const caller = await weir.addCaller({ quota, token: { budget_day: 60_000, time_zone: 'Asia/Tokyo' } })
    const visitor = weir.visitor()
    await visitor.login(caller.user.username, caller.password)
    const seen = async () => (await visitor.client.tokens.list({})).data[0]
    expect(await seen()).toMatchObject({ budget_day: 60_000, budget_used_day: 0, budget_used_week: 0 })
    let statuses = 0
    let refused = await caller.chat({ messages: [{ role: 'user', content: 'word '.repeat(100_000) }] })
    while (refused.status === 200 && (statuses += 1) < 100)
      refused = await caller.chat({ messages: [{ role: 'user', content: 'word '.repeat(100_000) }] })
    expect(refused.status).toBe(429)
    expect(refused.json.error).toMatchObject({ type: 'new_api_error', code: 'budget_exceeded' })
    const wait = Number(refused.headers['retry-after'])
    expect((Math.ceil(Date.now() / 1000) + wait + 9 * 3600) % 86_400).toBeLessThan(5)
    const spent = quota - (await caller.balances()).quota
    expect(await seen()).toMatchObject({ budget_used_day: spent, budget_reset_week: 0 })
    expect(((await seen())?.budget_reset_day ?? 0) % 86_400).toBe(15 * 3600)
    // Raising it helps at once, and what was used stays used.
    await visitor.client.tokens.update({ id: caller.token.id, budget_day: 6_000_000 })
    expect(await seen()).toMatchObject({ budget_used_day: spent })
    expect((await caller.chat()).status).toBe(200)
  })

  it('the reporting time zone is that of tokens without one: what was charged today counts in it too', async () => {
    await weir.addChannel()
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 100_000, completion_tokens: 1, total_tokens: 100_001 }))
    const caller = await weir.addCaller({ quota, token: { budget_day: 60_000 } })
    const visitor = weir.visitor()
    await visitor.login(caller.user.username, caller.password)
    const seen = async () => (await visitor.client.tokens.list({})).data[0]
    expect((await caller.chat()).status).toBe(200)
    const spent = quota - (await caller.balances()).quota
    expect(await seen()).toMatchObject({ budget_used_day: spent })
    expect(((await seen())?.budget_reset_day ?? 0) % 86_400).toBe(0)
    // A zone in which it is noon, so that no midnight comes between.
    const offset = 12 - new Date().getUTCHours()
    const zone = `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`
    await weir.set('ReportTimeZone', zone)
    expect(((await seen())?.budget_reset_day ?? 0) % 86_400).toBe(((24 - offset) * 3600) % 86_400)
    expect(await seen()).toMatchObject({ budget_used_day: spent })
    while ((await caller.chat()).status === 200) continue
    expect((await caller.chat()).json.error).toMatchObject({ code: 'budget_exceeded' })
    expect((await seen())?.budget_used_day).toBe(quota - (await caller.balances()).quota)
  })

  it('a token is refused with a limit or a time zone that makes no sense', async () => {
    const visitor = await weir.addVisitor()
    const make = (fields: object) => visitor.client.tokens.create({ name: 'x', ...fields })
    await expect(make({ time_zone: 'Mars/Olympus' })).rejects.toThrow(/Unknown time zone/)
    await expect(make({ budget_day: -1 })).rejects.toThrow(/0 for no limit/)
    await expect(make({ max_concurrent: 1.5 })).rejects.toThrow(/whole number/)
    expect(await make({ time_zone: 'Europe/Berlin', budget_week: 5 })).toMatchObject({
      ...{ time_zone: 'Europe/Berlin', budget_week: 5, budget_used_week: 0, requests_per_minute: 0 },
    })
  })
})
