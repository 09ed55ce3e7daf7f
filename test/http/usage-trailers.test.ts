// Usage that a provider reports only in an HTTP trailer is charged: every format, streamed and whole, in its own format
// and in another one.
import { expect, it } from 'vitest'
import type { ModelEvent } from '../../core/dialects/answers/model-event.ts'
import { geminiGenerate } from '../../core/index.ts'
import { CALL_PATHS } from '../../http/relay-paths.ts'
import { callerFormats, streamFormats, TEXTS, USED, type StreamFormat } from '../support/formats.ts'
import { describeWithGateway } from '../support/gateway.ts'
import { listFailures } from '../support/list-failures.ts'
import { pickInTurn } from '../support/suite.ts'
import type { TestReply } from '../support/upstream.ts'

const MODEL = 'trailing-model'

const REPORTS: Record<string, object> = {
  'anthropic-messages': { input_tokens: USED.input, output_tokens: USED.output },
  'openai-responses': { input_tokens: USED.input, output_tokens: USED.output },
  'gemini-generate': { promptTokenCount: USED.input, candidatesTokenCount: USED.output },
}
const CHAT = { prompt_tokens: USED.input, completion_tokens: USED.output }

const pathOf = (name: string, streamed: boolean) =>
  name === geminiGenerate.name
    ? `/v1beta/models/${MODEL}:${streamed ? 'streamGenerateContent?alt=sse' : 'generateContent'}`
    : Object.entries(CALL_PATHS).find(([, dialect]) => dialect.name === name)![0]

/** A right answer that says nothing of what it used. */
function silent({ dialect, opening, texts, finish, end }: StreamFormat, streamed: boolean): TestReply {
  const without = (text: string) => text.replace(/,?"usage(Metadata)?":\{[^{}]*\}/g, '')
  if (streamed) return { chunks: [opening, ...texts, finish, end].filter((chunk) => chunk !== '').map(without) }
  const events: ModelEvent[] = [
    { type: 'start', id: 'a1', model: 'm', created: 1 },
    ...TEXTS.map((text) => ({ type: 'text', text, choice: 0 }) as const),
    { type: 'finish', reason: 'stop', choice: 0 },
    { type: 'end' },
  ]
  const format = callerFormats.find(({ name }) => name === dialect.name)!
  const headers = { 'content-type': 'application/json' }
  return { headers, body: without(new TextDecoder().decode(format.writeWholeReply(events))) }
}

const TRAILERS: [string, (name: string) => Record<string, string>][] = [
  ['named for it', (name) => ({ 'x-usage': JSON.stringify(REPORTS[name] ?? CHAT) })],
  [
    'with its member',
    (name) => ({
      report: JSON.stringify({ [name === geminiGenerate.name ? 'usageMetadata' : 'usage']: REPORTS[name] ?? CHAT }),
    }),
  ],
]

/** In which format a channel is asked for a caller of another one. */
const SPOKEN = { 1: 'openai-chat', 14: 'anthropic-messages', 24: 'gemini-generate' }
const CASES = Object.entries(SPOKEN).flatMap(([type, spoken]) =>
  callerFormats.map((ours) => ({
    type: Number(type),
    ours,
    asked: spoken === 'openai-chat' && ours.name.startsWith('openai') ? ours.name : spoken,
  })),
)

describeWithGateway('a report in a trailer', (weir) => {
  it.each(Object.keys(SPOKEN).map(Number))(
    'of a channel of type %i is charged to callers of every format',
    async (type) => {
      await weir.set('ModelRatio', { [MODEL]: 1 })
      await weir.set('CompletionRatio', { [MODEL]: 4 })
      const ada = await weir.addCaller({ quota: 1_000_000 })
      await weir.addChannel({ type, models: MODEL })
      const due = weir.due({ prompt: USED.input, completion: USED.output }, { model: MODEL })
      const cases = CASES.filter((each) => each.type === type)
      const wrong = await listFailures(
        cases,
        ({ ours }) => ours.name,
        async (one) => {
          const { ours, asked } = one
          const theirs = streamFormats.find(({ dialect }) => dialect.name === asked)!
          const ways = [true, false].flatMap((streamed) =>
            TRAILERS.map(([kind, trailers]) => ({ streamed, kind, trailers })),
          )
          for (const { streamed, kind, trailers } of pickInTurn(ways, CASES.indexOf(one), 2)) {
            weir.upstream.reply({ ...silent(theirs, streamed), trailers: trailers(asked) })
            const before = (await ada.balances()).quota
            const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello' }] }]
            const { body } = ours.writeModelRequest({
              dialect: 'test',
              model: MODEL,
              stream: streamed,
              extra: {},
              messages,
            })
            const response = await fetch(weir.url + pathOf(ours.name, streamed), {
              method: 'POST',
              headers: { authorization: `Bearer ${ada.key}`, 'content-type': 'application/json' },
              body: Buffer.from(body),
            })
            const at = `${streamed ? 'streamed' : 'whole'}, ${kind}: ${await response.text()}`
            expect(response.status, at).toBe(200)
            expect(before - (await ada.balances()).quota, at).toBe(due)
          }
        },
      )
      expect(wrong).toEqual([])
    },
  )
})
