// Converts a request, as the caller wrote it, to the neutral form.
import type { ModelRequest, Place, ResponseFormat } from '../model-request.ts'
import { asList, asObject, asText, withoutUndefined, type JsonObject } from '../json-value.ts'
import { findUnsupportedFields } from '../shape.ts'
import { readMessages } from './contents.ts'
import { camelCase, eitherField, NAME, numberAt } from './fields.ts'
import { parseValidRequest, parseMaxTokens } from './head.ts'
import { CONFIG, FIELDS } from './request-fields.ts'
import { fromGoogle } from './schema.ts'
import { readThinking } from './thinking.ts'
import { readToolChoice, readTools } from './tools.ts'

/** @throws GatewayError request.unreadable, request.no_model, request.invalid */
export function readRequest(body: Uint8Array, place?: Place): ModelRequest {
  const { request, model } = parseValidRequest(body, place)
  const untaken = findUnsupportedFields(request, FIELDS, camelCase)
  const config = eitherField(request, 'generationConfig')
  const number = (name: string) => numberAt(eitherField(config, name))
  const texts = (name: string) =>
    asList(eitherField(config, name))?.filter((text): text is string => typeof text === 'string')
  const { others: tools, ...declared } = readTools(request)
  const { others: toolConfig, ...called } = readToolChoice(request, declared)
  const extra = {
    ...untaken.extra,
    ...(tools.length > 0 ? { tools } : {}),
    ...under('generationConfig', unknown(config, CONFIG)),
    ...under('toolConfig', unknown(toolConfig, {})),
  }
  const lost = [...untaken.lost].filter((name) => !Object.hasOwn(extra, name))
  return withoutUndefined({
    dialect: NAME,
    model,
    stream: place?.stream === true,
    messages: readMessages(request),
    lost: lost.length > 0 ? lost : undefined,
    kept: untaken.kept.length > 0 ? untaken.kept : undefined,
    ...called,
    max_tokens: parseMaxTokens(config),
    temperature: number('temperature'),
    top_p: number('topP'),
    top_k: number('topK'),
    seed: number('seed'),
    logprobs: eitherField(config, 'responseLogprobs') === true ? true : undefined,
    top_logprobs: number('logprobs'),
    presence_penalty: number('presencePenalty'),
    frequency_penalty: number('frequencyPenalty'),
    n: number('candidateCount'),
    stop: texts('stopSequences'),
    service_tier: asText(eitherField(request, 'serviceTier')),
    response_format: readResponseFormat(config),
    modalities: readModalities(texts('responseModalities')),
    ...readThinking(eitherField(config, 'thinkingConfig')),
    extra,
  })
}

/** Reads the modalities; text alone is the default of every model. */
function readModalities(words: string[] | undefined): string[] | undefined {
  const modalities = words?.map((word) => word.toLowerCase())
  return modalities?.some((word) => word !== 'text') ? modalities : undefined
}

/** Returns the members that the neutral form does not support. */
const unknown = (value: unknown, words: object): JsonObject =>
  Object.fromEntries(
    Object.entries(asObject(value) ?? {})
      .map(([key, member]) => [camelCase(key), member] as const)
      .filter(([key, member]) => !Object.hasOwn(words, key) && member !== null),
  )

/** Prefixes the members of an inner object with its name: `generationConfig.speechConfig`. */
const under = (name: string, members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([key, value]) => [`${name}.${key}`, value]))

function readResponseFormat(config: unknown): ResponseFormat | undefined {
  const type = eitherField(config, 'responseMimeType')
  if (type !== 'application/json' && type !== 'text/x.enum') return undefined
  const schema = eitherField(config, 'responseJsonSchema') ?? fromGoogle(eitherField(config, 'responseSchema'))
  return schema === undefined ? {} : { schema }
}
