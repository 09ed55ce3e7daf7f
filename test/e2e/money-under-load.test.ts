// Many calls at once at the end of a balance: exactly as many go through as can be paid.
import { expect, it } from 'vitest'
import { LOG_ROW_TYPE } from '../../core/calls/log-entry.ts'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway, type TestGateway } from '../support/gateway.ts'
import { chatReply, chatStream } from '../support/upstream.ts'

const CALLS = 20
const AFFORDED = 5
/** Quota units of one call at the price that these tests set. */
const PRICE = 1000
const usage = { prompt_tokens: 500, completion_tokens: 500 }

describeWithGateway('twenty calls at once by who can pay five', (weir) => {
  /** A fixed price, so that what is held is what is charged. */
  async function prepare(): Promise<void> {
    await weir.set('ModelPrice', { [weir.model]: PRICE / weir.gateway.settings().QuotaPerUnit })
    await weir.addChannel()
    await weir.addChannel()
    // Slow enough that all of them are under way together.
    weir.upstream.reply(({ json }) => ({
      ...(json.stream ? chatStream(['Hello', ' there'], usage) : chatReply('Hello there', usage)),
      latency_ms: 300,
    }))
  }

  async function rush(callers: Caller[]): Promise<number[]> {
    const answers = await Promise.all(
      Array.from({ length: CALLS }, (_, index) => callers[index % callers.length]!.chat({ stream: index % 2 === 0 })),
    )
    for (const { status, json, text } of answers) {
      if (status === 200) expect(text).toContain('there')
      else expect(json.error.code).toMatch(/^(insufficient_user_quota|pre_consume_token_quota_failed)$/)
    }
    return answers.map(({ status }) => status)
  }

  async function settled(weir: TestGateway, caller: Caller, quota: number): Promise<void> {
    expect(await caller.balances()).toMatchObject({ quota, used_quota: AFFORDED * PRICE, request_count: AFFORDED })
    expect(weir.upstream.requests).toHaveLength(AFFORDED)
    const { ok, open_holds } = await weir.gateway.client.quota.verify()
    expect({ ok, open_holds }).toEqual({ ok: true, open_holds: 0 })
  }

  it('lets five through by the quota of the user', async () => {
    await prepare()
    const ada = await weir.addCaller({ quota: AFFORDED * PRICE + 999 })
    const statuses = await rush([ada])
    expect(statuses.filter((status) => status === 200)).toHaveLength(AFFORDED)
    expect(statuses.filter((status) => status === 403)).toHaveLength(CALLS - AFFORDED)
    await settled(weir, ada, 999)
    expect((await ada.logs()).filter(({ type }) => type === LOG_ROW_TYPE.consumption)).toHaveLength(AFFORDED)
  })

  it('lets five through by the quota of the token', async () => {
    await prepare()
    const ada = await weir.addCaller({ quota: 1_000_000, token: { remain_quota: AFFORDED * PRICE } })
    const statuses = await rush([ada])
    expect(statuses.filter((status) => status === 200)).toHaveLength(AFFORDED)
    await settled(weir, ada, 1_000_000 - AFFORDED * PRICE)
    expect((await ada.balances()).remain_quota).toBe(0)
    expect((await ada.chat()).status).toBe(401)
  })

  it('lets five through by the quota of the user, through several tokens', async () => {
    await prepare()
    const ada = await weir.addCaller({ quota: AFFORDED * PRICE })
    const keys = [ada]
    for (let count = 0; count < 3; count++) {
      const token = await weir.addToken(ada.user)
      keys.push({ ...ada, chat: (body, headers) => ada.chat(body, { authorization: `sk-${token.key}`, ...headers }) })
    }
    const statuses = await rush(keys)
    expect(statuses.filter((status) => status === 200)).toHaveLength(AFFORDED)
    await settled(weir, ada, 0)
  })

  it('gives back what failed, for others to use', async () => {
    await prepare()
    await weir.set('RetryTimes', 0)
    const ada = await weir.addCaller({ quota: AFFORDED * PRICE })
    weir.upstream.reply({ status: 500, body: { error: { message: 'no' } } })
    for (let round = 0; round < 3; round++) await rushAndFail(ada)
    expect(await ada.balances()).toMatchObject({ quota: AFFORDED * PRICE, used_quota: 0, request_count: 0 })
    weir.upstream.requests.length = 0
    weir.upstream.reply({ ...chatReply('Hello there', usage), latency_ms: 200 })
    const statuses = (await Promise.all(Array.from({ length: CALLS }, () => ada.chat()))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(AFFORDED)
    await settled(weir, ada, 0)
  })
})

async function rushAndFail(caller: Caller): Promise<void> {
  const answers = await Promise.all(Array.from({ length: CALLS }, () => caller.chat()))
  for (const { status } of answers) expect([403, 500]).toContain(status)
}
