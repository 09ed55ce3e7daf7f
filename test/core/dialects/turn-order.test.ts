// Calls and their answers in every order in which callers say them, over callers' formats and providers': what goes out keeps to
// the rules of its format, and everything that was said is in it.
import { describe, expect, it } from 'vitest'
import type { Dialect, ProviderDialect } from '../../../core/dialects/dialect.ts'
import { hunyuanChatDialect } from '../../../core/dialects/provider-only/hunyuan-chat.ts'
import { orderRequestMessages, repairTurnOrder } from '../../../core/dialects/requests/turn-order.ts'
import { anthropicMessages, geminiGenerate, openaiChat, openaiResponses } from '../../../core/index.ts'
import { listFailures } from '../../support/list-failures.ts'
import type { Json } from '../../support/json.ts'

/** One thing that is said: words of somebody, a call, or what answers one. */
type Said =
  { by: 'user' | 'assistant' | 'system'; text: string } | { call: string } | { answer: string } | { thought: string }
const user = (text: string): Said => ({ by: 'user', text })
const model = (text: string): Said => ({ by: 'assistant', text })
const call = (id: string): Said => ({ call: id })
const answer = (id: string): Said => ({ answer: id })

const orders: Record<string, Said[]> = {
  'calls, then answers': [user('Hello'), call('a'), call('b'), answer('a'), answer('b')],
  'one after the other': [user('Hello'), call('a'), answer('a'), call('b'), answer('b')],
  'answers the other way round': [user('Hello'), call('a'), call('b'), answer('b'), answer('a')],
  'words of the model between': [user('Hello'), call('a'), model('One moment'), answer('a')],
  'thoughts between calls': [
    user('Hello'),
    { thought: 'hm' },
    call('a'),
    { thought: 'so' },
    call('b'),
    answer('a'),
    answer('b'),
  ],
  'words between calls': [user('Hello'), call('a'), model('and'), call('b'), answer('a'), answer('b')],
  'words of the user before the answer': [user('Hello'), call('a'), user('And this'), answer('a'), user('Thanks')],
  'words of the user between answers': [user('Hello'), call('a'), call('b'), answer('a'), user('And'), answer('b')],
  'words of the system between': [user('Hello'), call('a'), { by: 'system', text: 'Be brief' }, answer('a')],
  'a call, words, a call, both answers': [user('Hello'), call('a'), user('And'), call('b'), answer('a'), answer('b')],
  'an answer before its call': [user('Hello'), answer('a'), call('a'), user('Thanks')],
  'an answer without a call': [user('Hello'), answer('z'), user('Thanks')],
  'a call without an answer': [user('Hello'), call('a'), call('b'), answer('a'), user('Thanks')],
  'a call at the end': [user('Hello'), call('a')],
  'an answer in two': [user('Hello'), call('a'), answer('a'), answer('a'), user('Thanks')],
  'the same id in each turn': [user('Hello'), call('a'), answer('a'), user('Again'), call('a'), answer('a')],
}

const args = '{"q":"x"}'
const chatMessage = (said: Said): Json => {
  if ('call' in said) {
    const tool_calls = [{ id: said.call, type: 'function', function: { name: 'look_up', arguments: args } }]
    return { role: 'assistant', content: null, tool_calls }
  }
  if ('answer' in said) return { role: 'tool', tool_call_id: said.answer, content: `found ${said.answer}` }
  if ('thought' in said) return { role: 'assistant', content: '', reasoning_content: said.thought }
  return { role: said.by, content: said.text }
}
const item = (said: Said): Json => {
  if ('call' in said) return { type: 'function_call', call_id: said.call, name: 'look_up', arguments: args }
  if ('answer' in said) return { type: 'function_call_output', call_id: said.answer, output: `found ${said.answer}` }
  if ('thought' in said) return { type: 'reasoning', summary: [{ type: 'summary_text', text: said.thought }] }
  return { type: 'message', role: said.by, content: said.text }
}
const blocks = (said: Said): Json => {
  if ('call' in said)
    return { role: 'assistant', content: [{ type: 'tool_use', id: said.call, name: 'look_up', input: { q: 'x' } }] }
  if ('answer' in said) {
    const content = [{ type: 'text', text: `found ${said.answer}` }]
    return { role: 'user', content: [{ type: 'tool_result', tool_use_id: said.answer, content }] }
  }
  if ('thought' in said) return { role: 'assistant', content: [{ type: 'thinking', thinking: said.thought }] }
  return { role: said.by, content: said.text }
}
const turn = (said: Said): Json => {
  if ('call' in said)
    return { role: 'model', parts: [{ functionCall: { id: said.call, name: 'look_up', args: { q: 'x' } } }] }
  if ('answer' in said) {
    const response = { output: `found ${said.answer}` }
    return { role: 'user', parts: [{ functionResponse: { id: said.answer, name: 'look_up', response } }] }
  }
  if ('thought' in said) return { role: 'model', parts: [{ text: said.thought, thought: true }] }
  return { role: said.by === 'assistant' ? 'model' : 'user', parts: [{ text: said.text }] }
}

const tools = [{ type: 'function', function: { name: 'look_up' } }]
const bodies: [Dialect, (said: Said[]) => object][] = [
  [openaiChat, (said) => ({ messages: said.map(chatMessage), tools })],
  [openaiResponses, (said) => ({ input: said.map(item) })],
  [anthropicMessages, (said) => ({ max_tokens: 5, messages: said.map(blocks) })],
  [geminiGenerate, (said) => ({ contents: said.map(turn) })],
]

/** OpenAI takes no other message before every call is answered, once. */
function chatFaults(messages: { role: string; calls: string[]; answers?: string }[]): string[] {
  let open: string[] = []
  return messages.flatMap(({ role, calls, answers }) => {
    if (role === 'tool') {
      const known = open.includes(answers ?? '')
      open = open.filter((id) => id !== answers)
      return known ? [] : [`${answers} answers no call`]
    }
    const faults = open.length > 0 ? [`${open} are not answered`] : []
    open = calls
    return faults
  })
}

const idsOf = (list: Json[] | undefined, key: string): string[] => (list ?? []).map((one) => one[key])
const withEnd = <T>(list: T[], end: T): T[] => [...list, end]

const blocksIn = (content: Json): Json[] => (typeof content === 'string' ? [] : content)

function anthropicFaults(said: Json[]): string[] {
  const messages = said.map(({ role, content }) => ({ role, content: blocksIn(content) }))
  return messages.flatMap(({ role, content }, at) => {
    const types: string[] = content.map(({ type }: Json) => type)
    const used = idsOf(
      content.filter(({ type }: Json) => type === 'tool_use'),
      'id',
    )
    const next: Json[] = messages[at + 1]?.content ?? []
    const answered = idsOf(
      next.filter(({ type }: Json) => type === 'tool_result'),
      'tool_use_id',
    )
    const words = types.findIndex((type) => type !== 'tool_result')
    return [
      ...(role === messages[at - 1]?.role ? ['neighbours of one role'] : []),
      ...(answered.toSorted().join() === used.toSorted().join() ? [] : [`${used} answered by ${answered}`]),
      ...(words >= 0 && types.includes('tool_result', words) ? ['words before results'] : []),
    ]
  })
}

/** Gemini matches results with calls by their names, so that each result names its function. */
function geminiFaults(contents: Json[]): string[] {
  const names = (at: number, kind: 'functionCall' | 'functionResponse'): string[] =>
    (contents[at]?.parts ?? []).flatMap((part: Json) => (part[kind] ? [String(part[kind].name)] : []))
  return contents.flatMap(({ role }, at) => {
    const calls = names(at, 'functionCall').join()
    const answers = names(at + 1, 'functionResponse').join()
    return [
      ...(role === contents[at - 1]?.role ? ['neighbours'] : []),
      ...(calls === answers ? [] : [`the calls ${calls} have the answers ${answers}`]),
    ]
  })
}

/** The faults of a request by its vendor's rules. */
const faultsOf: [ProviderDialect, (body: Json) => string[]][] = [
  [
    openaiChat,
    ({ messages }) =>
      chatFaults(
        withEnd(
          messages.map(({ role, tool_calls, tool_call_id }: Json) => ({
            role,
            calls: idsOf(tool_calls, 'id'),
            answers: tool_call_id,
          })),
          { role: 'end', calls: [] },
        ),
      ),
  ],
  [
    hunyuanChatDialect,
    ({ Messages }) =>
      chatFaults(
        withEnd(
          Messages.map(({ Role, ToolCalls, ToolCallId }: Json) => ({
            role: Role,
            calls: idsOf(ToolCalls, 'Id'),
            answers: ToolCallId,
          })),
          { role: 'end', calls: [] },
        ),
      ),
  ],
  [anthropicMessages, ({ messages }) => anthropicFaults(messages)],
  [geminiGenerate, ({ contents }) => geminiFaults(contents)],
]

const bytes = (value: object) => new TextEncoder().encode(JSON.stringify(value))
const jsonOf = (body: Uint8Array): Json => JSON.parse(new TextDecoder().decode(body))

const cases = Object.entries(orders).flatMap(([order, said]) =>
  bodies.flatMap(([from, body]) => faultsOf.map(([to, faults]) => ({ order, said, from, body, to, faults }))),
)

describe('turns', () => {
  it('are in the order that the provider wants, and nothing is lost', async () => {
    const failures = await listFailures(
      cases,
      ({ order, from, to }) => `${order}, ${from.name} to ${to.name}`,
      ({ said, from, body, to, faults }) => {
        const request = from.readModelRequest(bytes({ model: 'm', ...body(said) }), { model: 'm' })
        const written = jsonOf(to.writeModelRequest(orderRequestMessages(request, to.name)).body)
        expect(faults(written)).toEqual([])
        for (const one of said) {
          if ('text' in one) expect(JSON.stringify(written)).toContain(one.text)
          if ('answer' in one) expect(JSON.stringify(written)).toContain(`found ${one.answer}`)
        }
      },
    )
    expect(failures).toEqual([])
  })

  it('name the call and the function where a result is missing, for providers that match results by either', () => {
    const messages = orders['a call without an answer']!.map(chatMessage)
    const request = openaiChat.readModelRequest(bytes({ model: 'm', messages }), { model: 'm' })
    const written = jsonOf(openaiChat.writeModelRequest(orderRequestMessages(request, openaiChat.name)).body)
    const results = written.messages.filter(({ role }: Json) => role === 'tool')
    expect(results).toMatchObject([
      { tool_call_id: 'a', content: 'found a' },
      { tool_call_id: 'b', name: 'look_up', content: expect.any(String) },
    ])
  })

  it('are mended within a format, for channels that want it, and else left alone', async () => {
    const own = cases.filter(({ from, to }) => from === to)
    const failures = await listFailures(
      own,
      ({ order, from }) => `${order}, ${from.name}`,
      ({ said, from, body, faults }) => {
        const asked = { model: 'm', ...body(said) }
        const { override } = repairTurnOrder(bytes(asked), from, { model: 'm' })
        expect(faults(jsonOf(bytes({ ...asked, ...override })))).toEqual([])
      },
    )
    expect(failures).toEqual([])
    const messages = ['one after the other', 'answers the other way round'].map((order) =>
      orders[order]!.map(chatMessage),
    )
    const overrides = messages.map(
      (list) => repairTurnOrder(bytes({ model: 'm', messages: list }), openaiChat, undefined).override,
    )
    expect(overrides[0]).toEqual({})
  })
})
