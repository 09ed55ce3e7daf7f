// Converts a Responses request, as the caller wrote it, to the neutral form.
import type { ModelRequest } from '../model-request.ts'
import { asList, getMember, asNumber, asObject, asText, withoutUndefined } from '../json-value.ts'
import { LOGPROBS, NAME, readFormat, SEALED } from './extras.ts'
import { findUnsupportedFields } from '../shape.ts'
import { FIELDS } from './request-fields.ts'
import { parseValidRequest, parseMaxTokens } from './head.ts'
import { readInput } from './input.ts'
import { readToolChoice, readTools } from './tools.ts'

/** @throws GatewayError request.unreadable, request.no_model, request.invalid */
export function readRequest(body: Uint8Array): ModelRequest {
  const request = parseValidRequest(body)
  const { extra, lost, kept } = findUnsupportedFields(request, FIELDS)
  const lose = (field: string) => void lost.add(field)
  const included = asList(request.include) ?? []
  for (const one of included) if (one !== SEALED && one !== LOGPROBS) lost.add(`include.${asText(one)}`)
  const { format, ...text } = asObject(request.text) ?? {}
  const messages = readInput(request.input, lost)
  const instructions = asText(request.instructions)
  if (instructions) messages.unshift({ role: 'system', content: [{ type: 'text', text: instructions }] })
  return withoutUndefined({
    dialect: NAME,
    model: request.model as string,
    stream: request.stream === true,
    messages,
    ...readToolChoice(request.tool_choice, readTools(request, lose), lose),
    parallel_tool_calls: typeof request.parallel_tool_calls === 'boolean' ? request.parallel_tool_calls : undefined,
    max_tokens: parseMaxTokens(request),
    temperature: asNumber(request.temperature),
    top_p: asNumber(request.top_p),
    logprobs: included.includes(LOGPROBS) ? true : undefined,
    top_logprobs: asNumber(request.top_logprobs),
    user: asText(request.user) ?? asText(request.safety_identifier),
    keeps: request.store === false ? undefined : true,
    service_tier: asText(request.service_tier),
    response_format: readFormat(format),
    reasoning_effort: asText(getMember(request.reasoning, 'effort')),
    lost: lost.size > 0 ? [...lost] : undefined,
    kept: kept.length > 0 ? kept : undefined,
    extra: { ...extra, ...text },
  })
}
