// A client that disconnects gets no free answer: every format, streamed and whole, at every moment, with every value of
// `relay.hang_up`.
import { request as httpRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, describe } from 'vitest'
import type { ModelEvent } from '../../core/dialects/answers/model-event.ts'
import { geminiGenerate } from '../../core/index.ts'
import { CALL_PATHS } from '../../http/relay-paths.ts'
import { callerFormats, streamFormats, TEXTS, USED, type StreamFormat } from '../support/formats.ts'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway, eventually } from '../support/gateway.ts'
import { pickInTurn } from '../support/suite.ts'
import type { TestReply } from '../support/upstream.ts'

const QUOTA = 10_000_000
const PLAIN = 'plain-model'
const THINKER = 'model-thinking'
const TYPES: Record<string, number> = { 'anthropic-messages': 14, 'gemini-generate': 24 }
const GAP_MS = 25

const pathOf = (name: string, model: string, streamed: boolean) =>
  name === geminiGenerate.name
    ? `/v1beta/models/${model}:${streamed ? 'streamGenerateContent?alt=sse' : 'generateContent'}`
    : Object.entries(CALL_PATHS).find(([, dialect]) => dialect.name === name)![0]

/** When the caller leaves: before anything comes, or once it has so many texts. */
const MOMENTS = { 'while it is asked': -1, 'behind its head': 0, 'behind a text': 1, 'behind two': 2, 'behind all': 3 }

const usage: ModelEvent = {
  type: 'usage',
  usage: { ...USED, cache_read: 0, cache_write: 0, cache_write_1h: 0, reasoning: 0, source: 'reported' },
}

describeWithGateway('whoever hangs up', (weir) => {
  const dueOf = (model: string) => weir.due({ prompt: USED.input, completion: USED.output }, { model })

  /** A right answer, slow enough to be left at any moment. */
  function answer({ dialect, opening, texts, finish, usage: told, end }: StreamFormat, streamed: boolean): TestReply {
    const latency_ms = 3 * GAP_MS
    if (streamed) {
      const chunks = [opening || ': here\n\n', ...texts, finish, told, end].filter((chunk) => chunk !== '')
      return { latency_ms, gap_ms: 3 * GAP_MS, chunks }
    }
    const format = callerFormats.find(({ name }) => name === dialect.name)!
    const said = TEXTS.map((text) => ({ type: 'text', text, choice: 0 }) as const)
    const start = { type: 'start', id: 'a1', model: 'm', created: 1 } as const
    const events = [
      start,
      ...said,
      { type: 'finish', reason: 'stop', choice: 0 } as const,
      usage,
      { type: 'end' } as const,
    ]
    const whole = new TextDecoder().decode(format.writeWholeReply(events))
    const half = whole.length / 2
    const headers = { 'content-type': 'application/json' }
    return { latency_ms, gap_ms: 3 * GAP_MS, headers, chunks: [whole.slice(0, half), whole.slice(half)] }
  }

  /** Everybody who leaves in one test, all at once; a caller is in one call at a time. */
  const crew: Caller[] = []
  let asks = 0

  /** Calls, leaves at the moment, and tells what had come and what it cost. */
  async function left(
    caller: Caller,
    format: StreamFormat,
    model: string,
    streamed: boolean,
    texts: number,
    more = {},
  ) {
    const asked = { dialect: 'test', model, stream: streamed, extra: {}, max_tokens: 5000, ...more }
    const text = `Hello, for time ${(asks += 1)}.`
    const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text }] }]
    const dialect = callerFormats.find(({ name }) => name === format.dialect.name)!
    weir.upstream.reply(answer(format, streamed))
    const known = (await caller.logs()).length
    const { quota } = await caller.balances()
    let received = ''
    const request = httpRequest(weir.url + pathOf(dialect.name, model, streamed), {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${caller.key}`, 'content-type': 'application/json' },
    })
    request.on('error', () => undefined)
    request.on('response', (response) => {
      response.on('error', () => undefined)
      response.on('data', (run: Buffer) => (received += run.toString()))
    })
    request.end(Buffer.from(dialect.writeModelRequest({ ...asked, messages }).body))
    await eventually(
      () => weir.upstream.requests.some(({ json }) => JSON.stringify(json).includes(text)),
      (came) => came,
    )
    if (texts === 0) await sleep(4 * GAP_MS)
    else if (texts > 0 && streamed) {
      await eventually(
        () => received,
        (run) => run.includes(TEXTS[texts - 1]!.trim()),
      )
    }
    request.destroy()
    const [row] = await eventually(
      async () => {
        await sleep(GAP_MS)
        return caller.logs()
      },
      (rows) => rows.length > known,
    )
    const came = TEXTS.filter((text) => received.includes(text.trim())).join('')
    const paid = quota - (await caller.balances()).quota
    expect(paid, 'the log says what was paid').toBe(row!.quota)
    return { came, paid, row: row!, other: JSON.parse(row!.other) as Record<string, unknown> }
  }

  const opened = async (format: StreamFormat, setting: object = {}) => {
    await weir.set('ModelRatio', { [PLAIN]: 1, [THINKER]: 1 })
    await weir.set('CompletionRatio', { [PLAIN]: 4, [THINKER]: 4 })
    const type = TYPES[format.dialect.name] ?? 1
    await weir.addChannel({ type, models: `${PLAIN},${THINKER}`, setting: JSON.stringify(setting) })
    while (crew.length < Object.keys(MOMENTS).length) crew.push(await weir.addCaller({ quota: QUOTA }))
    return crew
  }
  /** At each of the moments at once: somebody leaves, and it is looked at. */
  const atEach = (
    people: Caller[],
    moments: readonly (keyof typeof MOMENTS)[],
    look: (caller: Caller, texts: number, moment: string) => Promise<void>,
  ) => Promise.all(moments.map((moment, index) => look(people[index]!, MOMENTS[moment], moment)))
  const moments = Object.keys(MOMENTS) as (keyof typeof MOMENTS)[]
  /** The formats share the moments out in `npm test`. */
  const listMoments = (format: StreamFormat, turn: number) =>
    pickInTurn(moments, streamFormats.indexOf(format) + turn, 2)
  const settled = async () => {
    await weir.upstream.idle(5000)
    const { ok, open_holds } = await weir.gateway.client.quota.verify()
    expect({ ok, open_holds }).toEqual({ ok: true, open_holds: 0 })
  }
  const spoken = streamFormats.filter(({ dialect }) => callerFormats.some(({ name }) => name === dialect.name))

  describe.each(spoken)('$dialect.name', (format) => {
    it('of plain text pays for what came, at every moment', async () => {
      await atEach(await opened(format), listMoments(format, 0), async (ada, texts, moment) => {
        const { came, paid, row } = await left(ada, format, PLAIN, true, texts)
        expect(came.length, moment).toBeGreaterThanOrEqual(texts < 1 ? 0 : TEXTS.slice(0, texts).join('').length)
        // The first text may be on its way to who leaves before it is read.
        const onItsWay = texts < 1 ? TEXTS[0]!.length : 0
        if (came === '') expect(row.completion_tokens, moment).toBeLessThanOrEqual(onItsWay)
        else expect(row.completion_tokens, moment).toBeGreaterThanOrEqual(Math.floor(came.length / 4))
        expect(paid === 0, moment).toBe(row.completion_tokens === 0)
      })
      await settled()
    })

    it('of a model that thinks pays exactly what was used, at every moment', async () => {
      await atEach(await opened(format), listMoments(format, 1), async (ada, texts, moment) => {
        const { paid, other } = await left(ada, format, THINKER, true, texts)
        expect(paid, moment).toBe(dueOf(THINKER))
        expect(other, moment).toMatchObject({ caller_left: true })
      })
      await settled()
    })

    it('of an answer that is not streamed pays exactly what was used, at every moment', async () => {
      await atEach(await opened(format), ['while it is asked', 'behind its head'], async (ada, texts, moment) => {
        const { came, paid } = await left(ada, format, PLAIN, false, texts)
        expect({ came, paid }, moment).toEqual({ came: '', paid: dueOf(PLAIN) })
      })
      await settled()
    })
  })

  const [chat] = spoken as [StreamFormat]

  it.each(['the setting', 'the channel'])('pays exactly where %s reads all answers on', async (by) => {
    const people = await opened(chat, by === 'the channel' ? { hang_up: 'finish' } : {})
    if (by === 'the setting') await weir.set('relay.hang_up', 'finish')
    await atEach(people, pickInTurn(moments, by === 'the channel' ? 0 : 1, 3), async (ada, texts, moment) => {
      expect((await left(ada, chat, PLAIN, true, texts)).paid, moment).toBe(dueOf(PLAIN))
    })
    await settled()
  })

  it('pays for what came, and for what is known to be thought, where every answer is cut', async () => {
    const [ada] = await opened(chat, { hang_up: 'abort' })
    const aborted = weir.upstream.aborted
    const { row } = await left(ada!, chat, THINKER, true, 1, { reasoning_effort: 'low' })
    expect(row.completion_tokens).toBeGreaterThanOrEqual(1024)
    expect(row.completion_tokens).toBeLessThan(1100)
    expect((await left(ada!, chat, THINKER, true, 1, { reasoning_effort: 'high' })).row.completion_tokens).toBe(5000)
    expect(await left(ada!, chat, THINKER, false, -1)).toMatchObject({ came: '', paid: 0 })
    await settled()
    expect(weir.upstream.aborted).toBe(aborted + 3)
  })

  it('pays for what came alone where the provider bills nothing for cut streams', async () => {
    const [ada] = await opened(chat, { bills_cut_streams: false })
    const { row, came } = await left(ada!, chat, THINKER, true, 1)
    expect(row.completion_tokens).toBeGreaterThan(0)
    expect(row.completion_tokens).toBeLessThanOrEqual(came.length)
    expect((await left(ada!, chat, THINKER, false, -1)).paid).toBe(dueOf(THINKER))
    await settled()
  })

  it('is not waited for longer than is set', async () => {
    const [ada] = await opened(chat)
    await weir.set('relay.hang_up_seconds', 1)
    weir.upstream.reply({ stall: 'before_head' })
    const known = (await ada!.logs()).length
    const request = new AbortController()
    const call = fetch(`${weir.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada!.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: PLAIN, messages: [{ role: 'user', content: 'Hello' }] }),
      signal: request.signal,
    }).catch(() => undefined)
    await eventually(
      () => weir.upstream.requests.length,
      (count) => count === 1,
    )
    request.abort()
    await call
    const [row] = await eventually(
      () => ada!.logs(),
      (rows) => rows.length > known,
    )
    expect(row).toMatchObject({ type: 5, quota: 0, content: expect.stringContaining('The caller hung up') })
    await settled()
  })
})
