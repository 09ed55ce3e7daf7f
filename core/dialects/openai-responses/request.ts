// A Responses request as the caller wrote it, to the neutral form.
import type { ModelRequest } from '../model-request.ts'
import { listIn, memberOf, numberIn, objectIn, textIn, withoutUndefined } from '../json-value.ts'
import { LOGPROBS, NAME, readFormat, SEALED } from './extras.ts'
import { untakenOf } from '../shape.ts'
import { FIELDS } from './request-fields.ts'
import { checkedRequest, maxTokensIn } from './head.ts'
import { readInput } from './input.ts'
import { readToolChoice, readTools } from './tools.ts'

/** @throws GatewayError request.unreadable, request.no_model, request.invalid */
export function readRequest(body: Uint8Array): ModelRequest {
  const request = checkedRequest(body)
  const { extra, lost, kept } = untakenOf(request, FIELDS)
  const lose = (field: string) => void lost.add(field)
  const included = listIn(request.include) ?? []
  for (const one of included) if (one !== SEALED && one !== LOGPROBS) lost.add(`include.${textIn(one)}`)
  const { format, ...text } = objectIn(request.text) ?? {}
  const messages = readInput(request.input, lost)
  const instructions = textIn(request.instructions)
  if (instructions) messages.unshift({ role: 'system', content: [{ type: 'text', text: instructions }] })
  return withoutUndefined({
    dialect: NAME,
    model: request.model as string,
    stream: request.stream === true,
    messages,
    ...readToolChoice(request.tool_choice, readTools(request, lose), lose),
    parallel_tool_calls: typeof request.parallel_tool_calls === 'boolean' ? request.parallel_tool_calls : undefined,
    max_tokens: maxTokensIn(request),
    temperature: numberIn(request.temperature),
    top_p: numberIn(request.top_p),
    logprobs: included.includes(LOGPROBS) ? true : undefined,
    top_logprobs: numberIn(request.top_logprobs),
    user: textIn(request.user) ?? textIn(request.safety_identifier),
    keeps: request.store === false ? undefined : true,
    service_tier: textIn(request.service_tier),
    response_format: readFormat(format),
    reasoning_effort: textIn(memberOf(request.reasoning, 'effort')),
    lost: lost.size > 0 ? [...lost] : undefined,
    kept: kept.length > 0 ? kept : undefined,
    extra: { ...extra, ...text },
  })
}
