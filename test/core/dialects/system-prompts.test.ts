// The operator's system prompt, in requests that stay in their format and in those that are translated: both come to the same.
import { describe, expect, it } from 'vitest'
import type { Dialect } from '../../../core/dialects/dialect.ts'
import { joinParts, toJsonBytes } from '../../../core/dialects/json/json-bytes.ts'
import { withSystemPrompt } from '../../../core/dialects/requests/patch.ts'
import { anthropicMessages, geminiGenerate, openaiChat, openaiResponses } from '../../../core/index.ts'
import { listFailures } from '../../support/list-failures.ts'

const OPERATOR = 'Be brief.'
const place = { model: 'm', stream: false }
const user = { role: 'user', content: 'Hello' }

/** The requests of a format by what the caller says of the system, and whether that is anything. */
interface Case {
  said: string
  has: boolean
  body: object
}
const chat = (said: string, has: boolean, system?: unknown): Case => ({
  ...{ said, has },
  body: { messages: [...(system === undefined ? [] : [{ role: 'system', content: system }]), user] },
})
const claude = (said: string, has: boolean, system?: unknown): Case => ({
  ...{ said, has },
  body: { max_tokens: 9, system, messages: [user] },
})
const responses = (said: string, has: boolean, instructions?: unknown): Case => ({
  ...{ said, has },
  body: { instructions, input: [user] },
})
const gemini = (said: string, has: boolean, instruction: object = {}): Case => ({
  ...{ said, has },
  body: { ...instruction, contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
})
const block = (text: string) => ({ type: 'text', text })

const formats: [Dialect, Case[]][] = [
  [
    openaiChat,
    [
      chat('nothing', false),
      chat('a text', true, 'Be kind.'),
      chat('parts', true, [block('Be kind.'), block('Be just.')]),
    ],
  ],
  [
    anthropicMessages,
    [
      claude('nothing', false),
      claude('an empty text', false, ''),
      claude('no parts', false, []),
      claude('a text', true, 'Be kind.'),
      claude('parts', true, [block('Be kind.'), block('Be just.')]),
    ],
  ],
  [
    openaiResponses,
    [
      responses('nothing', false),
      responses('null', false, null),
      responses('an empty text', false, ''),
      responses('a text', true, 'Be kind.'),
    ],
  ],
  [
    geminiGenerate,
    [
      gemini('nothing', false),
      gemini('no parts', false, { systemInstruction: { parts: [] } }),
      gemini('parts', true, { systemInstruction: { parts: [{ text: 'Be kind.' }, { text: 'Be just.' }] } }),
      gemini('parts in the other spelling', true, { system_instruction: { parts: [{ text: 'Be kind.' }] } }),
    ],
  ],
]

/** The text of the system in a request, whichever parts it has. */
function systemText(dialect: Dialect, body: Uint8Array): string {
  const { messages } = dialect.readModelRequest(body, place)
  return messages
    .filter(({ role }) => role === 'system')
    .flatMap(({ content }) => content.map((part) => (part.type === 'text' ? part.text : `(${part.type})`)))
    .join('')
}

describe.each(formats.map(([dialect, cases]) => [dialect.name, dialect, cases] as const))(
  'a system prompt of the operator, in %s',
  (_, dialect, cases) => {
    it.each([false, true])(
      'comes before that of the caller, or only where there is none (always: %s)',
      async (always) => {
        const system = { text: OPERATOR, always }
        const failures = await listFailures(
          cases,
          ({ said }) => said,
          ({ has, body: fields }) => {
            const body = toJsonBytes({ model: 'm', ...fields })
            const own = systemText(dialect, body)
            const change = { model: 'm', head: dialect.readRequestHead(body, place), override: {}, system }
            const patched = joinParts(dialect.patchRequestBody(body, change))
            const expected = !has ? OPERATOR : always ? `${OPERATOR}\n\n${own}` : own
            expect(systemText(dialect, patched)).toBe(expected)
            const neutral = withSystemPrompt(dialect.readModelRequest(body, place), system)
            expect(systemText(dialect, dialect.writeModelRequest(neutral).body as Uint8Array)).toBe(expected)
          },
        )
        expect(failures).toEqual([])
      },
    )
  },
)
