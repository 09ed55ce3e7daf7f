// References of a file that could not be resolved where the file was read: what Weir has in their place is kept.
import type { Path } from './secret-paths.ts'
import type { Section } from './section.ts'
import { toFields, type Entries, type StateValue } from './state.ts'

type Named = Readonly<Record<string, StateValue>>

/**
 * Returns the entries of a file with the present values where references could not be resolved, so that they are
 * neither changed nor removed. A field of an entry that keeps its other fields is left out instead: a secret counts as
 * given again only if the file has it.
 * @param paths key and fields of each reference
 */
export function keepUnresolved(
  { whole }: Pick<Section, 'whole'>,
  given: Named,
  present: Entries | undefined,
  paths: readonly Path[],
): Named {
  let named = given
  for (const [key = '', ...fields] of paths) {
    const before = present?.get(key)
    if (before === undefined || (fields.length === 1 && !whole)) continue
    named = { ...named, [key]: withPresent(named[key], before, fields) }
  }
  return named
}

/** Returns the value with what is at the path before; unchanged if nothing is there. */
function withPresent(value: StateValue | undefined, before: StateValue, [name, ...rest]: Path): StateValue {
  if (name === undefined) return before
  const inside = toFields(before)[name]
  if (inside === undefined) return value ?? null
  const fields = toFields(value)
  return { ...fields, [name]: withPresent(fields[name], inside, rest) }
}
