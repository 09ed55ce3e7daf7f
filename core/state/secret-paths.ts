// The secrets of an entry: put out of sight, or something else put in their place.
import { toFields, type Entry, type StateValue } from './state.ts'

/** The path of a text in an entry: the names of its fields from the outside in; empty for the entry itself. */
export type Path = readonly string[]

/** The entry with another text in the place of each of these; empty texts stay. */
export const withTexts = (
  entry: Entry,
  paths: readonly Path[],
  textOf: (path: Path, text: string) => StateValue,
): Entry => paths.reduce((made, path) => put(made, path, (text) => textOf(path, text)), entry)

function put(entry: StateValue, [name, ...rest]: Path, made: (text: string) => StateValue): StateValue {
  if (name === undefined) return typeof entry === 'string' && entry !== '' ? made(entry) : entry
  const fields = toFields(entry)
  const value = fields[name]
  return value === undefined ? entry : { ...fields, [name]: put(value, rest, made) }
}

const HIDDEN = '***'

/** Masks the secrets of an entry. */
export const hideSecrets = (entry: Entry, paths: readonly Path[]): Entry => withTexts(entry, paths, () => HIDDEN)
