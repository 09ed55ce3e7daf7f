// Converts a message request, as the caller wrote it, to the neutral form.
import type { ModelRequest, ResponseFormat } from '../model-request.ts'
import { asList, getMember, asNumber, asObject, asText, type JsonObject } from '../json-value.ts'
import { readMessage, readSystem } from './blocks.ts'
import { findUnsupportedFields } from '../shape.ts'
import { FIELDS } from './request-fields.ts'
import { parseValidRequest } from './head.ts'
import { readTools, type Lose } from './tools.ts'

export const NAME = 'anthropic-messages'

/** @throws GatewayError request.unreadable, request.no_model, request.invalid */
export function readRequest(body: Uint8Array): ModelRequest {
  const request = parseValidRequest(body)
  const { extra, lost, kept } = findUnsupportedFields(request, FIELDS)
  const lose: Lose = (field) => void lost.add(field)
  const stop = asList(request.stop_sequences)?.filter((text): text is string => typeof text === 'string')
  const read = {
    dialect: NAME,
    model: request.model as string,
    stream: request.stream === true,
    messages: [
      ...readSystem(request.system, lose),
      ...(request.messages as JsonObject[]).flatMap((message) => readMessage(message, lose)),
    ],
    ...readTools(request, lose),
    max_tokens: asNumber(request.max_tokens),
    temperature: asNumber(request.temperature),
    top_p: asNumber(request.top_p),
    top_k: asNumber(request.top_k),
    stop: stop?.length ? stop : undefined,
    user: asText(getMember(request.metadata, 'user_id')),
    service_tier: request.service_tier === 'standard_only' ? 'default' : asText(request.service_tier),
    response_format: readFormat(getMember(request.output_config, 'format') ?? request.output_format),
    ...readThinking(request),
    extra,
    kept: kept.length > 0 ? kept : undefined,
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
  const budget = asNumber(thinking?.budget_tokens)
  return thinking?.type === 'enabled' && budget !== undefined ? { reasoning_budget: budget } : {}
}
