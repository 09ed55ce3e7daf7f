// The whole configuration as a value: sections of entries by key. The difference between two states is a value as well.

/** Any JSON value. */
export type StateValue = string | number | boolean | null | StateValue[] | { [name: string]: StateValue }
/** The fields of one thing by name, or a single value; null if the thing must not exist. */
export type StateEntry = StateValue
export type StateEntries = ReadonlyMap<string, StateEntry>

/** The current content of a section. */
export interface SectionContent {
  entries: StateEntries
  /** The entries of a new installation. */
  initial: StateEntries
}

/** One field of an entry that is another; the field is empty where the entry is one bare value. */
export interface FieldChange {
  field: string
  from: StateEntry
  to: StateEntry
}

export interface StateChange {
  section: string
  key: string
  action: 'create' | 'change' | 'remove'
  fields: FieldChange[]
}

const isFields = (entry: StateEntry | undefined): entry is Record<string, StateValue> =>
  typeof entry === 'object' && entry !== null && !Array.isArray(entry)

/** Returns the fields of an entry by name; a single value has the empty name. */
export const toEntryFields = (entry: StateEntry | undefined): Record<string, StateValue> =>
  isFields(entry) ? entry : entry === undefined || entry === null ? {} : { '': entry }

/** The same text for the same value, however its fields are ordered. */
export function toCanonicalText(value: StateValue): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalText).join()}]`
  if (!isFields(value)) return JSON.stringify(value)
  const fields = Object.keys(value).sort()
  return `{${fields.map((name) => `${JSON.stringify(name)}:${toCanonicalText(value[name] as StateValue)}`).join()}}`
}

/** Returns a list of texts sorted; any other value unchanged. */
export const sortTextList = (value: StateValue): StateValue =>
  Array.isArray(value) && value.every((one) => typeof one === 'string') ? [...value].sort() : value

export const isSame = (a: StateValue, b: StateValue): boolean => toCanonicalText(a) === toCanonicalText(b)

interface TargetEntry {
  section: string
  /** The target entries. Fields that are not named stay as they are. */
  target: StateEntries
  present: SectionContent
  /** Names of fields whose lists are sets. */
  sets?: readonly string[] | undefined
  /** Does what an entry does not name go? */
  whole?: boolean | undefined
  /** Take out what is not named? */
  prune: boolean
}

/** Returns the changes that bring every named entry to its target. */
export function planStateChanges({
  section,
  target,
  present,
  sets = [],
  whole = false,
  prune,
}: TargetEntry): StateChange[] {
  const { entries, initial } = present
  const gone = prune ? [...new Set([...entries.keys(), ...initial.keys()])].filter((key) => !target.has(key)) : []
  const all = [...target, ...gone.map((key) => [key, initial.get(key) ?? null] as const)]
  return all.flatMap(([key, to]): StateChange[] => {
    const from = entries.get(key)
    const of = { section, key }
    if (to === null) return from === undefined ? [] : [{ ...of, action: 'remove', fields: differing(from, null, sets) }]
    if (from === undefined) return [{ ...of, action: 'create', fields: differing(null, to, sets) }]
    const fields = differing(from, to, sets, whole)
    return fields.length === 0 ? [] : [{ ...of, action: 'change', fields }]
  })
}

/**
 * Compares field by field: the fields of `to`, or all if `whole`; if one of the two is missing, the fields of the
 * other.
 */
function differing(from: StateEntry, to: StateEntry, sets: readonly string[], whole = false): FieldChange[] {
  const [before, after] = [toEntryFields(from), toEntryFields(to)]
  const names = to === null ? before : whole ? { ...before, ...after } : after
  return Object.keys(names)
    .sort()
    .map((field) => ({ field, from: before[field] ?? null, to: after[field] ?? null }))
    .filter(
      ({ field, from, to }) =>
        !(sets.includes(field) ? isSame(sortTextList(from), sortTextList(to)) : isSame(from, to)),
    )
}

/** Returns the entries that differ from a new installation, sorted; null for an initial entry that was removed. */
export function listChangedEntries({ entries, initial }: SectionContent): Map<string, StateEntry> {
  const keys = [...new Set([...entries.keys(), ...initial.keys()])].sort()
  const own = keys.map((key) => [key, entries.get(key) ?? null] as const)
  return new Map(own.filter(([key, entry]) => !isSame(entry, initial.get(key) ?? null)))
}

/** Returns the fields of an entry that differ from the defaults. */
export function pickChangedFields(entry: StateEntry, defaults: StateEntry | undefined): StateEntry {
  if (!isFields(entry) || !isFields(defaults)) return entry
  const changed = Object.entries(entry).filter(([name, value]) => !isSame(value, defaults[name] ?? null))
  return Object.fromEntries(changed)
}
