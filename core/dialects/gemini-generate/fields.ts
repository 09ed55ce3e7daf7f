// Spelling of Google's fields: camelCase, or with underscores as in its own schemas. Both are accepted.
import { getMember, asFiniteNumber } from '../json/json-value.ts'
import { checkKind } from '../requests/shape.ts'

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
