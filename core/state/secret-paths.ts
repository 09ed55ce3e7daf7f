// The secrets of an entry: put out of sight, or something else put in their place.
import { toEntryFields, type StateEntry, type StateValue } from './state.ts'

/** The path of a text in an entry: the names of its fields from the outside in; empty for the entry itself. */
export type EntryTextPath = readonly string[]

/** The entry with another text in the place of each of these; empty texts stay. */
export const replaceEntryTexts = (
  entry: StateEntry,
  paths: readonly EntryTextPath[],
  textOf: (path: EntryTextPath, text: string) => StateValue,
): StateEntry => paths.reduce((made, path) => put(made, path, (text) => textOf(path, text)), entry)

function put(entry: StateValue, [name, ...rest]: EntryTextPath, made: (text: string) => StateValue): StateValue {
  if (name === undefined) return typeof entry === 'string' && entry !== '' ? made(entry) : entry
  const fields = toEntryFields(entry)
  const value = fields[name]
  return value === undefined ? entry : { ...fields, [name]: put(value, rest, made) }
}

const HIDDEN = '***'

/** Masks the secrets of an entry. */
export const maskEntrySecrets = (entry: StateEntry, paths: readonly EntryTextPath[]): StateEntry =>
  replaceEntryTexts(entry, paths, () => HIDDEN)
