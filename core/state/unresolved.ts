// References of a file that could not be resolved where the file was read: what Weir has in their place is kept.
import type { EntryTextPath } from './secret-paths.ts'
import type { StateSection } from './section.ts'
import { toEntryFields, type StateEntries, type StateValue } from './state.ts'

type EntryFields = Readonly<Record<string, StateValue>>

/**
 * Returns the entries of a file with the present values where references could not be resolved, so that they are
 * neither changed nor removed. A field of an entry that keeps its other fields is left out instead: a secret counts as
 * given again only if the file has it.
 * @param paths key and fields of each reference
 */
export function keepUnresolved(
  { whole }: Pick<StateSection, 'whole'>,
  given: EntryFields,
  present: StateEntries | undefined,
  paths: readonly EntryTextPath[],
): EntryFields {
  let named = given
  for (const [key = '', ...fields] of paths) {
    const before = present?.get(key)
    if (before === undefined || (fields.length === 1 && !whole)) continue
    named = { ...named, [key]: withPresent(named[key], before, fields) }
  }
  return named
}

/** Returns the value with what is at the path before; unchanged if nothing is there. */
function withPresent(value: StateValue | undefined, before: StateValue, [name, ...rest]: EntryTextPath): StateValue {
  if (name === undefined) return before
  const inside = toEntryFields(before)[name]
  if (inside === undefined) return value ?? null
  const fields = toEntryFields(value)
  return { ...fields, [name]: withPresent(fields[name], inside, rest) }
}
