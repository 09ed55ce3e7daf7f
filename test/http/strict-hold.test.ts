// The stricter hold: whole answers are held for in full, and streams end as too long where the balance does.
import { describe, expect, it } from 'vitest'
import { geminiGenerate } from '../../core/index.ts'
import { CALL_PATHS } from '../../http/relay-paths.ts'
import { callerFormats, streamFormats, TEXTS, wholeStream } from '../support/formats.ts'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway } from '../support/gateway.ts'
import { send } from '../support/server.ts'
import { runsAllTests } from '../support/suite.ts'
import { chatReply } from '../support/upstream.ts'

const MODEL = 'priced-model'
const TYPES: Record<string, number> = { 'anthropic-messages': 14, 'gemini-generate': 24 }
/** How each format says that an answer was too long. */
const TOO_LONG: Record<string, RegExp> = {
  'openai-chat': /"finish_reason":"length"[^]*data: \[DONE\]\s*$/,
  'openai-completions': /"finish_reason":"length"[^]*data: \[DONE\]\s*$/,
  'openai-responses': /event: response\.incomplete[^]*"reason":"max_output_tokens"/,
  'anthropic-messages': /"stop_reason":"max_tokens"[^]*event: message_stop/,
  'gemini-generate': /"finishReason":"MAX_TOKENS"/,
}
const EVENTS = 400
/** Tokens of one event, at most; what a token of an answer costs. */
const EVENT = 20
const RATE = 4
const CALLS_AT_ONCE = runsAllTests ? 60 : 18

describeWithGateway('the stricter hold', (weir) => {
  const opened = async (type = 1) => {
    await weir.set('StrictHold', true)
    await weir.set('ModelRatio', { [MODEL]: 1 })
    await weir.set('CompletionRatio', { [MODEL]: RATE })
    await weir.addChannel({ type, models: MODEL })
  }
  const stream = async ({ key }: Caller, name: string) => {
    const dialect = callerFormats.find((format) => format.name === name)!
    const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello' }] }]
    const { body } = dialect.writeModelRequest({ dialect: 'test', model: MODEL, stream: true, messages, extra: {} })
    const path =
      name === geminiGenerate.name
        ? `/v1beta/models/${MODEL}:streamGenerateContent?alt=sse`
        : Object.entries(CALL_PATHS).find(([, each]) => each.name === name)![0]
    return send('POST', weir.url + path, {
      headers: { authorization: `Bearer ${key}` },
      body: JSON.parse(new TextDecoder().decode(body)) as object,
    })
  }
  const settled = async () => {
    await weir.upstream.idle(5000)
    expect(await weir.gateway.client.quota.verify()).toMatchObject({ ok: true, open_holds: 0 })
  }
  const spoken = streamFormats.filter(({ dialect }) => callerFormats.some(({ name }) => name === dialect.name))

  describe.each(spoken)('$dialect.name', (format) => {
    const { name } = format.dialect
    const long = Array.from({ length: EVENTS }, (_, index) => format.texts[index % TEXTS.length]!)

    it('ends a stream as too long where the balance does', async () => {
      await opened(TYPES[name])
      const ada = await weir.addCaller({ quota: 2000 })
      weir.upstream.reply({
        chunks: [format.opening || ': here\n\n', ...long, format.finish, format.usage, format.end].filter(Boolean),
        gap_ms: 2,
      })
      const answer = await stream(ada, name)
      expect(answer.status).toBe(200)
      expect(answer.text).toMatch(TOO_LONG[name]!)
      const { quota } = await ada.balances()
      expect(quota).toBeLessThan(1000)
      expect(quota).toBeGreaterThanOrEqual(-EVENT * RATE)
      const [row] = await ada.logs()
      expect(JSON.parse(row!.other)).toMatchObject({ balance_spent: true })
      await settled()
    })

    it('leaves a stream as it is that it can pay', async () => {
      await opened(TYPES[name])
      const ada = await weir.addCaller({ quota: 10_000_000 })
      weir.upstream.reply({ chunks: [wholeStream(format)] })
      const answer = await stream(ada, name)
      expect(answer.text).not.toMatch(TOO_LONG[name]!)
      for (const text of TEXTS) expect(answer.text).toContain(text.trim())
      await settled()
    })
  })

  it('holds a whole answer in full, as far as its request or its model lets it go', async () => {
    await opened()
    const ada = await weir.addCaller({ quota: 10_000 })
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 9, completion_tokens: 3 }))
    expect((await ada.chat({ model: MODEL })).status).toBe(403)
    expect((await ada.chat({ model: MODEL, max_tokens: 2400, n: 2 })).status).toBe(403)
    expect((await ada.chat({ model: MODEL, max_tokens: 2400 })).status).toBe(200)
    expect((await ada.chat({ model: MODEL, max_tokens: 10 })).status).toBe(200)
    await settled()
  })

  it('counts sound by its bytes', async () => {
    await opened()
    const [heard, said] = [2, 16]
    await weir.set('AudioRatio', { [MODEL]: heard })
    await weir.set('AudioCompletionRatio', { [MODEL]: said / heard })
    // Two seconds.
    const data = Buffer.alloc(96_000).toString('base64')
    const event = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { audio: { id: 'a', data } } }] })}\n\n`
    weir.upstream.reply({ chunks: [...Array.from({ length: 100 }, () => event), 'data: [DONE]\n\n'], gap_ms: 1 })
    const ada = await weir.addCaller({ quota: 20_000 })
    const asked = {
      model: MODEL,
      stream: true,
      modalities: ['text', 'audio'],
      audio: { voice: 'alloy', format: 'pcm16' },
    }
    const { text } = await ada.chat(asked)
    expect(text).toMatch(TOO_LONG['openai-chat']!)
    const { quota } = await ada.balances()
    expect(quota).toBeLessThan(10_000)
    expect(quota).toBeGreaterThanOrEqual(-28 * said)
    await settled()
  })

  it('lets many calls at once take no more than there is, but for an event of each', async () => {
    await opened()
    const [chat] = spoken as [(typeof spoken)[number]]
    const long = Array.from({ length: EVENTS }, (_, index) => chat.texts[index % TEXTS.length]!)
    weir.upstream.reply({ chunks: [...long, chat.finish, chat.usage, chat.end], gap_ms: 2 })
    const ada = await weir.addCaller({ quota: CALLS_AT_ONCE * 333 })
    const answers = await Promise.all(Array.from({ length: CALLS_AT_ONCE }, () => stream(ada, chat.dialect.name)))
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(1)
    const { quota } = await ada.balances()
    expect(quota).toBeGreaterThanOrEqual(-CALLS_AT_ONCE * EVENT * RATE)
    expect(quota).toBeLessThan(CALLS_AT_ONCE * 333)
    await settled()
  })
})
