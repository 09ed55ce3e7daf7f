// Reads the few fields of a request that a call needs when its bytes pass through. Model and streaming are part of the
// address.
import { fail } from '../../errors.ts'
import type { RequestPlace } from '../model-request.ts'
import type { RequestHead } from '../requests/head.ts'
import {
  AUDIO_TOKENS,
  FILE_TOKENS,
  IMAGE_TOKENS,
  TOKENS_PER_MESSAGE,
  TOKENS_PER_TOOL,
  REPLY_PRIMER_TOKENS,
  estimateTextTokens,
  checkTokenLimit,
  estimateValueTokens,
} from '../requests/head.ts'
import { asList, asObject, asText, type JsonObject } from '../json/json-value.ts'
import type { FormatObjectDeclarations, ObjectDeclarations } from '../requests/object-places.ts'
import { findProviderObjects, declareId, normalizePrivateAddress } from '../requests/object-places.ts'
import { sumTools, readMeasuredBody } from '../requests/measured-body.ts'
import { parseRequestBody } from '../requests/request-body.ts'
import { findCacheAffinity } from '../cache-affinity.ts'
import { CHAT_PRICE_WORDS, readPriceWords } from '../requests/price-words.ts'
import { toKindCheck, checkRequestKinds, object, textField } from '../requests/shape.ts'
import { getEitherSpelling, FIELD_FINDING, parseNumberOrText, numberOrTextField, toSnakeCase } from './fields.ts'
import { hasForeignSignature, findPartSignature } from './signature.ts'

/** Members may also be spelled with underscores. */
const eitherName = (places: ObjectDeclarations): ObjectDeclarations =>
  Object.fromEntries(
    Object.entries(places).flatMap(([name, place]) => [
      [name, place],
      [toSnakeCase(name), place],
    ]),
  )

const fileUri = declareId('file', { read: normalizePrivateAddress })
const media = eitherName({ fileData: eitherName({ fileUri }) })
const part: ObjectDeclarations = { ...media, ...eitherName({ functionResponse: { parts: media } }) }
const content: ObjectDeclarations = { parts: part }

const store = declareId('vector_store')
const tool = eitherName({
  fileSearch: eitherName({ fileSearchStoreNames: store }),
  retrieval: eitherName({
    vertexRagStore: eitherName({
      ragCorpora: store,
      ragResources: eitherName({ ragCorpus: store, ragFileIds: declareId('file') }),
    }),
    vertexAiSearch: eitherName({ datastore: store, engine: store, dataStoreSpecs: eitherName({ dataStore: store }) }),
  }),
})

const request: ObjectDeclarations = {
  contents: content,
  // Embeddings, of which one request may hold many.
  content,
  requests: () => request,
  ...eitherName({
    systemInstruction: content,
    cachedContent: declareId('cached_content'),
    // A request to count tokens may be nested.
    generateContentRequest: () => request,
  }),
  tools: tool,
}

export const generateObjects: FormatObjectDeclarations = {
  request,
  answer: { candidates: { content: { parts: media } } },
  unknown: 'object.denied',
}

/** The fields that are read for every provider. */
export const headFields = {
  contents: [{ parts: [{ text: textField }] }],
  systemInstruction: { parts: [{ text: textField }] },
  tools: [{ functionDeclarations: [object] }],
  generationConfig: { candidateCount: numberOrTextField, maxOutputTokens: checkTokenLimit(parseNumberOrText) },
} as const
const fits = toKindCheck(headFields, FIELD_FINDING)

/** Removes the collection from a model name of an address. */
export const removeModelCollection = (name: string): string => name.replace(/^models\//, '')

/**
 * Parses a request with its model's name and checks the fields that the gateway depends on.
 * @throws GatewayError request.unreadable, request.no_model, request.invalid
 */
export const parseValidRequest = (body: Uint8Array, place?: RequestPlace): ValidRequest =>
  checkRequest(parseRequestBody(body), place)

interface ValidRequest {
  request: JsonObject
  model: string
  whole: JsonObject
}

function checkRequest(whole: JsonObject, place: RequestPlace | undefined): ValidRequest {
  // A request to count tokens may be nested.
  const inner = whole.contents === undefined ? asObject(getEitherSpelling(whole, 'generateContentRequest')) : undefined
  const request = inner ?? whole
  const model = removeModelCollection(place?.model ?? asText(request.model) ?? '').trim()
  if (model === '') fail('request.no_model')
  checkRequestKinds(request, fits)
  if (getContentTurns(request).length === 0)
    fail('request.invalid', { param: 'contents', reason: 'contents is required' })
  return { request, model, whole }
}

/** Returns a conversation's turns; a single one may come without its list. */
export function getContentTurns(request: JsonObject): unknown[] {
  const { contents } = request
  return asList(contents) ?? (asObject(contents) ? [contents] : [])
}

/** Returns a turn's parts; a single one may come without its list. */
export function getTurnParts(content: unknown): unknown[] {
  const parts = getEitherSpelling(content, 'parts')
  return asList(parts) ?? (asObject(parts) ? [parts] : [])
}

/** Returns the requested output limit; undefined if there is none. */
export const parseMaxTokens = (config: unknown): number | undefined =>
  parseNumberOrText(getEitherSpelling(config, 'maxOutputTokens'))

const MEASURED = ['systemInstruction', 'system_instruction', 'contents']

/** @throws GatewayError request.unreadable, request.no_model, request.invalid */
export const readRequestHead = (body: Uint8Array, place?: RequestPlace): RequestHead =>
  readMeasuredBody(body, MEASURED, (whole) => buildHead(whole, place))

function buildHead(given: JsonObject, place: RequestPlace | undefined): RequestHead {
  const { request, model, whole } = checkRequest(given, place)
  const config = getEitherSpelling(request, 'generationConfig')
  const limit = parseMaxTokens(config)
  const prompt_estimate = estimatePromptTokens(request)
  return {
    model,
    words: readPriceWords(request, CHAT_PRICE_WORDS),
    stream: place?.stream === true,
    ...(limit === undefined ? {} : { max_tokens: limit }),
    answers: parseNumberOrText(getEitherSpelling(config, 'candidateCount')),
    include_usage: true,
    prompt_estimate,
    shows_thoughts: getEitherSpelling(getEitherSpelling(config, 'thinkingConfig'), 'includeThoughts') === true,
    objects: findProviderObjects(whole, generateObjects.request),
    searches: asList(request.tools)?.some(isSearch) ?? false,
    ...findLastSignature(getContentTurns(request)),
    ...(getContentTurns(request).some(isBorrowing) ? { borrowed: true as const } : {}),
    ...findCacheAffinity(prompt_estimate, undefined, listTexts(request)),
  }
}

/** Is this Google's own search, under any of its names? */
const isSearch = (tool: unknown): boolean =>
  Object.keys(asObject(tool) ?? {}).some((name) => /^(google|enterprise_?web)_?search/i.test(name))

const NO_PROOF = {}

/** Returns the signature in the last part of these turns that has one. */
export function findLastSignature(contents: readonly unknown[]): { proof?: string } {
  for (let at = contents.length - 1; at >= 0; at--) {
    const parts = getTurnParts(contents[at])
    for (let part = parts.length - 1; part >= 0; part--) {
      const proof = findPartSignature(parts[part])
      if (proof !== undefined) return { proof }
    }
  }
  return NO_PROOF
}

const isBorrowing = (content: unknown): boolean => getTurnParts(content).some((part) => hasForeignSignature(part))

function* listTexts(request: JsonObject): Generator<string> {
  for (const content of [getEitherSpelling(request, 'systemInstruction'), ...getContentTurns(request)]) {
    for (const part of getTurnParts(content)) yield asText(getEitherSpelling(part, 'text')) ?? ''
  }
}

/** Estimates the prompt tokens, at least 1. Nothing is downloaded to count it. */
function estimatePromptTokens(request: JsonObject): number {
  let sum = REPLY_PRIMER_TOKENS
  for (const content of [getEitherSpelling(request, 'systemInstruction'), ...getContentTurns(request)]) {
    if (content === undefined) continue
    sum += TOKENS_PER_MESSAGE
    for (const part of getTurnParts(content)) sum += partTokens(part)
  }
  sum += sumTools(asList(request.tools) ?? [], toolTokens)
  return Math.max(1, Math.ceil(sum))
}

const toolTokens = (tool: unknown): number =>
  (asList(getEitherSpelling(tool, 'functionDeclarations')) ?? []).reduce<number>(
    (sum, declared) => sum + TOKENS_PER_TOOL + estimateValueTokens(declared),
    0,
  )

function partTokens(part: unknown): number {
  const type = asText(getEitherSpelling(getEitherSpelling(part, 'inlineData'), 'mimeType'))
  if (type !== undefined)
    return type.startsWith('image/') ? IMAGE_TOKENS : type.startsWith('audio/') ? AUDIO_TOKENS : FILE_TOKENS
  if (getEitherSpelling(part, 'fileData') !== undefined) return FILE_TOKENS
  const text = asText(getEitherSpelling(part, 'text'))
  if (text !== undefined) return estimateTextTokens(text)
  return estimateValueTokens(
    getEitherSpelling(part, 'functionCall') ?? getEitherSpelling(part, 'functionResponse') ?? {},
  )
}
