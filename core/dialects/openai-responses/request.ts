// A Responses request as the caller wrote it, to the neutral form.
import { fail } from '../../errors.ts'
import type { ModelRequest, Tool } from '../dialect.ts'
import { listIn, memberOf, numberIn, objectIn, textIn, withoutUndefined, type JsonObject } from '../json-value.ts'
import { NAME, readFormat, SEALED } from './extras.ts'
import { checkedRequest, given, KEPT_UPSTREAM, maxTokensIn } from './head.ts'
import { readInput } from './input.ts'

/** Fields that the neutral form has its own words for, or that a translated answer does anyhow. */
const known = new Set(
  (
    'model stream input instructions tools tool_choice parallel_tool_calls max_output_tokens temperature top_p user ' +
    'service_tier text reasoning include store background previous_response_id conversation prompt'
  ).split(' '),
)

/**
 * What another provider than the one that keeps it cannot know is refused: earlier answers by their id, prompts by
 * theirs.
 * @throws GatewayError request.unreadable, request.no_model, request.invalid, request.untranslatable
 */
export function readRequest(body: Uint8Array): ModelRequest {
  const request = checkedRequest(body)
  const kept = KEPT_UPSTREAM.find((key) => given(request[key]))
  if (kept) fail('request.untranslatable', { reason: `only OpenAI knows what ${kept} stands for` })
  if (request.background === true) fail('request.untranslatable', { reason: 'background' })
  const lost = new Set<string>()
  if (request.store === true) lost.add('store')
  for (const one of listIn(request.include) ?? []) if (one !== SEALED) lost.add(`include.${String(one)}`)
  const { format, ...text } = objectIn(request.text) ?? {}
  const messages = readInput(request.input, lost)
  const instructions = textIn(request.instructions)
  if (instructions) messages.unshift({ role: 'system', content: [{ type: 'text', text: instructions }] })
  return withoutUndefined({
    dialect: NAME,
    model: request.model as string,
    stream: request.stream === true,
    messages,
    ...readTools(request.tools),
    tool_choice: readToolChoice(request.tool_choice, lost),
    parallel_tool_calls: typeof request.parallel_tool_calls === 'boolean' ? request.parallel_tool_calls : undefined,
    max_tokens: maxTokensIn(request),
    temperature: numberIn(request.temperature),
    top_p: numberIn(request.top_p),
    user: textIn(request.user),
    service_tier: textIn(request.service_tier),
    response_format: readFormat(format),
    reasoning_effort: textIn(memberOf(request.reasoning, 'effort')),
    lost: lost.size > 0 ? [...lost] : undefined,
    extra: {
      ...Object.fromEntries(Object.entries(request).filter(([key, value]) => !known.has(key) && given(value))),
      ...text,
    },
  })
}

/** Tools that the caller runs, and those that the provider does. */
function readTools(tools: unknown): Pick<ModelRequest, 'tools' | 'hosted_tools'> {
  const own: Tool[] = []
  const hosted: NonNullable<ModelRequest['hosted_tools']> = []
  for (const one of listIn(tools) ?? []) {
    const { type, name, description, parameters, strict, ...options } = objectIn(one) ?? {}
    if (type === 'function') {
      own.push(
        withoutUndefined({
          name: textIn(name) ?? fail('request.invalid', { reason: 'a tool has no name' }),
          description: textIn(description),
          parameters: parameters ?? undefined,
          strict: typeof strict === 'boolean' ? strict : undefined,
        }),
      )
    } else {
      // The preview is the same tool under an older name.
      const plain = String(type).replace(/^web_search_.*/, 'web_search')
      const kept = withoutUndefined({ name, description, parameters, strict, ...options })
      hosted.push({ name: plain, ...(Object.keys(kept).length > 0 ? { options: kept } : {}) })
    }
  }
  return { ...(own.length > 0 ? { tools: own } : {}), ...(hosted.length > 0 ? { hosted_tools: hosted } : {}) }
}

function readToolChoice(choice: unknown, lost: Set<string>): ModelRequest['tool_choice'] {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice
  const { type, name, mode } = objectIn(choice) ?? ({} as JsonObject)
  if (type === 'function' && textIn(name)) return { name: textIn(name)! }
  if (type === undefined) return undefined
  lost.add(`tool_choice.${String(type)}`)
  return mode === 'required' ? 'required' : undefined
}
