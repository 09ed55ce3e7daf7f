// Reading JSON of unknown shape without trusting it: each function gives the wanted kind of value or undefined.

export type JsonObject = Record<string, unknown>

const decoder = new TextDecoder('utf-8', { fatal: true })

export const asObject = (value: unknown): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined

export const asList = (value: unknown): unknown[] | undefined => (Array.isArray(value) ? value : undefined)

/** A text that says something. */
export const asText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

export const asNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** A member of an object that may be none. */
export const getMember = (value: unknown, key: string): unknown => {
  const object = asObject(value)
  return object && Object.hasOwn(object, key) ? object[key] : undefined
}

/** The same object without members that are undefined. */
export const withoutUndefined = <T extends object>(object: T): T =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T

/** The value in JSON text; undefined where it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The text in bytes; undefined where they are not UTF-8. */
export function decodedText(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** The value in JSON bytes; undefined where they are not JSON or not UTF-8. */
export function parsedBytes(bytes: Uint8Array): unknown {
  const text = decodedText(bytes)
  return text === undefined ? undefined : parsed(text)
}
