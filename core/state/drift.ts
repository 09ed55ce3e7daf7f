// Compares the things that files manage with their current state.
import type { Secrets } from '../ports/secrets.ts'
import type { ManagedEntry } from './managed.ts'
import { stateSections } from './sections/index.ts'
import { toCanonicalText, toEntryFields, sortTextList, type StateEntry, type SectionContent } from './state.ts'

const LENGTH = 32

/** Returns a keyed hash for each field of an entry, so that a reader of the database cannot recover the values. */
export function hashEntryFields(
  secrets: Pick<Secrets, 'hash'>,
  section: string,
  entry: StateEntry,
): Record<string, string> {
  const { sets = [] } = stateSections.find(({ name }) => name === section) ?? {}
  const hash = (name: string, value: StateEntry) =>
    secrets.hash(toCanonicalText(sets.includes(name) ? sortTextList(value) : value)).slice(0, LENGTH)
  return Object.fromEntries(Object.entries(toEntryFields(entry)).map(([name, value]) => [name, hash(name, value)]))
}

/** Names of the fields that are not as the file had them when it was applied; all of them if the thing was removed. */
export const findDriftedFields =
  (secrets: Pick<Secrets, 'hash'>) =>
  (
    { section, key, fields }: Pick<ManagedEntry, 'section' | 'key' | 'fields'>,
    present: SectionContent | undefined,
  ): string[] => {
    const now = hashEntryFields(secrets, section, present?.entries.get(key) ?? null)
    const applied = Object.entries(JSON.parse(fields) as Record<string, string>)
    return applied.filter(([name, hash]) => now[name] !== hash).map(([name]) => name)
  }
