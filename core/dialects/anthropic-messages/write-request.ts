// Converts a request from the neutral form to a message request, and lists the fields that are lost.
import type { CacheUse } from '../cache-mark.ts'
import type { ModelRequest, WrittenRequest } from '../model-request.ts'
import type { JsonObject } from '../json/json-value.ts'
import { addCacheMarks, type CacheablePrompt } from './cache-marks.ts'
import { getDefaultTokenLimit } from './limit.ts'
import { FORMAT_NAME } from './request.ts'
import { convertSchemas, getOwnSchemas } from './schema.ts'
import {
  parseClaudeVersion,
  isThinkingDisabled,
  refusesForcedTool,
  takesSystemTurns,
  buildThinkingFields,
  usesReasoningEffort,
} from './thinking.ts'
import { writeToolDeclarations, type ReportLostField } from './tools.ts'
import { writeMessageTurns } from './write-blocks.ts'

const encoder = new TextEncoder()

/** Fields that this format does not support. */
const UNSUPPORTED = ['seed', 'logprobs', 'top_logprobs', 'presence_penalty', 'frequency_penalty'] as const

/** The first version that refuses temperature and top_p together. */
const ONE_OF_TWO = 401

/** Writes the request. Undefined members vanish in JSON. */
export function writeModelRequest(request: ModelRequest, cache: CacheUse = 'never'): WrittenRequest {
  const { dialect, model, stream, extra, stop, user } = request
  const own = dialect === FORMAT_NAME
  const dropped = new Set<string>()
  const drop: ReportLostField = (field) => void dropped.add(field)
  if (!own) Object.keys(extra).forEach(drop)
  for (const field of UNSUPPORTED) if (request[field] !== undefined) drop(field)
  if ((request.n ?? 1) > 1) drop('n')
  if (request.modalities?.some((kind) => kind !== 'text')) drop('modalities')

  const { thinking, effort, max_tokens } = writeThinking(request, drop)
  const stopSequences = stop?.filter((text) => text.trim() !== '')
  if (stopSequences?.length !== stop?.length) drop('stop')
  const { tools, format, line } = own ? getOwnSchemas(request) : convertSchemas(request, drop)
  const output_config = { ...(effort ? { effort } : {}), ...(format ? { format } : {}) }
  const takesTurns = request.system_first !== true && takesSystemTurns(model)
  const written = {
    ...writeMessageTurns(request.messages, own, takesTurns, drop),
    ...writeToolDeclarations({ ...request, tools }, own, drop),
  }
  const prompt = own ? written : addCacheMarks(written, request, cache, () => drop('cache_control'))
  const body = {
    ...(own ? extra : {}),
    model,
    max_tokens,
    stream,
    ...(line === undefined ? prompt : withLine(prompt, line)),
    ...writeSampling(request, thinking !== undefined && thinking.type !== 'disabled', drop),
    stop_sequences: stopSequences?.length ? stopSequences : undefined,
    metadata: user === undefined ? undefined : { user_id: user },
    service_tier: writeTier(request.service_tier, drop),
    thinking,
    output_config: Object.keys(output_config).length > 0 ? output_config : undefined,
  }
  return { body: encoder.encode(JSON.stringify(body)), dropped: [...dropped] }
}

function writeThinking(request: ModelRequest, drop: ReportLostField): ReturnType<typeof buildThinkingFields> & object {
  const { model, reasoning_effort, reasoning_budget, max_tokens = getDefaultTokenLimit(model) } = request
  if (reasoning_effort === undefined && reasoning_budget === undefined) return { max_tokens }
  const fields = buildThinkingFields(model, request, max_tokens)
  if (fields && (isThinkingDisabled(request) || mayThink(request))) return fields
  drop(reasoning_effort === undefined ? 'reasoning_budget' : 'reasoning_effort')
  return { max_tokens }
}

/**
 * May the model think? Not if a tool call is forced; nor, for older models, between tool calls whose reasoning is
 * missing.
 */
function mayThink({ model, tool_choice, messages }: ModelRequest): boolean {
  if ((tool_choice === 'required' || typeof tool_choice === 'object') && !refusesForcedTool(model)) return false
  if (usesReasoningEffort(model) || messages.at(-1)?.role !== 'tool') return true
  const calling = messages.findLast(({ role }) => role === 'assistant')
  return calling?.reasoning?.some(({ signature, redacted }) => signature || redacted) ?? false
}

/**
 * A model that thinks takes hardly any sampling parameters; most models take one of two, the newest none (`families`).
 */
function writeSampling(request: ModelRequest, thinks: boolean, drop: ReportLostField): JsonObject {
  const { model, temperature, top_p, top_k } = request
  const version = parseClaudeVersion(model)
  const refused = thinks
  const keep = (field: string, value: number | undefined, usual?: number): number | undefined => {
    if (value === undefined || !refused) return value
    if (value !== usual) drop(field)
    return undefined
  }
  const warmth = keep('temperature', temperature, 1)
  if (warmth !== undefined && warmth > 1) drop('temperature')
  const both = version !== undefined && version >= ONE_OF_TWO && warmth !== undefined
  if (both && top_p !== undefined && top_p !== 1) drop('top_p')
  return {
    temperature: warmth === undefined ? undefined : Math.min(warmth, 1),
    top_p: both ? undefined : keep('top_p', top_p, 1),
    top_k: keep('top_k', top_k),
  }
}

/** Added after the cache breakpoints, so that calls without a response format can use the cached system prompt. */
function withLine<P extends CacheablePrompt>(prompt: P, text: string): P {
  const { system = [] } = prompt
  const promptBlocks = typeof system === 'string' ? [{ type: 'text', text: system }] : system
  return { ...prompt, system: [...promptBlocks, { type: 'text', text }] }
}

function writeTier(tier: string | undefined, drop: ReportLostField): string | undefined {
  if (tier === undefined || tier === 'auto') return tier
  if (tier === 'default' || tier === 'standard_only') return 'standard_only'
  drop('service_tier')
  return undefined
}
