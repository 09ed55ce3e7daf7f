// A message request from the neutral form, and what it loses on the way.
import type { ModelRequest, WrittenRequest } from '../dialect.ts'
import type { JsonObject } from '../json-value.ts'
import { NAME } from './request.ts'
import { claudeVersion, refusesSampling, thinkingFields, thinksByEffort } from './thinking.ts'
import { writeTools, type Lose } from './tools.ts'
import { writeMessages } from './write-blocks.ts'

const encoder = new TextEncoder()

/** This format requires a limit; for callers and operators who name none. Unit: tokens. */
export const DEFAULT_MAX_TOKENS = 8192
/** The first that keeps to a schema, and the first that refuses temperature and top_p together. */
const KEEPS_SCHEMA = 401

/** Undefined members vanish in JSON. */
export function writeRequest(request: ModelRequest): WrittenRequest {
  const { dialect, model, stream, extra, stop, user, response_format } = request
  const own = dialect === NAME
  const dropped = new Set<string>()
  const drop: Lose = (field) => void dropped.add(field)
  if (!own) Object.keys(extra).forEach(drop)
  for (const field of ['seed', 'presence_penalty', 'frequency_penalty'] as const) {
    if (request[field] !== undefined) drop(field)
  }
  if ((request.n ?? 1) > 1) drop('n')
  if (request.modalities?.some((kind) => kind !== 'text')) drop('modalities')

  const { thinking, effort, max_tokens } = writeThinking(request, drop)
  const said = stop?.filter((text) => text.trim() !== '')
  if (said?.length !== stop?.length) drop('stop')
  const format = writeFormat(response_format, model, drop)
  const output_config = { ...(effort ? { effort } : {}), ...(format ? { format } : {}) }
  const body = {
    ...(own ? extra : {}),
    model,
    max_tokens,
    stream,
    ...writeMessages(request.messages, own, drop),
    ...writeTools(request, own, drop),
    ...writeSampling(request, thinking?.type === 'enabled', drop),
    stop_sequences: said?.length ? said : undefined,
    metadata: user === undefined ? undefined : { user_id: user },
    service_tier: writeTier(request.service_tier, drop),
    thinking,
    output_config: Object.keys(output_config).length > 0 ? output_config : undefined,
  }
  return { body: encoder.encode(JSON.stringify(body)), dropped: [...dropped] }
}

function writeThinking(request: ModelRequest, drop: Lose): ReturnType<typeof thinkingFields> & object {
  const { model, reasoning_effort, reasoning_budget, max_tokens = DEFAULT_MAX_TOKENS } = request
  if (reasoning_effort === undefined && reasoning_budget === undefined) return { max_tokens }
  const fields = thinkingFields(model, request, max_tokens)
  if (fields?.thinking?.type === 'disabled' || (fields && mayThink(request))) return fields
  drop(reasoning_effort === undefined ? 'reasoning_budget' : 'reasoning_effort')
  return { max_tokens }
}

/** Who must call a tool may not think; nor may older models in the middle of calls whose thought is not there. */
function mayThink({ model, tool_choice, messages }: ModelRequest): boolean {
  if (tool_choice === 'required' || typeof tool_choice === 'object') return false
  if (thinksByEffort(model) || messages.at(-1)?.role !== 'tool') return true
  const calling = messages.findLast(({ role }) => role === 'assistant')
  return calling?.reasoning?.some(({ signature, redacted }) => signature || redacted) ?? false
}

/** The newest models take no sampling words but the usual ones, thinking ones hardly any, and most one of two. */
function writeSampling(request: ModelRequest, thinks: boolean, drop: Lose): JsonObject {
  const { model, temperature, top_p, top_k } = request
  const version = claudeVersion(model)
  const refused = refusesSampling(model) || thinks
  const keep = (field: string, value: number | undefined, usual?: number): number | undefined => {
    if (value === undefined || !refused) return value
    if (value !== usual) drop(field)
    return undefined
  }
  const warmth = keep('temperature', temperature, 1)
  if (warmth !== undefined && warmth > 1) drop('temperature')
  const both = version !== undefined && version >= KEEPS_SCHEMA && warmth !== undefined
  if (both && top_p !== undefined && top_p !== 1) drop('top_p')
  return {
    temperature: warmth === undefined ? undefined : Math.min(warmth, 1),
    top_p: both ? undefined : keep('top_p', top_p, 1),
    top_k: keep('top_k', top_k),
  }
}

function writeFormat(format: ModelRequest['response_format'], model: string, drop: Lose): JsonObject | undefined {
  if (!format) return undefined
  if (format.schema !== undefined && (claudeVersion(model) ?? KEEPS_SCHEMA) >= KEEPS_SCHEMA) {
    return { type: 'json_schema', schema: format.schema }
  }
  drop('response_format')
  return undefined
}

function writeTier(tier: string | undefined, drop: Lose): string | undefined {
  if (tier === undefined || tier === 'auto') return tier
  if (tier === 'default' || tier === 'standard_only') return 'standard_only'
  drop('service_tier')
  return undefined
}
