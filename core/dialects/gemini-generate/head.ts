// Reads the few fields of a request that a call needs when its bytes pass through. Model and streaming are part of the
// address.
import { fail } from '../../errors.ts'
import type { Place } from '../model-request.ts'
import {
  AUDIO,
  FILE,
  IMAGE,
  PER_MESSAGE,
  PER_TOOL,
  PRIMER,
  type RequestHead,
  textTokens,
  tokenLimit,
  valueTokens,
} from '../head.ts'
import { asList, asObject, asText, type JsonObject } from '../json-value.ts'
import { findObjects } from '../object-places.ts'
import { parseRequestBody } from '../request-body.ts'
import { findCacheAffinity } from '../cache-affinity.ts'
import { CHAT_WORDS, readPriceWords } from '../price-words.ts'
import { asKind, checkKinds, object, textField } from '../shape.ts'
import { eitherField, FINDING, numberAt, numberField } from './fields.ts'
import { objects } from './objects.ts'
import { isForeign, findPartSignature } from './signature.ts'

/** The fields that are read for every provider. */
export const headFields = {
  contents: [{ parts: [{ text: textField }] }],
  systemInstruction: { parts: [{ text: textField }] },
  tools: [{ functionDeclarations: [object] }],
  generationConfig: { candidateCount: numberField, maxOutputTokens: tokenLimit(numberAt) },
} as const
const fits = asKind(headFields, FINDING)

/** Removes the collection from a model name of an address. */
export const plainModel = (name: string): string => name.replace(/^models\//, '')

/**
 * Parses a request with its model's name and checks the fields that the gateway depends on.
 * @throws GatewayError request.unreadable, request.no_model, request.invalid
 */
export function parseValidRequest(
  body: Uint8Array,
  place?: Place,
): { request: JsonObject; model: string; whole: JsonObject } {
  const whole = parseRequestBody(body)
  // A request to count tokens may be nested.
  const inner = whole.contents === undefined ? asObject(eitherField(whole, 'generateContentRequest')) : undefined
  const request = inner ?? whole
  const model = plainModel(place?.model ?? asText(request.model) ?? '').trim()
  if (model === '') fail('request.no_model')
  checkKinds(request, fits)
  if (getContents(request).length === 0) fail('request.invalid', { param: 'contents', reason: 'contents is required' })
  return { request, model, whole }
}

/** Returns a conversation's turns; a single one may come without its list. */
export function getContents(request: JsonObject): unknown[] {
  const { contents } = request
  return asList(contents) ?? (asObject(contents) ? [contents] : [])
}

/** Returns a turn's parts; a single one may come without its list. */
export function getParts(content: unknown): unknown[] {
  const parts = eitherField(content, 'parts')
  return asList(parts) ?? (asObject(parts) ? [parts] : [])
}

/** Returns the requested output limit; undefined if there is none. */
export const parseMaxTokens = (config: unknown): number | undefined => numberAt(eitherField(config, 'maxOutputTokens'))

/** @throws GatewayError request.unreadable, request.no_model, request.invalid */
export function readHead(body: Uint8Array, place?: Place): RequestHead {
  const { request, model, whole } = parseValidRequest(body, place)
  const config = eitherField(request, 'generationConfig')
  const limit = parseMaxTokens(config)
  const prompt_estimate = promptEstimate(request)
  return {
    model,
    words: readPriceWords(request, CHAT_WORDS),
    stream: place?.stream === true,
    ...(limit === undefined ? {} : { max_tokens: limit }),
    answers: numberAt(eitherField(config, 'candidateCount')),
    include_usage: true,
    prompt_estimate,
    shows_thoughts: eitherField(eitherField(config, 'thinkingConfig'), 'includeThoughts') === true,
    objects: findObjects(whole, objects.request),
    searches: asList(request.tools)?.some(isSearch) ?? false,
    ...findLastSignature(getContents(request)),
    ...(getContents(request).some(isBorrowing) ? { borrowed: true as const } : {}),
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
    const parts = getParts(contents[at])
    for (let part = parts.length - 1; part >= 0; part--) {
      const proof = findPartSignature(parts[part])
      if (proof !== undefined) return { proof }
    }
  }
  return NO_PROOF
}

const isBorrowing = (content: unknown): boolean => getParts(content).some((part) => isForeign(part))

function* listTexts(request: JsonObject): Generator<string> {
  for (const content of [eitherField(request, 'systemInstruction'), ...getContents(request)]) {
    for (const part of getParts(content)) yield asText(eitherField(part, 'text')) ?? ''
  }
}

/** Estimates the prompt tokens, at least 1. Nothing is downloaded to count it. */
function promptEstimate(request: JsonObject): number {
  let sum = PRIMER
  for (const content of [eitherField(request, 'systemInstruction'), ...getContents(request)]) {
    if (content === undefined) continue
    sum += PER_MESSAGE
    for (const part of getParts(content)) sum += partTokens(part)
  }
  for (const tool of asList(request.tools) ?? []) {
    for (const declared of asList(eitherField(tool, 'functionDeclarations')) ?? [])
      sum += PER_TOOL + valueTokens(declared)
  }
  return Math.max(1, Math.ceil(sum))
}

function partTokens(part: unknown): number {
  const type = asText(eitherField(eitherField(part, 'inlineData'), 'mimeType'))
  if (type !== undefined) return type.startsWith('image/') ? IMAGE : type.startsWith('audio/') ? AUDIO : FILE
  if (eitherField(part, 'fileData') !== undefined) return FILE
  const text = asText(eitherField(part, 'text'))
  if (text !== undefined) return textTokens(text)
  return valueTokens(eitherField(part, 'functionCall') ?? eitherField(part, 'functionResponse') ?? {})
}
