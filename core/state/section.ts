// The definition of a section of the state: how it is read, and how a change of it is written. Each kind of thing is a
// section.
import type { z } from 'zod'
import type { Caller } from '../auth/caller.ts'
import type { Words } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { ChangeStores, WriteTransaction } from '../ports/storage.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import type { EntryTextPath } from './secret-paths.ts'
import type { StateChange, StateEntry, SectionContent } from './state.ts'

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
