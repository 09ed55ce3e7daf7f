// Converts a request from the neutral form, and lists the fields that are lost. Model and streaming go into the
// address.
import type { ModelRequest, ResponseFormat, WrittenRequest } from '../model-request.ts'
import { withFormatInWords } from '../json-schema/words.ts'
import { asList, asObject, omitUndefinedMembers, type JsonObject } from '../json/json-value.ts'
import { FORMAT_NAME } from './fields.ts'
import { toGoogle, toGoogleJson } from './schema.ts'
import { writeThinking } from './thinking.ts'
import { writeToolChoice, writeToolDeclarations } from './tools.ts'
import { writeContentTurns } from './write-contents.ts'
import { writeObject } from '../json/json-bytes.ts'

const TIERS = new Set(['flex', 'standard', 'priority'])

export function writeModelRequest(neutral: ModelRequest): WrittenRequest {
  const dropped = new Set<string>()
  const drop = (field: string) => void dropped.add(field)
  const request = withFormat(neutral, drop)
  const { dialect, extra, model, user, parallel_tool_calls, response_format, modalities, stop, service_tier } = request
  const own = dialect === FORMAT_NAME
  if (!own) Object.keys(extra).forEach(drop)
  if (user !== undefined) drop('user')
  if (parallel_tool_calls === false) drop('parallel_tool_calls')
  const tier = service_tier?.toLowerCase()
  if (tier !== undefined && tier !== 'auto' && !TIERS.has(tier)) drop('service_tier')
  const thinkingConfig = writeThinking(model, request)
  const { reasoning_effort, reasoning_budget } = request
  if (!thinkingConfig && reasoning_effort !== undefined) drop('reasoning_effort')
  if (!thinkingConfig && reasoning_budget !== undefined) drop('reasoning_budget')
  const tools = writeToolDeclarations(request, drop)

  const generationConfig = omitUndefinedMembers({
    ...(own ? inside('generationConfig', extra) : {}),
    temperature: request.temperature,
    topP: request.top_p,
    topK: request.top_k,
    candidateCount: request.n,
    maxOutputTokens: request.max_tokens,
    stopSequences: stop,
    presencePenalty: request.presence_penalty,
    frequencyPenalty: request.frequency_penalty,
    seed: request.seed,
    responseLogprobs: request.logprobs,
    logprobs: request.top_logprobs,
    responseModalities: modalities?.map((word) => word.toUpperCase()),
    ...(response_format ? writeFormat(response_format) : {}),
    thinkingConfig,
  })
  const toolConfig = { ...(own ? inside('toolConfig', extra) : {}), ...writeToolChoice(request, tools) }
  const body = omitUndefinedMembers({
    ...(own ? topLevel(extra) : {}),
    ...writeContentTurns(request, drop),
    tools: own && asList(extra.tools) ? [...(tools ?? []), ...(asList(extra.tools) ?? [])] : tools,
    toolConfig: Object.keys(toolConfig).length > 0 ? toolConfig : undefined,
    generationConfig: Object.keys(generationConfig).length > 0 ? generationConfig : undefined,
    serviceTier: tier !== undefined && TIERS.has(tier) ? tier : undefined,
  })
  return { body: writeObject(body), dropped: [...dropped] }
}

/** Returns the members of `extra` that are prefixed with an object's name and a dot. */
const inside = (name: string, extra: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(extra).flatMap(([key, value]) =>
      key.startsWith(`${name}.`) ? [[key.slice(name.length + 1), value]] : [],
    ),
  )

const topLevel = (extra: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(extra).filter(([key]) => !key.includes('.')))

/** These models support JSON output or functions, but not both. */
const oneOfTwo = /gemini-[12]\b/

/** Adds the response format to the prompt if the model refuses the field. */
function withFormat(request: ModelRequest, drop: (field: string) => void): ModelRequest {
  const { response_format: format, tools, hosted_tools, model } = request
  if (!format || request.dialect === FORMAT_NAME) return request
  const refused = Boolean(tools?.length || hosted_tools?.length) && oneOfTwo.test(model)
  if (!refused && (format.schema === undefined || writeFormat(format))) return request
  drop('response_format')
  const { response_format: _, ...plain } = withFormatInWords(request)
  return refused ? plain : { ...plain, response_format: {} }
}

/** Writes a schema in Google's own form if possible; undefined if it cannot be expressed. */
function writeFormat({ schema }: ResponseFormat): JsonObject | undefined {
  const responseMimeType = 'application/json'
  if (schema === undefined || Object.keys(asObject(schema) ?? {}).length === 0) return { responseMimeType }
  const responseSchema = toGoogle(schema)
  if (responseSchema) return { responseMimeType, responseSchema }
  const responseJsonSchema = toGoogleJson(schema)
  return responseJsonSchema && { responseMimeType, responseJsonSchema }
}
