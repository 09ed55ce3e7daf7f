// Xunfei's WebSocket behind a call: the frame of its documentation, and what goes wrong on the way.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { openTestGateway, eventually, type TestGateway } from '../support/gateway.ts'
import { startRealtimeUpstream, type RealtimeUpstream } from '../support/realtime-upstream.ts'

const SID = 'cht000cb087@dx18793cd421fb894542'
/** As the last one of an answer on www.xfyun.cn/doc/spark/Web.html, which tells the usage. Its text is cut in three here. */
const frame = (status: number, content: string) => ({
  header: { code: 0, message: 'Success', sid: SID, status },
  payload: {
    choices: { status, seq: status, text: [{ content, role: 'assistant', index: 0 }] },
    ...(status === 2
      ? { usage: { text: { question_tokens: 4, prompt_tokens: 5, completion_tokens: 9, total_tokens: 14 } } }
      : {}),
  },
})
/** As users are answered; the page shows no refusal. */
const refusal = { header: { code: 11200, message: 'AppIdNoAuthError', sid: SID, status: 2 } }
const answer = [frame(0, '我可以'), frame(1, '帮助'), frame(2, '你的吗？')]

describe("Spark's socket", () => {
  let weir: TestGateway
  let spark: RealtimeUpstream
  let ada: Caller
  beforeAll(async () => {
    ;[weir, spark] = await Promise.all([openTestGateway(), startRealtimeUpstream()])
    await weir.set('SelfUseModeEnabled', true)
    await weir.set('RetryTimes', 0)
    const channel = { type: 18, key: 'an-app|a-secret|a-key', base_url: spark.url }
    await weir.addChannel({ ...channel, models: 'SparkDesk-v3.5' })
    await weir.addChannel({ ...channel, models: 'SparkDesk-v1.1', setting: '{"idle_timeout_seconds":0.2}' })
    ada = await weir.addCaller({ quota: 1_000_000_000 })
  }, 60_000)
  afterAll(async () => {
    await weir.close()
    await spark.close()
  })
  afterEach(() => {
    spark.refuse(undefined)
    spark.heard.splice(0)
    spark.closed.splice(0)
  })

  const messages = [
    { role: 'system' as const, content: 'Be brief.' },
    { role: 'user' as const, content: 'Hello' },
  ]
  const ask = (model = 'SparkDesk-v3.5') => ada.openai.chat.completions.create({ model, messages, max_tokens: 50 })
  async function stream(model = 'SparkDesk-v3.5') {
    let text = ''
    const chunks = await ada.openai.chat.completions.create({ model, messages, stream: true })
    for await (const chunk of chunks) text += chunk.choices[0]?.delta.content ?? ''
    return text
  }
  const says = (...frames: object[]) =>
    spark.session((socket) => socket.on('message', () => frames.forEach((each) => socket.send(JSON.stringify(each)))))

  it('is asked with one frame and answers with several, whole or streamed', async () => {
    says(...answer)
    const reply = await ask()
    expect(reply).toMatchObject({ id: SID, usage: { prompt_tokens: 5, completion_tokens: 9 } })
    expect(reply.choices[0]).toMatchObject({ message: { content: '我可以帮助你的吗？' }, finish_reason: 'stop' })
    const { pathname, searchParams } = new URL(spark.asked.at(-1)!.url, spark.url)
    expect(pathname).toBe('/v3.5/chat')
    expect([...searchParams.keys()].sort()).toEqual(['authorization', 'date', 'host'])
    expect(atob(searchParams.get('authorization')!)).toMatch(/^api_key="a-key", algorithm="hmac-sha256", /)
    expect(spark.heard).toEqual([
      {
        header: { app_id: 'an-app' },
        parameter: { chat: { domain: 'generalv3.5', max_tokens: 50 } },
        payload: { message: { text: messages } },
      },
    ])
    expect((await ada.logs())[0]).toMatchObject({ prompt_tokens: 5, completion_tokens: 9 })
    expect(await stream()).toBe('我可以帮助你的吗？')
    await eventually(
      () => spark.sockets().length,
      (open) => open === 0,
    )
  })

  it('tells the words of the system with those of the user, where a model has no system', async () => {
    says(...answer)
    await ask('SparkDesk-v1.1')
    expect(spark.heard[0].payload.message.text).toEqual([{ role: 'user', content: 'Be brief.\nHello' }])
    expect(new URL(spark.asked.at(-1)!.url, spark.url).pathname).toBe('/v1.1/chat')
  })

  it('that refuses, in a frame or before it opens, is told with a proper status, and nothing is charged', async () => {
    const before = (await ada.balances()).quota
    says(refusal)
    for (const asks of [ask, stream])
      await expect(asks()).rejects.toMatchObject({
        status: 401,
        message: expect.stringContaining('AppIdNoAuthError'),
      })
    spark.refuse({ status: 403, body: { message: 'HMAC signature does not match' } })
    await expect(ask()).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('HMAC signature does not match'),
    })
    expect((await ada.balances()).quota).toBe(before)
  })

  it('that breaks off or falls silent ends as an error, and what was said is charged', async () => {
    spark.session((socket) =>
      socket.on('message', () => socket.send(JSON.stringify(answer[0]), () => socket.terminate())),
    )
    await expect(stream()).rejects.toThrow()
    says(answer[0]!)
    await expect(stream('SparkDesk-v1.1')).rejects.toThrow('0.2')
    await eventually(
      () => spark.sockets().length,
      (open) => open === 0,
    )
    const rows = (await ada.logs()).slice(0, 2)
    for (const row of rows) expect(row.quota).toBeGreaterThan(0)
  })

  it('is let go by whoever hangs up', async () => {
    says(answer[0]!)
    const caller = new AbortController()
    const chunks = await ada.openai.chat.completions.create(
      { model: 'SparkDesk-v3.5', messages, stream: true },
      { signal: caller.signal },
    )
    for await (const chunk of chunks) if (chunk.choices[0]?.delta.content) break
    caller.abort()
    await eventually(
      () => spark.closed.length,
      (closed) => closed === 1,
    )
  })
})
