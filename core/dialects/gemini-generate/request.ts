// Converts a request, as the caller wrote it, to the neutral form.
import type { ModelRequest, RequestPlace, ResponseFormat } from '../model-request.ts'
import { asList, asObject, asText, omitUndefinedMembers, type JsonObject } from '../json/json-value.ts'
import type { FieldCheck } from '../requests/shape.ts'
import {
  findUnsupportedFields,
  each,
  flagField,
  storedByVendor,
  members,
  object,
  acceptAny,
  textField,
} from '../requests/shape.ts'
import { readContentTurns } from './contents.ts'
import {
  toCamelCase,
  getEitherSpelling,
  FORMAT_NAME,
  parseNumberOrText,
  numberOrTextField as number,
} from './fields.ts'
import { parseValidRequest, parseMaxTokens } from './head.ts'
import { fromGoogleSchema } from './schema.ts'
import { readThinking } from './thinking.ts'
import { readToolChoice, readToolDeclarations } from './tools.ts'

// Declares the fields of this format's requests and how the reader handles each of them.

/** Addresses that only Google can open: its Files API, its buckets, videos. */
const AT_GOOGLE =
  /^(files\/|gs:\/\/|https:\/\/(generativelanguage\.googleapis\.com|(www\.|m\.)?youtube\.com|youtu\.be)\/)/
const file = storedByVendor('a file at Google')
const fileUri: FieldCheck = (value, ...place) => AT_GOOGLE.test(asText(value) ?? '') && file(value, ...place)

const media = {
  inlineData: members({ data: textField, mimeType: textField }),
  fileData: members({ fileUri, mimeType: textField }),
}

const part = members({
  ...media,
  text: textField,
  thought: flagField,
  thoughtSignature: textField,
  functionCall: members({ id: textField, name: textField, args: object }),
  functionResponse: members({ id: textField, name: textField, response: object, parts: each(unnamed(members(media))) }),
  executableCode: object,
  codeExecutionResult: object,
})

/** Parts are reported by their content, wherever they are. */
function unnamed(shape: FieldCheck): FieldCheck {
  return (value, _, ...rest) => shape(value, '', ...rest)
}

const content = members({ role: textField, parts: each(unnamed(part)) })

const GENERATION_CONFIG = {
  temperature: number,
  topP: number,
  topK: number,
  candidateCount: number,
  maxOutputTokens: acceptAny,
  stopSequences: each(textField),
  presencePenalty: number,
  frequencyPenalty: number,
  seed: number,
  responseLogprobs: flagField,
  logprobs: number,
  responseMimeType: textField,
  responseSchema: object,
  responseJsonSchema: object,
  thinkingConfig: members({ includeThoughts: flagField, thinkingBudget: number, thinkingLevel: textField }),
  responseModalities: each(textField),
}

const functionDeclaration = members({
  name: textField,
  description: textField,
  parameters: object,
  parametersJsonSchema: object,
})

const tool = members({
  functionDeclarations: each(functionDeclaration),
  // Their options are Google's own.
  googleSearch: members({}),
  googleSearchRetrieval: members({}),
  enterpriseWebSearch: members({}),
  urlContext: members({}),
  codeExecution: members({}),
  fileSearch: storedByVendor('a store of files at Google'),
  retrieval: storedByVendor('a store of texts at Google'),
  mcpServers: storedByVendor('servers that Google asks for their tools'),
})

const REQUEST_FIELDS = {
  model: acceptAny,
  contents: each(content),
  systemInstruction: content,
  tools: each(tool),
  toolConfig: members({ functionCallingConfig: members({ mode: textField, allowedFunctionNames: each(textField) }) }),
  generationConfig: members(GENERATION_CONFIG),
  serviceTier: textField,
  cachedContent: storedByVendor('a prompt at Google'),
}

/** @throws GatewayError request.unreadable, request.no_model, request.invalid */
export function readModelRequest(body: Uint8Array, place?: RequestPlace): ModelRequest {
  const { request, model } = parseValidRequest(body, place)
  const untaken = findUnsupportedFields(request, REQUEST_FIELDS, toCamelCase)
  const config = getEitherSpelling(request, 'generationConfig')
  const number = (name: string) => parseNumberOrText(getEitherSpelling(config, name))
  const texts = (name: string) =>
    asList(getEitherSpelling(config, name))?.filter((text): text is string => typeof text === 'string')
  const { others: tools, ...declared } = readToolDeclarations(request)
  const { others: toolConfig, ...called } = readToolChoice(request, declared)
  const extra = {
    ...untaken.extra,
    ...(tools.length > 0 ? { tools } : {}),
    ...under('generationConfig', unknown(config, GENERATION_CONFIG)),
    ...under('toolConfig', unknown(toolConfig, {})),
  }
  const lost = [...untaken.lost].filter((name) => !Object.hasOwn(extra, name))
  return omitUndefinedMembers({
    dialect: FORMAT_NAME,
    model,
    stream: place?.stream === true,
    messages: readContentTurns(request),
    lost: lost.length > 0 ? lost : undefined,
    vendorData: untaken.vendorData.length > 0 ? untaken.vendorData : undefined,
    ...called,
    max_tokens: parseMaxTokens(config),
    temperature: number('temperature'),
    top_p: number('topP'),
    top_k: number('topK'),
    seed: number('seed'),
    logprobs: getEitherSpelling(config, 'responseLogprobs') === true ? true : undefined,
    top_logprobs: number('logprobs'),
    presence_penalty: number('presencePenalty'),
    frequency_penalty: number('frequencyPenalty'),
    n: number('candidateCount'),
    stop: texts('stopSequences'),
    service_tier: asText(getEitherSpelling(request, 'serviceTier')),
    response_format: readResponseFormat(config),
    modalities: readModalities(texts('responseModalities')),
    ...readThinking(getEitherSpelling(config, 'thinkingConfig')),
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
      .map(([key, member]) => [toCamelCase(key), member] as const)
      .filter(([key, member]) => !Object.hasOwn(words, key) && member !== null),
  )

/** Prefixes the members of an inner object with its name: `generationConfig.speechConfig`. */
const under = (name: string, members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([key, value]) => [`${name}.${key}`, value]))

function readResponseFormat(config: unknown): ResponseFormat | undefined {
  const type = getEitherSpelling(config, 'responseMimeType')
  if (type !== 'application/json' && type !== 'text/x.enum') return undefined
  const schema =
    getEitherSpelling(config, 'responseJsonSchema') ?? fromGoogleSchema(getEitherSpelling(config, 'responseSchema'))
  return schema === undefined ? {} : { schema }
}
