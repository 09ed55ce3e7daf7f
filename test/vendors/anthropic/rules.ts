// Anthropic's rules for a request of the right shape, without its messages.
import type { Json } from '../../support/json.ts'
import { Refusal } from '../vendor.ts'
import { familyOf } from './families.ts'
import { blocksOf } from './message-rules.ts'
import { subsetFault } from './schema-subset.ts'
import type { MessagesBody } from './shape.ts'

const MOST_MARKS = 4

/** @throws Refusal */
export function checkOptions(body: MessagesBody): void {
  const { model, max_tokens, stop_sequences = [] } = body
  const family = familyOf(model)
  if (max_tokens > family.output) {
    throw new Refusal(
      `max_tokens: ${max_tokens} > ${family.output}, which is the maximum allowed number of output tokens for ${model}`,
    )
  }
  if (stop_sequences.some((each) => each.trim() === '')) {
    throw new Refusal('stop_sequences: each stop sequence must contain non-whitespace')
  }
  if (!family.prefill && body.messages.at(-1)?.role === 'assistant') {
    throw new Refusal(
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    )
  }
  checkSampling(body)
  checkThinking(body)
  checkTools(body)
  checkFormat(body)
  checkMarks(body)
}

function checkSampling({ model, temperature, top_p, top_k }: MessagesBody): void {
  const { sampling } = familyOf(model)
  if (sampling !== 'free' && temperature !== undefined && top_p !== undefined) {
    throw new Refusal('`temperature` and `top_p` cannot both be specified for this model. Please use only one.')
  }
  if (sampling !== 'default') return
  const changed = Object.entries({ temperature, top_p, top_k }).find(
    ([name, value]) => value !== undefined && !(name !== 'top_k' && value === 1),
  )
  if (changed) throw new Refusal(`\`${changed[0]}\` is deprecated for this model.`)
}

function checkThinking({
  model,
  thinking,
  max_tokens,
  tool_choice,
  temperature,
  top_p,
  top_k,
  messages,
}: MessagesBody): void {
  const { thinking: ways, off, forced } = familyOf(model)
  const isForced = tool_choice?.type === 'any' || tool_choice?.type === 'tool'
  if (isForced && !forced)
    throw new Refusal(`tool_choice: \`${tool_choice.type}\` is not supported for this model. Use \`auto\`.`)
  if (thinking === undefined) return
  if (thinking.type === 'disabled' || thinking.type === 'between_tools') {
    if (thinking.type === off) return
    throw new Refusal(`"thinking.type.${thinking.type}" is not supported for this model.`)
  }
  if (!ways.includes(thinking.type)) {
    if (thinking.type === 'adaptive') throw new Refusal('adaptive thinking is not supported on this model')
    throw new Refusal(
      ways.length === 0
        ? `'${model}' does not support thinking.`
        : '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
    )
  }
  if (thinking.type === 'enabled' && thinking.budget_tokens >= max_tokens) {
    throw new Refusal('`max_tokens` must be greater than `thinking.budget_tokens`.')
  }
  if (isForced) {
    throw new Refusal('Thinking may not be enabled when tool_choice forces tool use.')
  }
  if (temperature !== undefined && temperature !== 1) {
    throw new Refusal('`temperature` may only be set to 1 when thinking is enabled or in adaptive mode.')
  }
  if (top_p !== undefined && top_p < 0.95)
    throw new Refusal('`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled.')
  if (top_k !== undefined) throw new Refusal('`top_k` must be unset when thinking is enabled.')
  if (messages.at(-1)?.role === 'assistant')
    throw new Refusal('Prefilling assistant messages is not supported when thinking is enabled.')
  if (thinking.type === 'enabled') checkThoughts(messages)
}

/** The calls that are being answered stand behind their thoughts. */
function checkThoughts(messages: MessagesBody['messages']): void {
  const results = blocksOf(messages.at(-1)?.content ?? '').some(({ type }) => type === 'tool_result')
  const at = messages.findLastIndex(({ role }) => role === 'assistant')
  const first = blocksOf(messages[at]?.content ?? '')[0]
  if (!results || !first || ['thinking', 'redacted_thinking'].includes(first.type)) return
  throw new Refusal(
    `messages.${at}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). To avoid this requirement, disable \`thinking\`.`,
  )
}

function checkTools({ tools, tool_choice }: MessagesBody): void {
  const all = (tools ?? []) as Json[]
  if (all.length === 0 && tool_choice && tool_choice.type !== 'none') {
    throw new Refusal('tool_choice: tool_choice may only be specified while providing tools.')
  }
  const names = all.map(({ name }) => name)
  if (new Set(names).size < names.length) throw new Refusal('tools: Tool names must be unique.')
  if (tool_choice?.type === 'tool' && !names.includes(tool_choice.name)) {
    throw new Refusal(`Tool '${tool_choice.name}' not found in provided tools`)
  }
  for (const [at, { input_schema, strict, defer_loading, cache_control }] of all.entries()) {
    if (['oneOf', 'allOf', 'anyOf'].some((key) => key in (input_schema ?? {}))) {
      throw new Refusal(
        `tools.${at}.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`,
      )
    }
    const fault = strict ? subsetFault(input_schema) : undefined
    if (fault) throw new Refusal(`tools.${at}.custom: ${fault}`)
    if (defer_loading && cache_control)
      throw new Refusal(`tools.${at}: tools with defer_loading cannot use prompt caching`)
  }
}

function checkFormat({ model, output_config }: MessagesBody): void {
  const { effort, format } = output_config ?? {}
  if (effort && !familyOf(model).effort) throw new Refusal('This model does not support the effort parameter.')
  if (!format) return
  if (!familyOf(model).formats) throw new Refusal(`'${model}' does not support output format.`)
  const fault = subsetFault(format.schema)
  if (fault) throw new Refusal(`output_config.format.schema: ${fault}`)
}

function checkMarks(body: MessagesBody): void {
  const marks = [
    ...(body.cache_control ? [body.cache_control] : []),
    ...marksIn([body.tools, body.system, body.messages]),
  ]
  if (marks.length > MOST_MARKS)
    throw new Refusal(`A maximum of ${MOST_MARKS} blocks with cache_control may be provided. Found ${marks.length}.`)
  const short = marks.findIndex(({ ttl }) => ttl !== '1h')
  if (short >= 0 && marks.slice(short).some(({ ttl }) => ttl === '1h')) {
    throw new Refusal(
      "A ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
    )
  }
}

/** Every mark, in the order in which blocks are read. What a call says and a schema's own fields are no marks. */
function marksIn(value: Json): { ttl?: string }[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]: [string, Json]) =>
    key === 'cache_control' ? (inner ? [inner] : []) : key === 'input' || key === 'input_schema' ? [] : marksIn(inner),
  )
}
