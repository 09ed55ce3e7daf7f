// Replies of endpoints as the terminal prints them, whatever endpoint it is.
import type { z } from 'zod'
import { fullKey, Token } from '../core/tokens/token.ts'

type Schema = z.ZodType
interface Def {
  type: string
  shape?: Record<string, Schema>
  element?: Schema
  innerType?: Schema
}

/** The same value with every key of a token as clients present it: with its prefix. `schema` says which they are. */
export function withFullKeys(schema: Schema, value: unknown): unknown {
  if (schema === Token.shape.key) return typeof value === 'string' ? fullKey(value) : value
  const { shape, element, innerType } = schema.def as unknown as Def
  if (innerType) return withFullKeys(innerType, value)
  if (element && Array.isArray(value)) return value.map((one) => withFullKeys(element, one))
  if (!shape || typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, one]) => {
    const declared = shape[name]
    return [name, declared ? withFullKeys(declared, one) : one] as const
  })
  return Object.fromEntries(fields)
}

/** The ids of what a reply holds: of one row, of each of a list, of a page; null where nothing in it has an id. */
export function listIds(reply: unknown): (string | number)[] | null {
  if (Array.isArray(reply)) {
    const ids = reply.map(listIds)
    return ids.length > 0 && ids.every((each) => each !== null) ? ids.flat() : null
  }
  if (typeof reply !== 'object' || reply === null) return null
  const { id, items, data = items } = reply as { id?: unknown; items?: unknown; data?: unknown }
  if (typeof id === 'number' || typeof id === 'string') return [id]
  return Array.isArray(data) ? listIds(data) : null
}
