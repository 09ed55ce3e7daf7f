// Spelling of Google's fields: camelCase, or with underscores as in its own schemas. Both are accepted.
import { getMember, asNumber } from '../json-value.ts'
import { kind } from '../shape.ts'

export const NAME = 'gemini-generate'

/** Converts a name to underscores. */
export const toSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Returns a member under either spelling of its name (given in camelCase); null counts as missing. */
export const eitherField = (value: unknown, name: string): unknown =>
  getMember(value, name) ?? getMember(value, toSnakeCase(name)) ?? undefined

/** Converts a name to camelCase. */
export const camelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const DECIMAL = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i

/** Google also accepts numbers as texts (the JSON of protocol buffers). */
export const numberAt = (value: unknown): number | undefined =>
  asNumber(typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value)

export const numberField = kind('a number', (value) => numberAt(value) !== undefined)

/** A single element may come without its list. */
export const FINDING = { member: eitherField, single: true } as const
