// How Google spells its fields: camelCase, or with underscores as its own schemas have them; both are accepted.
import { getMember, asNumber } from '../json-value.ts'
import { kind } from '../shape.ts'

export const NAME = 'gemini-generate'

/** The name with underscores. */
export const underscored = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** A member under either spelling of its name (given in camelCase); null counts as none. */
export const eitherField = (value: unknown, name: string): unknown =>
  getMember(value, name) ?? getMember(value, underscored(name)) ?? undefined

/** The name in camelCase. */
export const camelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const DECIMAL = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i

/** Google takes numbers as texts, too (the JSON of protocol buffers). */
export const numberAt = (value: unknown): number | undefined =>
  asNumber(typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value)

export const numberField = kind('a number', (value) => numberAt(value) !== undefined)

/** A single one may stand without its list. */
export const FINDING = { member: eitherField, single: true } as const
