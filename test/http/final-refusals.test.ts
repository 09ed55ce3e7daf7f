// A refusal that will not pass soon is told once: the official clients do not wait for it. Refusals for an amount say what
// was asked, what is left and what would fit.
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { parseCallDetail } from '../../core/calls/detail.ts'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway } from '../support/gateway.ts'
import { listFailures } from '../support/list-failures.ts'
import { chatReply } from '../support/upstream.ts'

const quota = 1_000_000

describeWithGateway('a refusal', (weir) => {
  const messages = [{ role: 'user' as const, content: 'Hello' }]
  /** Each official client with its retries, asking the same model. */
  const clients: Record<string, (caller: Caller) => Promise<unknown>> = {
    openai: ({ key }) =>
      new OpenAI({ baseURL: `${weir.url}/v1`, apiKey: key }).chat.completions.create({ model: weir.model, messages }),
    'openai responses': ({ key }) =>
      new OpenAI({ baseURL: `${weir.url}/v1`, apiKey: key }).responses.create({ model: weir.model, input: 'Hello' }),
    anthropic: ({ key }) =>
      new Anthropic({ baseURL: weir.url, apiKey: key }).messages.create({ model: weir.model, max_tokens: 9, messages }),
    gemini: ({ key }) =>
      new GoogleGenAI({
        apiKey: key,
        httpOptions: { baseUrl: weir.url, retryOptions: { attempts: 3 } },
      }).models.generateContent({ model: weir.model, contents: 'Hello' }),
  }

  const countRefusals = async ({ user: { username } }: Caller) =>
    (await weir.root.client.logs.list({ username, type: 5 })).items.reduce(
      (sum, { other }) => sum + (parseCallDetail(other).refused?.calls ?? 0),
      0,
    )

  it('that lasts longer than a minute is final for every official client, and says when it ends', async () => {
    await weir.addChannel()
    const wrong = await listFailures(
      Object.entries(clients),
      ([name]) => name,
      async ([name, call]) => {
        // The month has more than a minute left, except in its last one.
        const caller = await weir.addCaller({ quota, token: { budget_month: 1 } })
        const error = await call(caller).catch((thrown: unknown) => thrown)
        expect(error).toMatchObject({ status: name === 'gemini' ? 403 : 429 })
        expect(String(error)).toMatch(/It renews at \d{4}-\d\d-01T00:00Z/)
        expect(await countRefusals(caller)).toBe(1)
      },
    )
    expect(wrong).toEqual([])
  })

  it('for a prompt that never fits the limit of tokens is final, too', async () => {
    await weir.addChannel()
    const caller = await weir.addCaller({ quota, token: { tokens_per_minute: 10 } })
    const content = 'word '.repeat(100)
    const { status, headers, json } = await caller.chat({ messages: [{ role: 'user', content }] })
    expect([status, headers['x-should-retry']]).toEqual([429, 'false'])
    expect(json.error.message).toMatch(/Limited to 10 tokens a minute: 10 left, \d+ needed/)
  })

  it('that passes within a minute may be retried', async () => {
    await weir.addChannel()
    const caller = await weir.addCaller({ quota, token: { requests_per_minute: 1 } })
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 1, completion_tokens: 1 }))
    expect((await caller.chat()).status).toBe(200)
    const { status, headers } = await caller.chat()
    expect([status, headers['x-should-retry']]).toEqual([429, undefined])
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60)
  })

  it('for an amount names the answer that fits, and a shorter one does not fit better', async () => {
    await weir.addChannel()
    const payers = {
      budget: { quota, token: { budget_day: 1000 } },
      'token quota': { quota, token: { remain_quota: 1000 } },
      'user quota': { quota: 1000 },
    }
    const cases = [true, false].flatMap((strict) =>
      Object.entries(payers).map(([payer, options]) => ({ strict, payer, options })),
    )
    const wrong = await listFailures(
      cases,
      ({ strict, payer }) => `${payer}, StrictHold ${strict}`,
      async ({ strict, payer, options }) => {
        await weir.set('StrictHold', strict)
        const caller = await weir.addCaller(options)
        weir.upstream.reply(chatReply('Hello', { prompt_tokens: 0, completion_tokens: 0 }))
        const refused = await caller.chat({ max_tokens: 100_000 })
        const { message } = refused.json.error
        const [, left, needed] = /(\d+)(?: of this token's \d+)? left, (\d+) needed/.exec(message) ?? []
        expect([Number(left), Number(needed) > 1000]).toEqual([1000, true])
        const most = Number(/an answer of at most (\d+) tokens fits/.exec(message)?.[1])
        expect((await caller.chat({ max_tokens: most + 1 })).status).not.toBe(200)
        expect([payer, (await caller.chat({ max_tokens: most })).status]).toEqual([payer, 200])
      },
    )
    expect(wrong).toEqual([])
  })
})
