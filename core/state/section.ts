// The definition of a section of the state: how it is read, and how a change of it is written. Each kind of thing is a
// section.
import type { z } from 'zod'
import type { Caller } from '../auth/caller.ts'
import type { Words } from '../errors.ts'
import { type Clock, seconds } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { ChangeStores, WriteTransaction } from '../ports/storage.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import { type SectionContent, type StateChange, type StateEntry, type StateValue, toEntryFields } from './state.ts'
import { toAuditAuthor } from '../audit/audit.ts'

/** The members that every section has. */
interface Common {
  /** Its name in the file. */
  name: string
  /** The comment above it in the file. */
  comment: Words
  /** The schema of one entry in the file. */
  entry: z.ZodType<StateEntry>
  /** The schema of the keys. */
  key?: z.ZodType<string>
  /** The defaults of a new entry for fields that the file leaves out. */
  defaults?: StateEntry
  /** Fields whose lists are sets. */
  sets?: readonly string[]
  /** Returns the paths of the secret texts in an entry. They leave Weir only as references or encrypted. */
  secrets?(key: string, entry: StateEntry): EntryTextPath[]
  /** Part of a file only on request: the whole section, or these fields. */
  onRequest?: true | readonly string[]
  /** true if an entry is replaced as a whole: fields that the file does not name are removed. */
  whole?: true
  /**
   * Returns an entry in the form of `read`. The fields of `same` are in that form already, and may be invalid.
   * @throws GatewayError if it is invalid
   */
  normal?(key: string, entry: StateEntry, same: readonly string[]): StateEntry
}

/** Channels by their slugs; undefined for one that is not there. */
export interface ChannelNames {
  slugOf(id: number): string | undefined
  idOf(slug: string): number | undefined
}

/** A section that is stored in the settings: it is read and written with them. */
export interface SettingsSection extends Common {
  in: 'settings'
  read(settings: Settings, defaults: Settings, channels: ChannelNames): SectionContent
  /** The new texts of settings. @throws GatewayError where the change cannot be */
  written(
    changes: readonly TargetedChange[],
    settings: Settings,
    channels: ChannelNames,
  ): { key: string; value: string | null }[]
}

/** A section that is stored in tables. */
export interface StoredSection extends Common {
  in: 'stores'
  read(stores: ChangeStores, settings: Settings): Promise<SectionContent>
  /**
   * Returns a function that writes one change after the other. It throws GatewayError if a change is impossible; then
   * nothing is changed.
   */
  writer(to: SectionPorts): Promise<(change: TargetedChange) => Promise<void>>
}

export type StateSection = SettingsSection | StoredSection

/** A change with the entry from the file; null if it is removed. */
export interface TargetedChange extends StateChange {
  target: StateEntry
  /** Paths in the entry that have their present values, as the references of the file could not be resolved. */
  unresolved: readonly EntryTextPath[]
}

/** The ports that a section writes with. */
export interface SectionPorts {
  within: WriteTransaction
  /** The settings after the change. */
  settings: Settings
  caller: Caller
  clock: Clock
  random: Random
  ledger: Ledger
  /** The ledger operations to run after the commit: only the ledger writes the budgets of tokens. */
  afterwards: (() => Promise<void>)[]
}

/** Writes a row of the audit for what is done with a thing of that noun. */
export const writeSectionAudit =
  (noun: string, { within, caller, clock }: Pick<SectionPorts, 'within' | 'caller' | 'clock'>) =>
  (verb: string, target: string | number, before: object | null = null, after: object | null = null): Promise<void> =>
    within.audit.insert([
      {
        ...toAuditAuthor(caller),
        created_at: seconds(clock),
        action: `${noun}.${verb}`,
        target: String(target),
        before: before ? JSON.stringify(before) : '',
        after: after ? JSON.stringify(after) : '',
      },
    ])

// The secrets of an entry: put out of sight, or something else put in their place.

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

export const maskEntrySecrets = (entry: StateEntry, paths: readonly EntryTextPath[]): StateEntry =>
  replaceEntryTexts(entry, paths, () => HIDDEN)
