// Spelling of Google's fields: camelCase, or with underscores as in its own schemas. Both are accepted.
import { getMember, asFiniteNumber } from '../json/json-value.ts'
import { checkKind } from '../requests/shape.ts'
import { createRequestCostScanner } from '../requests/cost-scanner.ts'

export const FORMAT_NAME = 'gemini-generate'

/** Converts a name to underscores. */
export const toSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Returns a member under either spelling of its name (given in camelCase); null counts as missing. */
export const getEitherSpelling = (value: unknown, name: string): unknown =>
  getMember(value, name) ?? getMember(value, toSnakeCase(name)) ?? undefined

/** Converts a name to camelCase. */
export const toCamelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const DECIMAL = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i

/** Google also accepts numbers as texts (the JSON of protocol buffers). */
export const parseNumberOrText = (value: unknown): number | undefined =>
  asFiniteNumber(typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value)

export const numberOrTextField = checkKind('a number', (value) => parseNumberOrText(value) !== undefined)

/** A single element may come without its list. */
export const FIELD_FINDING = { member: getEitherSpelling, single: true } as const

// Writes JSON for one line of an event: Python's line readers also split at characters that JSON may contain.

const LINE_ENDS = /[\u0085\u2028\u2029]/g

/** Escapes the characters that any reader treats as a line end. */
export const escapeLineEnds = (json: string): string =>
  json.replace(LINE_ENDS, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)

// Patterns of Google's request fields that hold something other than text, in both spellings.

export const COST_SCANNER = createRequestCostScanner({
  pictures: ['inline_?data'],
  files: ['file\\w*', 'cached_?content', '(?:google|file)_?search\\w*', 'url_?context'],
  hostedTools: ['(?:google|file)_?search\\w*', 'url_?context', 'code_?execution\\w*', 'google_?maps'],
  thoughts: ['thinking_?config'],
  mediaOut: ['response_?modalities'],
  sound: ['audio'],
})
