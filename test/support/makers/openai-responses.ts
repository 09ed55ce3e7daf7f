// OpenAI's responses: items in, items out, each event numbered.
import type { Json } from '../json.ts'
import type { TestReply } from '../upstream.ts'
import { halves, imageOf, sse, unknownField, USAGE, type Heard, type HeardTurn, type Said } from './maker.ts'

const KNOWN =
  'model input instructions stream tools tool_choice parallel_tool_calls max_output_tokens temperature top_p user text ' +
  'reasoning include store metadata service_tier truncation previous_response_id prompt_cache_key safety_identifier stream_options context_management'

const SEALED = 'sealed-by-openai-'

const usage = {
  input_tokens: USAGE.prompt,
  input_tokens_details: { cached_tokens: USAGE.cached },
  output_tokens: USAGE.completion,
  output_tokens_details: { reasoning_tokens: USAGE.reasoning },
  total_tokens: USAGE.prompt + USAGE.completion,
}

const textOf = (content: Json): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text = '' }: Json) => text).join('')

export function hearResponses({ input, instructions, tools = [], ...more }: Json): Heard {
  const items: Json[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input
  const names = new Map<string, string>()
  const turns: HeardTurn[] = []
  const assistant = () => {
    const last = turns.at(-1)
    if (last?.role === 'assistant') return last
    const turn = { role: 'assistant' as const, text: '', thoughts: [], calls: [] } as HeardTurn & { role: 'assistant' }
    turns.push(turn)
    return turn
  }
  const system = [instructions ?? '']
  for (const { type = 'message', role, content, ...item } of items) {
    if (type === 'reasoning') {
      assistant().thoughts.push({ text: textOf(item.summary), signature: item.encrypted_content })
    } else if (type === 'function_call') {
      names.set(item.call_id, item.name)
      assistant().calls.push({ name: item.name, args: JSON.parse(item.arguments) })
    } else if (type === 'function_call_output') {
      const result = { name: names.get(item.call_id) ?? '', text: textOf(item.output) }
      const last = turns.at(-1)
      if (last?.role === 'tool') last.results.push(result)
      else turns.push({ role: 'tool', results: [result] })
    } else if (role === 'assistant') assistant().text += textOf(content)
    else if (role === 'user') {
      const parts: Json[] = typeof content === 'string' ? [] : content
      const images = parts.flatMap(({ image_url }) => (image_url ? [imageOf(image_url)] : []))
      turns.push({ role, text: textOf(content), images })
    } else system.push(textOf(content))
  }
  return {
    system: system.filter(Boolean).join('\n'),
    turns,
    tools: tools.map(({ name, description, parameters }: Json) => ({ name, description, parameters })),
    limit: more.max_output_tokens,
    thinks: more.reasoning?.effort !== undefined && more.reasoning.effort !== 'none',
    schema: more.text?.format?.schema,
  }
}

export function complaintOfResponses(body: Json): string | undefined {
  const unknown = unknownField(body, KNOWN)
  if (unknown) return `Unknown parameter: '${unknown}'.`
  const items: Json[] = Array.isArray(body.input) ? body.input : []
  const open = new Set(items.flatMap(({ type, call_id }) => (type === 'function_call' ? [call_id] : [])))
  for (const { type, call_id, encrypted_content } of items) {
    if (type === 'reasoning' && !String(encrypted_content).startsWith(SEALED))
      return 'The encrypted content could not be verified.'
    if (type === 'function_call_output' && !open.delete(call_id))
      return `No tool call found for function call output with call_id ${call_id}.`
  }
  if (open.size > 0) return `No tool output found for function call ${[...open].join()}.`
  return body.text?.format?.type === 'json_schema' && !body.text.format.name
    ? "Missing required parameter: 'text.format.name'."
    : undefined
}

function itemsOf({ thought, text, calls = [] }: Said, sealed: boolean): Json[] {
  const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }]
  return [
    ...(thought
      ? [
          {
            id: 'rs_1',
            type: 'reasoning',
            summary: [{ type: 'summary_text', text: thought }],
            ...(sealed ? { encrypted_content: SEALED + thought.length } : {}),
          },
        ]
      : []),
    ...(text ? [{ id: 'msg_1', type: 'message', status: 'completed', role: 'assistant', content }] : []),
    ...calls.map(({ name, args }, index) => ({
      id: `fc_${index}`,
      type: 'function_call',
      status: 'completed',
      call_id: `call_${index}_of_responses`,
      name,
      arguments: JSON.stringify(args),
    })),
  ]
}

/** The events that say one item. */
function eventsOf(item: Json, output_index: number): Json[] {
  const at = { item_id: item.id, output_index }
  const begin = (open: object) => ({ type: 'response.output_item.added', output_index, item: { ...item, ...open } })
  const end = { type: 'response.output_item.done', output_index, item }
  if (item.type === 'function_call') {
    return [
      begin({ status: 'in_progress', arguments: '' }),
      ...halves(item.arguments).map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
      { type: 'response.function_call_arguments.done', ...at, name: item.name, arguments: item.arguments },
      end,
    ]
  }
  if (item.type === 'reasoning') {
    const here = { ...at, summary_index: 0 }
    const [part] = item.summary
    return [
      begin({ summary: [] }),
      { type: 'response.reasoning_summary_part.added', ...here, part: { ...part, text: '' } },
      ...halves(part.text).map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...here, delta })),
      { type: 'response.reasoning_summary_text.done', ...here, text: part.text },
      { type: 'response.reasoning_summary_part.done', ...here, part },
      end,
    ]
  }
  const here = { ...at, content_index: 0 }
  const [part] = item.content
  return [
    begin({ status: 'in_progress', content: [] }),
    { type: 'response.content_part.added', ...here, part: { ...part, text: '' } },
    ...halves(part.text).map((delta) => ({ type: 'response.output_text.delta', ...here, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...here, text: part.text, logprobs: [] },
    { type: 'response.content_part.done', ...here, part },
    end,
  ]
}

/** So many answers had ids: an id belongs to the account that got it first, and files of a worker share a gateway. */
let answers = 0

export function sayResponses(said: Said, { stream, model, include = [], tools = [] }: Json): TestReply {
  const output = itemsOf(said, include.includes('reasoning.encrypted_content'))
  const about = {
    id: `resp_of_maker_${++answers}`,
    object: 'response',
    created_at: 1_790_000_000,
    model: `${model}-2026-01-01`,
    error: null,
    tools,
    tool_choice: 'auto',
    parallel_tool_calls: true,
  }
  const status = said.cut ? 'incomplete' : 'completed'
  const incomplete_details = said.cut ? { reason: 'max_output_tokens' } : null
  const whole = { ...about, status, incomplete_details, output, usage }
  if (!stream) return { body: whole }
  const opening = { ...about, status: 'in_progress', output: [], usage: null }
  const events: Json[] = [
    { type: 'response.created', response: opening },
    { type: 'response.in_progress', response: opening },
    ...output.flatMap(eventsOf),
    { type: `response.${status}`, response: whole },
  ]
  return { chunks: events.map((event, sequence_number) => sse({ ...event, sequence_number }, event.type)) }
}
