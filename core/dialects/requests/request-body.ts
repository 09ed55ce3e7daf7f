// Parses a caller's body: the only place that limits its depth and its cost, before they cost anything.
import { fail, fillTemplate, GatewayError, EMPTY_WORDS, words, type Words } from '../../errors.ts'
import { getKeptMembers, keepMembers, type ObjectBytes } from '../json/json-bytes.ts'
import { findExcess, type JsonExcess, type JsonLimits } from '../json/json-cost.ts'
import { findJsonError, type TextPosition } from '../json/json-text.ts'
import { asObject, decodeUtf8Text, parseJson, type JsonObject } from '../json/json-value.ts'

/**
 * Long conversations with many tools use a tenth of the cost; prompts of a thousand texts, each as a thousand numbers,
 * two thirds.
 */
export const CALL_JSON_LIMITS: JsonLimits = { depth: 128, cost: 1_500_000, item: 1 }

/** Limits of stored JSON texts: in settings and in fields of channels. */
const TEXT_LIMITS: JsonLimits = { ...CALL_JSON_LIMITS, item: 10 }

/** @throws GatewayError request.unreadable, request.too_deep, request.too_many_values */
export function parseRequestBody(body: Uint8Array, limits: JsonLimits = CALL_JSON_LIMITS): JsonObject {
  const known = limits === CALL_JSON_LIMITS ? getKeptMembers(body) : undefined
  if (known) return parseWhole(body, known)
  const object: ObjectBytes = { start: -1, close: -1, members: [] }
  refuseExcess(findExcess(body, limits, object), limits)
  return parseWhole(body, object)
}

/** @throws GatewayError request.too_deep, request.too_many_values */
export function refuseExcess(excess: JsonExcess | undefined, { depth }: JsonLimits): void {
  if (excess?.of === 'depth') fail('request.too_deep', { param: excess.param, limit: depth })
  if (excess) fail('request.too_many_values', { param: excess.param || 'body' })
}

/** @throws GatewayError request.unreadable */
export function parseWhole(body: Uint8Array, object: ObjectBytes): JsonObject {
  const text = decodeBodyText(body)
  const request = asObject(text === undefined ? undefined : parseJson(text)) ?? fail('request.unreadable')
  if (object.close >= 0) keepMembers(body, object)
  return request
}

/** The text of a long body, for the other readers of its call: they follow in the same step of the event loop. */
let decoded: { body: Uint8Array; text: string | undefined } | undefined
const LONG = 4096

/** Decodes a body of a request; undefined if it is not UTF-8. */
export function decodeBodyText(body: Uint8Array): string | undefined {
  if (decoded?.body === body) return decoded.text
  const text = decodeUtf8Text(body)
  if (body.length >= LONG) {
    decoded = { body, text }
    queueMicrotask(() => (decoded = undefined))
  }
  return text
}

const encoder = new TextEncoder()

/**
 * Parses a JSON text that was sent inside another value.
 * @throws GatewayError json.too_many_values, json.invalid
 */
export function parseJsonText(text: string): unknown {
  try {
    if (findExcess(encoder.encode(text), TEXT_LIMITS)) fail('json.too_many_values')
    return JSON.parse(text) as unknown
  } catch (cause) {
    if (cause instanceof GatewayError && cause.code === 'json.too_many_values') throw cause
    const place = findJsonError(text)
    throw new GatewayError('json.invalid', { at: place ? describePlace(place) : WHOLE_TEXT_PLACE }, { cause })
  }
}

/** The place of an error that concerns the whole text. */
export const WHOLE_TEXT_PLACE: Words = EMPTY_WORDS

const describePlace = ({ line, column }: TextPosition): Words =>
  fillTemplate(words(': line {line}, column {column}'), { line, column })
