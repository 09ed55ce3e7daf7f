// Converts a message request, as the caller wrote it, to the neutral form.
import type { ModelRequest, ResponseFormat } from '../model-request.ts'
import { asList, getMember, asFiniteNumber, asObject, asText, type JsonObject } from '../json/json-value.ts'
import { readMessageTurns, readSystem } from './blocks.ts'
import { findUnsupportedFields } from '../requests/shape.ts'
import { REQUEST_FIELDS } from './request-fields.ts'
import { parseValidRequest } from './head.ts'
import { readToolDeclarations, type ReportLostField } from './tools.ts'

export const FORMAT_NAME = 'anthropic-messages'

/** @throws GatewayError request.unreadable, request.no_model, request.invalid */
export function readModelRequest(body: Uint8Array): ModelRequest {
  const request = parseValidRequest(body)
  const { extra, lost, vendorData } = findUnsupportedFields(request, REQUEST_FIELDS)
  const lose: ReportLostField = (field) => void lost.add(field)
  const stop = asList(request.stop_sequences)?.filter((text): text is string => typeof text === 'string')
  const read = {
    dialect: FORMAT_NAME,
    model: request.model as string,
    stream: request.stream === true,
    messages: [
      ...readSystem(request.system, lose),
      ...(request.messages as JsonObject[]).flatMap((message) => readMessageTurns(message, lose)),
    ],
    ...readToolDeclarations(request, lose),
    max_tokens: asFiniteNumber(request.max_tokens),
    temperature: asFiniteNumber(request.temperature),
    top_p: asFiniteNumber(request.top_p),
    top_k: asFiniteNumber(request.top_k),
    stop: stop?.length ? stop : undefined,
    user: asText(getMember(request.metadata, 'user_id')),
    service_tier: request.service_tier === 'standard_only' ? 'default' : asText(request.service_tier),
    response_format: readFormat(getMember(request.output_config, 'format') ?? request.output_format),
    ...readThinking(request),
    extra,
    vendorData: vendorData.length > 0 ? vendorData : undefined,
  }
  return {
    ...(Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined)) as typeof read),
    ...(lost.size > 0 ? { lost: [...lost] } : {}),
  } as ModelRequest
}

function readFormat(format: unknown): ResponseFormat | undefined {
  return getMember(format, 'type') === 'json_schema' ? { schema: getMember(format, 'schema') ?? {} } : undefined
}

function readThinking(request: JsonObject): Pick<ModelRequest, 'reasoning_budget' | 'reasoning_effort'> {
  const thinking = asObject(request.thinking)
  if (thinking?.type === 'disabled' || thinking?.type === 'between_tools') return { reasoning_budget: 0 }
  const effort = asText(getMember(request.output_config, 'effort'))
  if (effort !== undefined) return { reasoning_effort: effort }
  if (thinking?.type === 'adaptive') return { reasoning_budget: -1 }
  const budget = asFiniteNumber(thinking?.budget_tokens)
  return thinking?.type === 'enabled' && budget !== undefined ? { reasoning_budget: budget } : {}
}
