// Reads JSON of unknown shape without trusting it: each function returns the requested kind of value or undefined.

import { decodeLatin1, isAscii } from './json-text.ts'

export type JsonObject = Record<string, unknown>

const decoder = new TextDecoder('utf-8', { fatal: true })

export const asObject = (value: unknown): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined

export const asList = (value: unknown): unknown[] | undefined => (Array.isArray(value) ? value : undefined)

/** Returns a non-empty string. */
export const asText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

export const asFiniteNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** Returns a member of a value that may not be an object. */
export const getMember = (value: unknown, key: string): unknown => {
  const object = asObject(value)
  return object && Object.hasOwn(object, key) ? object[key] : undefined
}

/** Returns the object without its undefined members. */
export const omitUndefinedMembers = <T extends object>(object: T): T =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T

/** Parses JSON text; undefined if it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** From this length on, a text is mostly ASCII or not at all, and it pays to try that first. Unit: bytes. */
const LONG = 8192

/** Decodes UTF-8; undefined if it is invalid. */
export function decodeUtf8Text(bytes: Uint8Array): string | undefined {
  if (bytes.length >= LONG) {
    // Copying characters of one byte takes a fifth of the time of decoding them.
    const text = decodeLatin1(bytes)
    if (isAscii(text)) return text
  }
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** Parses JSON bytes; undefined if they are not JSON or not UTF-8. */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  const text = decodeUtf8Text(bytes)
  return text === undefined ? undefined : parseJson(text)
}
