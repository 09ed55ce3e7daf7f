// Replies of any endpoint as the terminal prints them.
import { toFullKey } from '../../core/tokens/token.ts'

/** Returns the value with the prefix added to the API token keys at those places, as clients send them. */
export const withFullKeys = (places: readonly (readonly string[])[], value: unknown): unknown =>
  places.reduce<unknown>((reply, place) => withFullKey(place, reply), value)

function withFullKey(place: readonly string[], value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => withFullKey(place, one))
  const [name, ...rest] = place
  if (name === undefined) return typeof value === 'string' ? toFullKey(value) : value
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value
  return { ...value, [name]: withFullKey(rest, (value as Record<string, unknown>)[name]) }
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
