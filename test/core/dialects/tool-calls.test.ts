// Two calls of one tool, in every way in which providers tell them: callers of each format read two calls, each with its own
// id and with arguments that parse, in a stream and in a whole answer.
import { describe, expect, it } from 'vitest'
import type { Dialect, ProviderDialect } from '../../../core/dialects/dialect.ts'
import { encodeEventFrames } from '../../../core/dialects/answers/frames.ts'
import { hunyuanChatDialect } from '../../../core/dialects/provider-only/hunyuan-chat.ts'
import { anthropicMessages, geminiGenerate, openaiChat, openaiResponses } from '../../../core/index.ts'
import { createTranslator, wrapProviderDialect } from '../../../core/relay/answers/translate.ts'
import { listFailures } from '../../support/list-failures.ts'
import type { Json } from '../../support/json.ts'
import { callReaders, type Read } from '../../support/call-readers.ts'
import {
  A,
  B,
  chatFrames,
  messageFrames,
  responseFrames,
  shapes,
  tencentFrames,
  typed,
  type Piece,
} from '../../support/call-shapes.ts'

const head = { model: 'm', stream: true, include_usage: true, prompt_estimate: 1 }

const providers: [ProviderDialect, typeof chatFrames, [string, Piece[][]][]][] = [
  [openaiChat, chatFrames, Object.entries(shapes)],
  [hunyuanChatDialect, tencentFrames, Object.entries(shapes)],
  [anthropicMessages, messageFrames, typed],
  [openaiResponses, responseFrames, typed],
]
const cases = providers.flatMap(([from, frames, told]) =>
  told.flatMap(([shape, deltas]) =>
    callReaders.map((client) => ({ from, shape, said: frames(deltas), deltas, client })),
  ),
)

const spokenBy = (from: ProviderDialect, to: Dialect) =>
  wrapProviderDialect(from, to, { force_format: true }, head, { id: 'made', now: () => 1 })

const jsonIn = (frame: { data: string }): Json[] => (frame.data === '[DONE]' ? [] : [JSON.parse(frame.data)])

function check({ calls, text }: Read, to: Dialect, deltas: Piece[][]): void {
  expect(calls.map(({ name }) => name)).toEqual(['look_up', 'look_up'])
  expect(calls.map(({ args }) => JSON.parse(args).q).toSorted()).toEqual(['b}', '{a'])
  // Google's calls may be without ids.
  if (to !== geminiGenerate) expect(calls.every(({ id }) => Boolean(id))).toBe(true)
  expect(new Set(calls.map(({ id }) => id)).size).toBe(calls[0]!.id ? 2 : 1)
  expect(text).toBe(
    deltas
      .flat()
      .map((piece) => piece.text ?? '')
      .join(''),
  )
}

describe('two calls of one tool', () => {
  it('stay two in a stream, whoever told them and whoever reads them', async () => {
    const failures = await listFailures(
      cases,
      ({ from, shape, client: [to] }) => `${from.name}, ${shape}, to ${to.name}`,
      ({ from, said, deltas, client: [to, read] }) => {
        const watcher = createTranslator(spokenBy(from, to), to, head)
        const seen = [
          watcher.look(encodeEventFrames(said.map((one) => ({ data: JSON.stringify(one) })))),
          watcher.close(),
        ]
        const bytes = Buffer.concat([...seen.flatMap(({ pass }) => pass), seen.at(-1)!.end ?? new Uint8Array()])
        const events = bytes
          .toString()
          .split('\n\n')
          .flatMap((frame) => jsonIn({ data: /^data: (.*)$/m.exec(frame)?.[1] ?? '[DONE]' }))
        check(read(events), to, deltas)
      },
    )
    expect(failures).toEqual([])
  })

  it('stay two in a whole answer', async () => {
    const failures = await listFailures(
      cases,
      ({ from, shape, client: [to] }) => `${from.name}, ${shape}, to ${to.name}`,
      ({ from, said, deltas, client: [to, , read] }) => {
        const reader = spokenBy(from, to).reader()
        const events = said.flatMap((one) => reader({ data: JSON.stringify(one) }))
        check(read(JSON.parse(new TextDecoder().decode(to.writeWholeReply(events, head)))), to, deltas)
      },
    )
    expect(failures).toEqual([])
  })
})

describe('a call of a whole answer', () => {
  it.each(callReaders.map(([to, , read]) => [to.name, to, read] as const))(
    'is one by itself for callers of %s',
    (_, to, read) => {
      const call = (id: string, args: string) => ({ id, index: 0, function: { name: 'look_up', arguments: args } })
      const message = { tool_calls: [call('call_a', A), call('call_a', A), call('call_b', A + B), call('call_c', '')] }
      const body = new TextEncoder().encode(JSON.stringify({ id: 'r1', choices: [{ message, finish_reason: 'stop' }] }))
      const { calls } = read(
        JSON.parse(new TextDecoder().decode(to.writeWholeReply(spokenBy(openaiChat, to).readWholeReply(body), head))),
      )
      expect(calls.map(({ args }) => JSON.parse(args))).toEqual([A, A, A, B, '{}'].map((text) => JSON.parse(text)))
    },
  )
})
