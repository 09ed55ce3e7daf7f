// Compares the things that files manage with their current state.
import type { Secrets } from '../ports/secrets.ts'
import type { Managed } from './managed.ts'
import { sections } from './sections/index.ts'
import { canonical, toFields, inOrder, type Entry, type SectionContent } from './state.ts'

const LENGTH = 32

/** Returns a keyed hash for each field of an entry, so that a reader of the database cannot recover the values. */
export function fingerprints(secrets: Pick<Secrets, 'hash'>, section: string, entry: Entry): Record<string, string> {
  const { sets = [] } = sections.find(({ name }) => name === section) ?? {}
  const hash = (name: string, value: Entry) =>
    secrets.hash(canonical(sets.includes(name) ? inOrder(value) : value)).slice(0, LENGTH)
  return Object.fromEntries(Object.entries(toFields(entry)).map(([name, value]) => [name, hash(name, value)]))
}

/** Names of the fields that are not as the file had them when it was applied; all of them where the thing is gone. */
export const findDrift =
  (secrets: Pick<Secrets, 'hash'>) =>
  (
    { section, key, fields }: Pick<Managed, 'section' | 'key' | 'fields'>,
    present: SectionContent | undefined,
  ): string[] => {
    const now = fingerprints(secrets, section, present?.entries.get(key) ?? null)
    const applied = Object.entries(JSON.parse(fields) as Record<string, string>)
    return applied.filter(([name, hash]) => now[name] !== hash).map(([name]) => name)
  }
