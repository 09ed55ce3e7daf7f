// A scripted turn in the format of /v1/responses, whole and as a stream.
import type { Json } from '../../support/json.ts'
import type { TestReply } from '../../support/upstream.ts'
import type { Asked, Offered, Turn } from '../script.ts'
import { tokensOf } from '../tokens.ts'
import type { VendorUsage } from '../vendor.ts'
import { pieces, textOf } from './chat-answer.ts'
import { nextId } from './ids.ts'
import type { ResponsesMemory } from './responses-memory.ts'
import type { ResponsesBody } from './responses-shape.ts'

/** The conversation as a script sees it. */
export function readInput({ model, tools, text }: ResponsesBody, input: readonly Json[]): Asked {
  const format = text?.format
  const lastUser = input.findLastIndex(({ role }) => role === 'user')
  const results = input.slice(lastUser + 1).filter(({ type }) => type?.endsWith('_call_output'))
  return {
    model,
    tools: [...(tools ?? []), ...declaredIn(input)].flatMap((tool): Offered[] => offered(tool)),
    said: textOf(input[lastUser]?.content),
    results: results.map(({ output }) => textOf(output)),
    format: format && format.type !== 'text' ? { schema: 'schema' in format ? format.schema : undefined } : undefined,
  }
}

/** Tools that items of the conversation declare. */
const declaredIn = (input: readonly Json[]): Json[] =>
  input.flatMap((item) => (item.type === 'additional_tools' ? item.tools : []))

function offered(tool: Json): Offered[] {
  if (tool.type === 'namespace') return tool.tools.flatMap(offered)
  return tool.name ? [{ name: tool.name, schema: tool.parameters }] : []
}

/** Members that no model reads, and clients may leave out or add. */
const UNREAD = new Set([
  'id',
  'status',
  'call_id',
  'annotations',
  'logprobs',
  'internal_chat_message_metadata_passthrough',
])

/** The words that a model reads, as one text: the same for items that say the same. */
export const readable = (value: unknown): string =>
  JSON.stringify(value, (_, member: Json) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(
          Object.entries(member)
            .filter(([name, inner]) => !UNREAD.has(name) && inner !== null)
            .toSorted(([one], [other]) => (one < other ? -1 : 1)),
        )
      : member,
  )

export function responseUsage(
  body: ResponsesBody,
  input: readonly Json[],
  turn: Turn,
  cache_read: number,
): VendorUsage {
  const { thought = '', text = '', calls = [] } = turn
  const reasoning = tokensOf(thought)
  const counted = tokensOf(body.instructions ?? '') + tokensOf(readable(input)) + tokensOf(body.tools ?? '')
  const completion = reasoning + tokensOf(text) + tokensOf(calls)
  return { prompt: Math.max(cache_read, counted), cache_read, cache_write: 0, completion, reasoning }
}

/** The answer as an object. Thoughts are sealed only where they are asked for. */
export function responseOf(body: ResponsesBody, turn: Turn, usage: VendorUsage, memory: ResponsesMemory): Json {
  return {
    id: nextId('resp'),
    object: 'response',
    created_at: 1_780_000_000,
    status: 'completed',
    completed_at: 1_780_000_001,
    background: false,
    frequency_penalty: 0,
    presence_penalty: 0,
    max_tool_calls: null,
    prompt_cache_key: null,
    safety_identifier: null,
    top_logprobs: 0,
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    model: body.model,
    output: outputOf(body, turn, memory),
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    reasoning: { effort: body.reasoning?.effort ?? null, summary: body.reasoning?.summary ?? null },
    service_tier: 'default',
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    text: { verbosity: 'medium', ...body.text, format: formatOf(body.text?.format) },
    tool_choice: body.tool_choice ?? 'auto',
    tools: (body.tools ?? []).map(declared),
    top_p: body.top_p ?? 1,
    truncation: 'disabled',
    usage: {
      input_tokens: usage.prompt,
      input_tokens_details: { cached_tokens: usage.cache_read, cache_write_tokens: usage.cache_write },
      output_tokens: usage.completion,
      output_tokens_details: { reasoning_tokens: usage.reasoning },
      total_tokens: usage.prompt + usage.completion,
    },
    user: null,
    metadata: body.metadata ?? {},
  }
}

const formatOf = (format: Json): Json =>
  format?.type === 'json_schema' ? { description: null, strict: false, ...format } : (format ?? { type: 'text' })

const declared = (tool: Json): Json =>
  tool.type === 'function' ? { description: null, parameters: null, strict: true, ...tool } : tool

/** Is the answer to be the conversation, summed up? */
export const isTriggered = (input: readonly Json[]): boolean => input.at(-1)?.type === 'compaction_trigger'

function outputOf(body: ResponsesBody, { thought, text, calls = [] }: Turn, memory: ResponsesMemory): Json[] {
  if (typeof body.input !== 'string' && isTriggered(body.input ?? []))
    return [{ id: nextId('cmp'), type: 'compaction', encrypted_content: memory.seal() }]
  const custom = customNames([
    ...(body.tools ?? []),
    ...declaredIn(typeof body.input === 'string' ? [] : (body.input ?? [])),
  ])
  const sealed = body.include?.includes('reasoning.encrypted_content') ? { encrypted_content: memory.seal() } : {}
  const summary = thought && body.reasoning?.summary ? [{ type: 'summary_text', text: thought }] : []
  const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }]
  return [
    ...(thought === undefined ? [] : [{ id: nextId('rs'), type: 'reasoning', summary, ...sealed }]),
    ...(text === undefined
      ? []
      : [{ id: nextId('msg'), type: 'message', status: 'completed', role: 'assistant', content }]),
    ...calls.map(({ name, args, input }) =>
      custom.has(name)
        ? {
            id: nextId('ctc'),
            type: 'custom_tool_call',
            status: 'completed',
            call_id: nextId('call'),
            name,
            input: input ?? JSON.stringify(args),
          }
        : {
            id: nextId('fc'),
            type: 'function_call',
            status: 'completed',
            call_id: nextId('call'),
            name,
            arguments: JSON.stringify(args),
          },
    ),
  ]
}

const customNames = (tools: readonly Json[]): Set<string> =>
  new Set(
    tools.flatMap((tool) =>
      tool.type === 'namespace' ? [...customNames(tool.tools)] : tool.type === 'custom' ? [tool.name] : [],
    ),
  )

export function responseStream(response: Json): TestReply {
  let sequence_number = 0
  const event = (type: string, more: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence_number++, ...more })}\n\n`
  const started = { ...response, status: 'in_progress', completed_at: null, output: [], usage: null }
  return {
    chunks: [
      event('response.created', { response: started }),
      event('response.in_progress', { response: started }),
      ...response.output.flatMap((item: Json, output_index: number) => [
        event('response.output_item.added', { output_index, item: begun(item) }),
        ...inner(item).map(([type, more]) => event(type, { item_id: item.id, output_index, ...more })),
        event('response.output_item.done', { output_index, item }),
      ]),
      event('response.completed', { response }),
    ],
  }
}

const begun = (item: Json): Json => ({
  ...item,
  ...(item.type === 'reasoning' ? { summary: [] } : { status: 'in_progress' }),
  ...(item.content ? { content: [] } : {}),
  ...(item.type === 'function_call' ? { arguments: '' } : {}),
  ...(item.type === 'custom_tool_call' ? { input: '' } : {}),
})

function inner(item: Json): [string, object][] {
  if (item.type === 'compaction') return []
  if (item.type === 'function_call') {
    return [
      ...pieces(item.arguments).map((delta): [string, object] => ['response.function_call_arguments.delta', { delta }]),
      ['response.function_call_arguments.done', { arguments: item.arguments }],
    ]
  }
  if (item.type === 'custom_tool_call') {
    return [
      ...pieces(item.input).map((delta): [string, object] => ['response.custom_tool_call_input.delta', { delta }]),
      ['response.custom_tool_call_input.done', { input: item.input }],
    ]
  }
  const summary = item.type === 'reasoning'
  const name = summary ? 'response.reasoning_summary' : 'response.content'
  const parts: Json[] = summary ? item.summary : item.content
  return parts.flatMap((part, at): [string, object][] => {
    const place = { [summary ? 'summary_index' : 'content_index']: at }
    const deltas = summary ? 'response.reasoning_summary_text' : 'response.output_text'
    return [
      [`${name}_part.added`, { ...place, part: { ...part, text: '' } }],
      ...pieces(part.text).map((delta): [string, object] => [
        `${deltas}.delta`,
        { ...place, delta, ...(summary ? {} : { logprobs: [] }) },
      ]),
      [`${deltas}.done`, { ...place, text: part.text, ...(summary ? {} : { logprobs: [] }) }],
      [`${name}_part.done`, { ...place, part }],
    ]
  })
}
