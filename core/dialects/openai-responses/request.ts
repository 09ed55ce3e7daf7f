// Converts a Responses request, as the caller wrote it, to the neutral form.
import type { ModelRequest } from '../model-request.ts'
import { asList, getMember, asFiniteNumber, asObject, asText, omitUndefinedMembers } from '../json/json-value.ts'
import { INCLUDE_LOGPROBS, FORMAT_NAME, INCLUDE_ENCRYPTED_REASONING } from './extras.ts'
import { readResponseFormat } from '../openai-chat/tools.ts'
import { findUnsupportedFields } from '../requests/shape.ts'
import { REQUEST_FIELDS } from './request-fields.ts'
import { parseValidRequest, parseMaxTokens } from './head.ts'
import { readInput } from './input.ts'
import { readToolChoice, readToolDeclarations } from './tools.ts'

/** @throws GatewayError request.unreadable, request.no_model, request.invalid */
export function readModelRequest(body: Uint8Array): ModelRequest {
  const request = parseValidRequest(body)
  const { extra, lost, vendorData } = findUnsupportedFields(request, REQUEST_FIELDS)
  const lose = (field: string) => void lost.add(field)
  const included = asList(request.include) ?? []
  for (const one of included)
    if (one !== INCLUDE_ENCRYPTED_REASONING && one !== INCLUDE_LOGPROBS) lost.add(`include.${asText(one)}`)
  const { format, ...text } = asObject(request.text) ?? {}
  const messages = readInput(request.input, lost)
  const instructions = asText(request.instructions)
  if (instructions) messages.unshift({ role: 'system', content: [{ type: 'text', text: instructions }] })
  return omitUndefinedMembers({
    dialect: FORMAT_NAME,
    model: request.model as string,
    stream: request.stream === true,
    messages,
    ...readToolChoice(request.tool_choice, readToolDeclarations(request, lose), lose),
    parallel_tool_calls: typeof request.parallel_tool_calls === 'boolean' ? request.parallel_tool_calls : undefined,
    max_tokens: parseMaxTokens(request),
    temperature: asFiniteNumber(request.temperature),
    top_p: asFiniteNumber(request.top_p),
    logprobs: included.includes(INCLUDE_LOGPROBS) ? true : undefined,
    top_logprobs: asFiniteNumber(request.top_logprobs),
    user: asText(request.user) ?? asText(request.safety_identifier),
    storesAnswer: request.store === false ? undefined : true,
    service_tier: asText(request.service_tier),
    response_format: readResponseFormat(format, format),
    reasoning_effort: asText(getMember(request.reasoning, 'effort')),
    lost: lost.size > 0 ? [...lost] : undefined,
    vendorData: vendorData.length > 0 ? vendorData : undefined,
    extra: { ...extra, ...text },
  })
}
