// The marks of managed things under another master secret. Their hashes are keyed by it, so a new secret would show every
// managed thing as changed.
import type { Secrets } from '../ports/secrets.ts'
import type { ChangeStores } from '../ports/storage.ts'
import { parseStoredSettings } from '../settings/snapshot.ts'
import { readCurrentState } from './carry-out.ts'
import { hashEntryFields } from './drift.ts'

type FieldHash = Pick<Secrets, 'hash'>

/** Replaces the hash of each field that is as its file had it; a field that has drifted keeps its old one, which fits nothing. */
export async function rehashManagedEntries(stores: ChangeStores, from: FieldHash, to: FieldHash): Promise<void> {
  const rows = await stores.managed.all()
  if (rows.length === 0) return
  const owned = new Set(rows.map(({ section }) => section))
  const settings = parseStoredSettings(await stores.settings.all())
  const present = await readCurrentState(stores, settings, ({ name }) => owned.has(name))
  const rehashed = rows.map((row) => {
    const entry = present.get(row.section)?.entries.get(row.key) ?? null
    const [before, after] = [hashEntryFields(from, row.section, entry), hashEntryFields(to, row.section, entry)]
    const fields = Object.entries(JSON.parse(row.fields) as Record<string, string>).map(([name, hash]) => [
      name,
      before[name] === hash ? after[name] : hash,
    ])
    return { ...row, fields: JSON.stringify(Object.fromEntries(fields)) }
  })
  await stores.managed.put(rehashed)
}
