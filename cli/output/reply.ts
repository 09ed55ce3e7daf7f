// Replies of any endpoint as the terminal prints them.
import type { z } from 'zod'
import { toFullKey, Token } from '../../core/tokens/token.ts'

type Schema = z.ZodType
interface Def {
  type: string
  shape?: Record<string, Schema>
  element?: Schema
  innerType?: Schema
}

/** Returns the value with the prefix added to every API token key, as clients send it. `schema` marks these fields. */
export function withFullKeys(schema: Schema, value: unknown): unknown {
  if (schema === Token.shape.key) return typeof value === 'string' ? toFullKey(value) : value
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

/** Returns the ids in a reply: of one row, of a list, of a page; null if it has no id. */
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
