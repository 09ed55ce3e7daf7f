// The places where a format names a provider's own objects, out of its declaration, and a request for each.
import type { ObjectKind, ObjectDeclarations } from '../../core/dialects/requests/object-places.ts'

export interface ObjectPlaceCase {
  kind: ObjectKind
  /** Members from the outside in. */
  path: readonly string[]
}

type Place = ObjectDeclarations[string]

/** Every declared place, each declaration within itself once. */
export function listObjectPlaces(
  places: ObjectDeclarations,
  path: readonly string[] = [],
  above: readonly Place[] = [],
) {
  const found: ObjectPlaceCase[] = []
  for (const [name, declared] of Object.entries(places)) {
    const place = typeof declared === 'function' ? declared() : declared
    if (above.filter((one) => one === place).length > 0) continue
    const here = [...path, name === '*' ? 'any' : name]
    const id = typeof place.kind === 'string' ? (place as { kind: ObjectKind; within?: Place }) : undefined
    if (id) found.push({ kind: id.kind, path: here })
    const within = id ? id.within : (place as ObjectDeclarations)
    const inner = typeof within === 'function' ? within() : within
    if (inner) found.push(...listObjectPlaces(inner as ObjectDeclarations, here, [...above, place]))
  }
  return found
}

/** Members that hold lists. */
const LISTS = new Set(
  (
    'system messages input tools skills file_ids vector_store_ids contents parts requests annotations results images content ' +
    'fileSearchStoreNames file_search_store_names ragResources rag_resources'
  ).split(' '),
)
/** What stands beside a member, so that its holder is what it says. */
const BESIDE: Record<string, object> = {
  messages: { role: 'user' },
  input: { type: 'item_reference' },
  skills: { type: 'custom' },
}

/** The members of a request that name `id` at this place. */
export function namingBody(path: readonly string[], id: string): Record<string, unknown> {
  const [name = '', ...rest] = path
  const inner =
    rest.length === 0
      ? id
      : {
          ...BESIDE[name],
          ...(rest[0] !== 'id' && name === 'input' ? { type: 'message', role: 'user' } : {}),
          ...namingBody(rest, id),
        }
  return { [name]: LISTS.has(name) ? [inner] : inner }
}
