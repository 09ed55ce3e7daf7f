// Answers are read by what is there, not by what their content type says; and vectors, ranks and ends come as their callers asked.
import { afterEach, describe, expect, it } from 'vitest'
import type { CallerDialect, Dialect } from '../../../core/dialects/dialect.ts'
import { openaiEmbeddings } from '../../../core/dialects/embeddings/openai-embeddings.ts'
import { geminiEmbedContent } from '../../../core/dialects/embeddings/gemini-embeddings.ts'
import { rerank } from '../../../core/dialects/embeddings/rerank.ts'
import { anthropicMessages, geminiGenerate, openaiChat, openaiResponses } from '../../../core/index.ts'
import { listFailures } from '../../support/list-failures.ts'
import type { MemoryReply } from '../../support/memory-upstream.ts'
import { openRelay, QUOTA, type Relayed } from './calls.ts'

const opened: Relayed[] = []
const open = async (type: number, models?: string) => {
  const relay = await openRelay({ channels: [{ type, ...(models ? { models } : {}) }] })
  opened.push(relay)
  return relay
}
afterEach(async () => {
  for (const { gateway } of opened.splice(0)) await gateway.close()
})

const MODEL = 'gpt-4o'
const bytes = (value: object) => new TextEncoder().encode(JSON.stringify(value))
const usage = { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105 }
const choice = { index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }
const json = JSON.stringify({ id: 'a', object: 'chat.completion', created: 1, model: 'm', choices: [choice], usage })
const pretty = JSON.stringify(JSON.parse(json), null, 2)
const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: 'a', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
const events = `${chunk({ content: 'Hello' })}${chunk({}, 'stop')}data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`

/** Runs as they may arrive. */
const bodies: Record<string, string[]> = {
  JSON: [json],
  'JSON in lines': [pretty],
  'JSON in runs': [json.slice(0, 20), json.slice(20)],
  events: [events],
  'events behind a comment': [': ping\n\n', events],
  'events in runs': [events.slice(0, 30), events.slice(30)],
}
const labels = ['application/json', 'text/event-stream', 'text/plain', 'text/html', '']

const messages = [{ role: 'user', content: 'Hi' }]
const callers: [Dialect, object][] = [
  [openaiChat, { messages }],
  [openaiResponses, { input: 'Hi' }],
  [anthropicMessages, { messages, max_tokens: 5 }],
  [geminiGenerate, { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }],
]

const labelled = (parts: string[], type: string, status = 200): MemoryReply => {
  const headers: Record<string, string> = type ? { 'content-type': type } : {}
  return { status, headers, parts }
}

describe('an answer', () => {
  it('is read whatever its content type says, streamed or not', async () => {
    const relay = await open(42)
    const cases = Object.entries(bodies).flatMap(([name, parts]) =>
      labels.flatMap((type) =>
        callers.flatMap(([inbound, words]) =>
          [true, false].map((stream) => ({ name, parts, type, inbound, words, stream })),
        ),
      ),
    )
    const failures = await listFailures(
      cases,
      ({ name, type, inbound, stream }) => `${name} as ${type}, ${inbound.name}, ${stream}`,
      async ({ parts, type, inbound, words, stream }) => {
        relay.gateway.upstream.reply(labelled(parts, type))
        const before = (await relay.balance())!
        const { text, error, head } = await relay.run(
          {},
          {
            inbound,
            body: bytes({ model: MODEL, ...words, ...(stream ? { stream } : {}) }),
            place: { model: MODEL, stream },
          },
        )
        expect(error).toBeUndefined()
        expect(text).toContain('Hello')
        expect(head?.headers['content-type']?.startsWith(stream ? 'text/event-stream' : 'application/json')).toBe(true)
        expect(before - (await relay.balance())!).toBe(110)
      },
    )
    expect(failures).toEqual([])
    await relay.settled()
  })

  it('that is an error is one, however it is labelled', async () => {
    const relay = await open(42)
    const error = JSON.stringify({ error: { message: 'no room left', type: 'server_error' } })
    const said = [error, `data: ${error}\n\n`, `event: error\ndata: ${error}\n\n`, `${error}\n\ndata: [DONE]\n\n`]
    const cases = said.flatMap((body) =>
      labels.flatMap((type) =>
        [200, 500].flatMap((status) => [true, false].map((stream) => ({ body, type, status, stream }))),
      ),
    )
    const failures = await listFailures(
      cases,
      (one) => JSON.stringify(one),
      async ({ body, type, status, stream }) => {
        relay.gateway.upstream.reply(labelled([body], type, status))
        const { error: thrown } = await relay.run({ stream })
        expect(thrown).toMatchObject({ failure: { source: 'upstream' } })
        // An end mark behind an object is understood in a stream alone.
        if (!body.endsWith('[DONE]\n\n') || type === 'text/event-stream')
          expect(String(thrown)).toContain('no room left')
      },
    )
    expect(failures).toEqual([])
    expect(await relay.balance()).toBe(QUOTA)
  })

  it('tells callers of Messages which sequence ended it', async () => {
    const relay = await open(42)
    const ends: [object, string | null][] = [
      [{ stop_reason: 'END' }, 'END'],
      [{ matched_stop: 'END' }, 'END'],
      [{ stop_reason: 128009 }, null],
      [{ stop_reason: null, matched_stop: 151645 }, null],
      [{ stop_reason: 'stop' }, null],
    ]
    for (const [more, sequence] of ends) {
      for (const stream of [true, false]) {
        const streamed =
          chunk({ content: 'x' }) +
          `data: ${JSON.stringify({ id: 'a', choices: [{ index: 0, delta: {}, finish_reason: 'stop', ...more }] })}\n\n`
        const parts = [stream ? streamed : JSON.stringify({ id: 'a', choices: [{ ...choice, ...more }], usage })]
        relay.gateway.upstream.reply(labelled(parts, stream ? 'text/event-stream' : 'application/json'))
        const body = bytes({ model: MODEL, messages, max_tokens: 5, stop_sequences: ['END'], stream })
        const { text } = await relay.run({}, { inbound: anthropicMessages, body })
        expect(text).toContain(`"stop_sequence":${JSON.stringify(sequence)}`)
        expect(text).toContain(`"stop_reason":"${sequence ? 'stop_sequence' : 'end_turn'}"`)
      }
    }
  })
})

describe('embeddings', () => {
  const VECTOR = [0.5, -0.25, 3, 1e-3]
  const base64 = Buffer.from(new Float32Array(VECTOR).buffer).toString('base64')
  const floats = Array.from(new Float32Array(VECTOR))
  const answer = (embedding: unknown, more: object = {}) =>
    JSON.stringify({
      object: 'list',
      model: 'm',
      data: [0, 1].map((index) => ({ object: 'embedding', index, embedding })),
      usage: { prompt_tokens: 10 },
      more,
    })
  const ask = async (relay: Relayed, inbound: CallerDialect, fields: object) => {
    const { text, error } = await relay.run(
      {},
      { inbound, body: bytes({ model: MODEL, ...fields }), place: { model: MODEL } },
    )
    expect(error).toBeUndefined()
    return JSON.parse(text)
  }

  it('are in the format that was asked for, whichever came', async () => {
    const relay = await open(1)
    for (const came of [VECTOR, base64]) {
      for (const label of labels) {
        relay.gateway.upstream.reply(labelled([answer(came)], label))
        for (const [encoding_format, wanted] of [
          ['base64', base64],
          ['float', floats],
        ] as const) {
          const { data, more } = await ask(relay, openaiEmbeddings, { input: ['x', 'y'], encoding_format })
          expect(
            data.map((one: { embedding: unknown }) =>
              typeof wanted === 'string' ? one.embedding : Array.from(new Float32Array(one.embedding as number[])),
            ),
          ).toEqual([wanted, wanted])
          expect(more).toEqual({})
        }
      }
    }
  })

  it('are numbers for callers of Gemini', async () => {
    const relay = await open(1)
    relay.gateway.upstream.reply(labelled([answer(base64)], 'application/json'))
    const { embedding } = await ask(relay, geminiEmbedContent, { content: { parts: [{ text: 'x' }] } })
    expect(embedding.values).toEqual(floats)
  })

  it('of other kinds, and what is right already, stay byte by byte', () => {
    const came = new TextEncoder().encode(answer(base64))
    const head = (more: object) => openaiEmbeddings.readRequestHead(bytes({ model: MODEL, input: 'x', ...more }))
    expect(openaiEmbeddings.fitAnswer!(came, head({ encoding_format: 'base64' }))).toBe(came)
    expect(openaiEmbeddings.fitAnswer!(came, head({ output_dtype: 'int8' }))).toBe(came)
    expect(openaiEmbeddings.fitAnswer!(came, head({ encoding_format: 'ubinary' }))).toBe(came)
  })
})

describe('ranks', () => {
  it('have no document that is null', () => {
    const head = rerank.readRequestHead(bytes({ model: MODEL, query: 'x', documents: ['a', 'b'] }))
    const result = (index: number, more: object) => ({ index, relevance_score: 0.25, ...more })
    const fit = (results: object[]) =>
      JSON.parse(new TextDecoder().decode(rerank.fitAnswer!(bytes({ id: 'r', results, usage: {} }), head)))
    const document = { text: 'a' }
    expect(fit([result(0, { document: null }), result(1, { document })])).toEqual({
      id: 'r',
      results: [result(0, {}), result(1, { document })],
      usage: {},
    })
    const plain = bytes({ results: [result(0, {})] })
    expect(rerank.fitAnswer!(plain, head)).toBe(plain)
  })
})
