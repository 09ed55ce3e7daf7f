// What a section of the state is: how it is read, and how a change of it is written. A new kind of thing is one of these.
import type { z } from 'zod'
import type { Caller } from '../auth/caller.ts'
import type { Words } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { ChangeStores, Within } from '../ports/storage.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import type { Path } from './secret-paths.ts'
import type { StateChange, Entry, Present } from './state.ts'

/** What every section has. */
interface Common {
  /** As the file calls it. */
  name: string
  /** What stands above it in the file. */
  comment: Words
  /** One entry as the file may say it. */
  entry: z.ZodType<Entry>
  /** What keys look like. */
  key?: z.ZodType<string>
  /** Fields that a new entry has where the file says nothing of them. */
  defaults?: Entry
  /** Fields whose lists are sets. */
  sets?: readonly string[]
  /** Which texts of an entry are secrets. They leave Weir as references or sealed, never as they are. */
  secrets?(key: string, entry: Entry): Path[]
  /** Only on request is it in a file: all of it, or these fields. */
  onRequest?: true | readonly string[]
  /** What the file says is the whole entry: what it does not name goes. */
  whole?: true
  /** An entry as `read` would give it back. @throws GatewayError where it says nothing that can be */
  normal?(key: string, entry: Entry): Entry
}

/** Channels by their slugs; undefined for one that is not there. */
export interface ChannelNames {
  slugOf(id: number): string | undefined
  idOf(slug: string): number | undefined
}

/** A section that stands in the settings: read and written with them. */
export interface SettingsSection extends Common {
  in: 'settings'
  read(settings: Settings, defaults: Settings, channels: ChannelNames): Present
  /** The new texts of settings. @throws GatewayError where the change cannot be */
  written(
    changes: readonly Written[],
    settings: Settings,
    channels: ChannelNames,
  ): { key: string; value: string | null }[]
}

/** A section that stands in tables. */
export interface StoredSection extends Common {
  in: 'stores'
  read(stores: ChangeStores, settings: Settings): Promise<Present>
  /** What writes one change after the other. It throws GatewayError where a change cannot be: then nothing of the whole is done. */
  writer(to: Writing): Promise<(change: Written) => Promise<void>>
}

export type Section = SettingsSection | StoredSection

/** A change, and the entry as the file says it; null where it goes. */
export interface Written extends StateChange {
  wanted: Entry
}

/** What a section writes with. */
export interface Writing {
  within: Within
  /** As they will be. */
  settings: Settings
  caller: Caller
  clock: Clock
  random: Random
  ledger: Ledger
  /** What the ledger is to do once all is kept: budgets of tokens are its own to write. */
  afterwards: (() => Promise<void>)[]
}
