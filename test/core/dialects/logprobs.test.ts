// Log probabilities: asked for in each format's own words, told in each format's own shape, streamed and whole.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFrameParser, encodeEventFrames, type SseFrame } from '../../../core/dialects/answers/frames.ts'
import { fitRequestToModel } from '../../../core/dialects/reasoning/model-fit.ts'
import type { ModelEvent, OutputTokenLogprobs } from '../../../core/dialects/answers/model-event.ts'
import type { Dialect } from '../../../core/dialects/dialect.ts'
import { anthropicMessages, geminiGenerate, openaiChat, openaiResponses } from '../../../core/index.ts'
import type { Json } from '../../support/json.ts'
import { listFailures } from '../../support/list-failures.ts'

const head = { model: 'm', stream: true, include_usage: true, prompt_estimate: 1 }
const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const json = (body: Uint8Array): Json => JSON.parse(new TextDecoder().decode(body)) as Json
const frame = (value: Json): SseFrame => ({ data: JSON.stringify(value), ...(value.type ? { event: value.type } : {}) })

/** What a vendor says in each format, and what its client finds there. */
interface Format {
  dialect: Dialect
  /** A request that asks for the tokens, and for `n` others at each place. */
  asks(n: number | undefined): Json
  asked(request: Json): unknown
  /** A whole answer, and a stream of pieces of one or more tokens. */
  whole(text: string, tokens: OutputTokenLogprobs[]): Json
  streamed(pieces: readonly Piece[]): Json[]
  told(whole: Json): unknown
  toldIn(frames: Json[]): unknown
}
interface Piece {
  text: string
  tokens: OutputTokenLogprobs[]
}

const messages = [{ role: 'user', content: 'Hello' }]
const LOGPROBS = 'message.output_text.logprobs'
const google = (tokens: OutputTokenLogprobs[]) => ({
  chosenCandidates: tokens.map(({ token, logprob }, tokenId) => ({ token, tokenId, logProbability: logprob })),
  topCandidates: tokens.map(({ top_logprobs }) => ({
    candidates: top_logprobs.map(({ token, logprob }) => ({ token, logProbability: logprob })),
  })),
})
const fromGoogle = ({ chosenCandidates = [], topCandidates = [] }: Json = {}) =>
  chosenCandidates.map(({ token, logProbability }: Json, place: number) => ({
    token,
    logprob: logProbability,
    top_logprobs: topCandidates[place].candidates.map((one: Json) => ({
      token: one.token,
      logprob: one.logProbability,
    })),
  }))
const candidate = (text: string, tokens: OutputTokenLogprobs[], more: object = {}) => ({
  candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0, logprobsResult: google(tokens), ...more }],
  responseId: 'r',
  modelVersion: 'm',
})
const response = { id: 'resp_1', model: 'm', created_at: 1, status: 'completed', output: [] as Json[] }
const place = { item_id: 'msg_1', output_index: 0, content_index: 0 }

const formats: Format[] = [
  {
    dialect: openaiChat,
    asks: (n) => ({ model: 'm', messages, logprobs: true, top_logprobs: n }),
    asked: ({ logprobs, top_logprobs }) => [logprobs, top_logprobs],
    whole: (content, tokens) => ({
      choices: [
        { index: 0, message: { role: 'assistant', content }, logprobs: { content: tokens }, finish_reason: 'stop' },
      ],
    }),
    streamed: (pieces) => [
      { choices: [{ index: 0, delta: { role: 'assistant', content: '' }, logprobs: { content: [] } }] },
      ...pieces.map(({ text, tokens }) => ({
        choices: [{ index: 0, delta: { content: text }, logprobs: { content: tokens, refusal: null } }],
      })),
      { choices: [{ index: 0, delta: {}, logprobs: null, finish_reason: 'stop' }] },
    ],
    told: ({ choices }) => choices[0].logprobs?.content,
    toldIn: (frames) => frames.flatMap(({ choices }) => choices[0]?.logprobs?.content ?? []),
  },
  {
    dialect: openaiResponses,
    asks: (n) => ({ model: 'm', input: messages, include: [LOGPROBS], top_logprobs: n }),
    asked: ({ include, top_logprobs }) => [include?.includes(LOGPROBS), top_logprobs],
    whole: (text, logprobs) => ({
      ...response,
      output: [{ type: 'message', content: [{ type: 'output_text', text, annotations: [], logprobs }] }],
    }),
    streamed: (pieces) => [
      { type: 'response.created', response },
      ...pieces.map(({ text, tokens }) => ({
        type: 'response.output_text.delta',
        ...place,
        delta: text,
        logprobs: tokens,
      })),
      { type: 'response.completed', response },
    ],
    told: ({ output }) => output[0].content[0].logprobs,
    toldIn: (frames) => {
      const deltas = frames.flatMap(({ type, logprobs }) => (type === 'response.output_text.delta' ? logprobs : []))
      const done = frames.find(({ type }) => type === 'response.output_text.done')
      const last = frames.at(-1)?.response.output[0].content[0]
      expect(done?.logprobs).toEqual(deltas)
      expect(last.logprobs).toEqual(deltas)
      return deltas
    },
  },
  {
    dialect: geminiGenerate,
    asks: (n) => ({
      contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
      generationConfig: { responseLogprobs: true, logprobs: n },
    }),
    asked: ({ generationConfig }) => [generationConfig.responseLogprobs, generationConfig.logprobs],
    whole: (text, tokens) => candidate(text, tokens, { finishReason: 'STOP' }),
    streamed: (pieces) => [
      ...pieces.map(({ text, tokens }) => candidate(text, tokens)),
      candidate('', [], { finishReason: 'STOP' }),
    ],
    told: ({ candidates }) => fromGoogle(candidates[0].logprobsResult),
    toldIn: (frames) => frames.flatMap(({ candidates }) => fromGoogle(candidates[0].logprobsResult)),
  },
]
const named = formats.map((format) => [format.dialect.name, format] as const)
const nameFormat = ({ dialect }: Format) => dialect.name

const utf8 = (token: string) => [...new TextEncoder().encode(token)]
const chance = (token: string, logprob: number) => ({ token, logprob, bytes: utf8(token) })
const token = fc.record({
  token: fc.constantFrom('Hel', 'lo', ' é', '你', '"'),
  logprob: fc.double({ min: -30, max: -0.01, noNaN: true }),
})
const said = fc
  .record({ one: token, others: fc.array(token, { maxLength: 3 }) })
  .map(({ one, others }): OutputTokenLogprobs => ({
    ...chance(one.token, one.logprob),
    top_logprobs: others.map((other) => chance(other.token, other.logprob)),
  }))
const textOf = (tokens: readonly OutputTokenLogprobs[]) => tokens.map(({ token: word }) => word).join('')
const piece = fc.array(said, { minLength: 1, maxLength: 3 }).map((tokens): Piece => ({ text: textOf(tokens), tokens }))
const pieces = fc.array(piece, { minLength: 1, maxLength: 4 })

/** As a format tells them: Google has no bytes. */
const seen = ({ dialect }: Format, tokens: readonly OutputTokenLogprobs[]): unknown =>
  dialect === geminiGenerate
    ? JSON.parse(JSON.stringify(tokens, (key, value: unknown) => (key === 'bytes' ? undefined : value)))
    : tokens

function translated(from: Dialect, to: Dialect, frames: Json[]): Json[] {
  const read = from.reader()
  const write = to.writer(head)
  const events = frames.flatMap((one) => read(frame(one)))
  const ended: ModelEvent[] = events.at(-1)?.type === 'end' ? events : [...events, { type: 'end' }]
  const written = createFrameParser().push(encodeEventFrames(ended.flatMap(write)))
  return written.filter(({ data }) => data !== '[DONE]').map(({ data }) => JSON.parse(data) as Json)
}

describe.each(named)('from a caller of %s to a provider of every format', (_, from) => {
  it('the question goes on, with none, 0 or 3 others', async () => {
    const failures = await listFailures(
      [undefined, 0, 3].flatMap((n) => formats.map((to) => ({ n, to }))),
      ({ n, to }) => `${n}, ${nameFormat(to)}`,
      ({ n, to }) => {
        const request = from.dialect.readModelRequest(bytes(from.asks(n)), { model: 'm', stream: false })
        const { request: fit, lost } = fitRequestToModel(request, to.dialect.name)
        const { body, dropped } = to.dialect.writeModelRequest(fit)
        expect(to.asked(json(body))).toEqual([true, n])
        expect([...lost, ...dropped, ...(request.lost ?? [])]).toEqual([])
      },
    )
    expect(failures).toEqual([])
  })

  it('the answer comes back, the same streamed and whole', async () => {
    const failures = await listFailures(formats, nameFormat, (to) => {
      fc.assert(
        fc.property(pieces, (list) => {
          const tokens = list.flatMap((one) => one.tokens)
          const answer = bytes(to.whole(textOf(tokens), tokens))
          const whole = from.dialect.writeWholeReply(to.dialect.readWholeReply(answer), head)
          expect(from.told(json(whole))).toEqual(seen(from, tokens))
          const stream = translated(to.dialect, from.dialect, to.streamed(list))
          expect(from.toldIn(stream)).toEqual(from.told(json(whole)))
        }),
        { numRuns: 40 },
      )
    })
    expect(failures).toEqual([])
  })

  it('tokens that make a letter together are all told, wherever the letter is', async () => {
    const failures = await listFailures(formats, nameFormat, (to) => {
      const parts = [[240, 159], [152, 128], [33]].map((some, at) => ({
        ...{ token: `part ${at}`, logprob: -at - 1, bytes: some, top_logprobs: [] },
      }))
      const list = parts.map((one, at) => ({ text: ['', '😀!', ''][at]!, tokens: [one] }))
      const told = from.toldIn(translated(to.dialect, from.dialect, to.streamed(list))) as Json[]
      expect(told.map(({ token: word }) => word)).toEqual(['part 0', 'part 1', 'part 2'])
      const kept = from.dialect !== geminiGenerate && to.dialect !== geminiGenerate
      if (kept) expect(told.map((one) => one.bytes)).toEqual(parts.map((one) => one.bytes))
    })
    expect(failures).toEqual([])
  })

  it('nothing is told where nothing was', async () => {
    const failures = await listFailures(formats, nameFormat, (to) => {
      const frames = to.streamed([{ text: 'Hello', tokens: [] }])
      const whole = from.dialect.writeWholeReply(to.dialect.readWholeReply(bytes(to.whole('Hello', []))), head)
      for (const one of [...translated(to.dialect, from.dialect, frames), json(whole)]) {
        expect(JSON.stringify(one).replaceAll(/"logprobs":\[\]|"top_logprobs":0/g, '')).not.toContain('logprobs')
      }
    })
    expect(failures).toEqual([])
  })
})

it('tells those of each of several answers', () => {
  const one = (index: number, word: string) => ({
    index,
    message: { role: 'assistant', content: word },
    logprobs: { content: [{ ...chance(word, -1), top_logprobs: [] }] },
    finish_reason: 'stop',
  })
  const events = openaiChat.readWholeReply(bytes({ choices: [one(0, 'a'), one(1, 'b')] }))
  const { candidates } = json(geminiGenerate.writeWholeReply(events))
  expect(candidates.map((each: Json) => fromGoogle(each.logprobsResult)[0].token)).toEqual(['a', 'b'])
})

it('tells none of thoughts and calls, nor begins a message for them', () => {
  const logprobs = { content: [{ ...chance('x', -1), top_logprobs: [] }] }
  const deltas = [
    { reasoning_content: 'Well' },
    { tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] },
    {},
  ]
  const chunks = deltas.map((delta) => ({ choices: [{ index: 0, delta, logprobs }] }))
  const frames = translated(openaiChat, openaiResponses, chunks)
  expect(frames.at(-1)?.response.output.map(({ type }: Json) => type)).toEqual(['reasoning', 'function_call'])
})

describe.each(named)('asked for in %s', (_, { dialect, asks }) => {
  const asked = (model: string, to: Dialect, request: Json) => {
    const read = dialect.readModelRequest(bytes({ ...request, model }), { model, stream: false })
    const { request: fit, lost } = fitRequestToModel(read, to.name)
    const { body, dropped } = to.writeModelRequest(fit)
    return { text: new TextDecoder().decode(body), named: new Set([...(read.lost ?? []), ...lost, ...dropped]) }
  }

  it.each([
    ['gpt-5.5', openaiChat],
    ['o4-mini', openaiResponses],
    ['gpt-6-astra', openaiResponses],
    ['deepseek-reasoner', openaiChat],
    ['gemini-2.5-flash', geminiGenerate],
    ['gemini-3.5-flash', geminiGenerate],
    ['gemini-flash-latest', geminiGenerate],
    ['claude-sonnet-4-5', anthropicMessages],
  ] as const)('they are named where %s refuses them', (model, to) => {
    const { text, named: names } = asked(model, to, asks(2))
    expect(text).not.toMatch(/logprobs/i)
    expect(names).toEqual(new Set(['logprobs', 'top_logprobs']))
  })

  it('their number alone is named, for nobody takes it', () => {
    const alone = { ...asks(2), logprobs: undefined, include: undefined }
    if (dialect === geminiGenerate) alone.generationConfig = { logprobs: 2 }
    const to = dialect === openaiChat ? geminiGenerate : openaiChat
    const { text, named: names } = asked('m', to, alone)
    expect(text).not.toMatch(/logprobs/i)
    expect(names).toEqual(new Set(['top_logprobs']))
  })
})
