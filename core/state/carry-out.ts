// Applies a document to Weir in one transaction. A plan does all of it and rolls it back.
import { toAuditAuthor } from '../audit/audit.ts'
import type { Caller } from '../auth/caller.ts'
import { fail, GatewayError } from '../errors.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { ChangeStores, Storage, WriteTransaction } from '../ports/storage.ts'
import type { Ledger } from '../quota/ledger.ts'
import { findDeclaration, declaredSettings, type Settings } from '../settings/index.ts'
import type { Setting } from '../settings/setting.ts'
import { defaultSettings, parseStoredSettings, type SettingsSnapshot } from '../settings/snapshot.ts'
import { readStateDocument, listUnchangedFields, type StateDocument } from './document.ts'
import { hashEntryFields } from './drift.ts'
import type { ManagedEntry } from './managed.ts'
import type { ChannelNames, EntryTextPath, StateSection, TargetedChange } from './section.ts'
import { stateSections } from './sections/index.ts'
import { replaceSettingText } from './sections/in-turn.ts'
import type { StateEntry, SectionContent } from './state.ts'
import { toCanonicalText, planStateChanges, listChangedEntries, toEntryFields } from './state.ts'

interface CarryOutPorts {
  storage: Storage
  snapshot: SettingsSnapshot
  secrets: Secrets
  clock: Clock
  random: Random
  ledger: Ledger
}

interface StateOrder {
  /** The file, with its references resolved. */
  document: Readonly<Record<string, unknown>>
  /** Paths of section, key and fields whose references could not be resolved: their present values are kept. */
  unresolved: readonly EntryTextPath[]
  /** The name of the file. */
  source: string
  /** Take out what the document does not name, in the sections that it has? */
  prune: boolean
  caller: Caller
  /** Digest of the confirmed plan; undefined to apply without a plan. */
  digest?: string | undefined
  /** true to roll everything back. */
  isTrial: boolean
}

/** The result of applying a document, or of planning it. */
export interface StateOutcome {
  digest: string
  changes: TargetedChange[]
  /** Entries that the document does not name, in sections that it has. They stay. */
  unlisted: { section: string; key: string }[]
  /** Things that the file of this name managed before and no longer names. */
  released: ManagedEntry[]
  before: Settings
  after: Settings
  present: ReadonlyMap<string, SectionContent>
  managed: ManagedEntry[]
}

/** Ends a transaction of which nothing is to be kept. */
class TakenBack extends Error {}

/** @throws GatewayError state.document, state.moved, state.failed: then nothing has changed */
export async function carryOutChanges(
  { storage, snapshot, ...ports }: CarryOutPorts,
  order: StateOrder,
): Promise<StateOutcome> {
  let outcome: StateOutcome | undefined
  const afterwards: (() => Promise<void>)[] = []
  try {
    await storage.transaction(async (within) => {
      outcome = await done(within)
      if (order.isTrial) throw new TakenBack()
    })
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error
  }
  if (!order.isTrial) {
    for (const work of afterwards) await work()
    for (const topic of ['settings', 'channels', 'users', 'tokens'] as const) await storage.announce({ topic, id: 0 })
  }
  return outcome!

  async function done(within: WriteTransaction): Promise<StateOutcome> {
    const before = parseStoredSettings(await within.settings.all())
    const present = await readCurrentState(
      within,
      before,
      ({ name, onRequest }) => onRequest !== true || Object.hasOwn(order.document, name),
    )
    const managed = await within.managed.all()
    const document = readStateDocument(order.document, present, order.unresolved)
    const target = normalDocument(document, present)
    const { changes, unlisted } = planChanges(present, target, order)
    const digest = ports.secrets.hash(
      toCanonicalText([stateText(present), changes as unknown as StateEntry, order.prune]),
    )
    if (order.digest !== undefined && order.digest !== digest) fail('state.moved')
    const after = await writeAll(within, { changes, before })
    const released = managed.filter(
      ({ section, key, source }) => source === order.source && !document.get(section)?.get(key),
    )
    await own(within, target, released)
    return {
      digest,
      changes: [...changes, ...forgotten(before, after, changes)],
      unlisted,
      released,
      before,
      after,
      present,
      managed,
    }
  }

  async function writeAll(
    within: WriteTransaction,
    { changes, before }: { changes: readonly TargetedChange[]; before: Settings },
  ): Promise<Settings> {
    const texts = new Map<string, string | null>()
    let settings = before
    for (const section of stateSections) {
      const own = changes.filter((change) => change.section === section.name)
      if (own.length === 0) continue
      if (section.in === 'stores') {
        const to = { ...ports, within, settings, caller: order.caller, afterwards }
        const write = await section.writer(to)
        for (const change of own) await named(change, () => write(change))
        continue
      }
      for (const { key, value } of section.written(own, settings, await channelNames(within))) {
        texts.set(key, value)
        settings = replaceSettingText(settings, key, value)
      }
    }
    // Tables were worked out from what was read: they are not laid over what another process has made of them since.
    const was = (key: string) => findDeclaration(key)!.value.encode(before[key as keyof Settings])
    const given = [...texts].map(([key, value]) => ({ key, value, was: was(key) }))
    if (given.length === 0) return settings
    const warnings = await snapshot.changeWithin(within, given, toAuditAuthor(order.caller), order.source)
    // A document names all settings that depend on each other, so what is a warning for one call is a fault here.
    const conflict = warnings.find(({ code }) => code !== 'setting.secret_removed')
    if (conflict) throw conflict
    return parseStoredSettings(await within.settings.all())
  }

  /** Marks what the document names as its own, and writes down that it was applied. */
  async function own(
    within: WriteTransaction,
    target: StateDocument,
    released: readonly ManagedEntry[],
  ): Promise<void> {
    const applied_at = seconds(ports.clock)
    const rows = [...target].flatMap(([section, entries]) =>
      [...entries].flatMap(([key, entry]) => {
        if (entry === null) return []
        const fields = JSON.stringify(hashEntryFields(ports.secrets, section, entry))
        return [{ section, key, source: order.source, applied_at, fields }]
      }),
    )
    await within.managed.put(rows)
    await within.managed.remove(released)
    await within.audit.insert([
      {
        ...toAuditAuthor(order.caller),
        created_at: applied_at,
        action: 'state.apply',
        target: order.source,
        before: '',
        after: JSON.stringify({ things: rows.length, pruned: order.prune }),
      },
    ])
  }
}

/** Reads the entries that Weir has at present, by section. */
export async function readCurrentState(
  stores: ChangeStores,
  settings: Settings,
  isAsked: (section: StateSection) => boolean,
): Promise<Map<string, SectionContent>> {
  const [defaults, names] = [defaultSettings(), await channelNames(stores)]
  const state = new Map<string, SectionContent>()
  for (const section of stateSections.filter(isAsked)) {
    const present =
      section.in === 'settings' ? section.read(settings, defaults, names) : await section.read(stores, settings)
    state.set(section.name, present)
  }
  return state
}

async function channelNames({ channels }: ChangeStores): Promise<ChannelNames> {
  const all = await channels.all()
  const [slugs, ids] = [new Map(all.map(({ id, slug }) => [id, slug])), new Map(all.map(({ id, slug }) => [slug, id]))]
  return { slugOf: (id) => slugs.get(id), idOf: (slug) => ids.get(slug) }
}

const stateText = (state: ReadonlyMap<string, SectionContent>): StateEntry =>
  Object.fromEntries([...state].map(([name, present]) => [name, Object.fromEntries(listChangedEntries(present))]))

function planChanges(
  state: ReadonlyMap<string, SectionContent>,
  document: StateDocument,
  { prune, unresolved }: Pick<StateOrder, 'prune' | 'unresolved'>,
) {
  const changes: TargetedChange[] = []
  const unlisted: StateOutcome['unlisted'] = []
  for (const section of stateSections) {
    const target = document.get(section.name)
    if (!target) continue
    const present = state.get(section.name)!
    const { sets, whole, name } = section
    const found = planStateChanges({ section: name, target, present, sets, whole, prune })
    changes.push(
      ...found.map((change) => ({
        ...change,
        target: target.get(change.key) ?? present.initial.get(change.key) ?? null,
        unresolved: unresolved
          .filter((path) => path[0] === name && path[1] === change.key)
          .map((path) => path.slice(2)),
      })),
    )
    if (!prune)
      unlisted.push(
        ...[...listChangedEntries(present).keys()]
          .filter((key) => !target.has(key))
          .map((key) => ({ section: name, key })),
      )
  }
  return { changes, unlisted }
}

/** The document as `read` would give it back. @throws GatewayError state.failed */
function normalDocument(document: StateDocument, state: ReadonlyMap<string, SectionContent>): StateDocument {
  const made = [...document].map(([name, entries]) => {
    const section = stateSections.find((one) => one.name === name)!
    const { normal } = section
    const one = ([key, entry]: [string, StateEntry]) => {
      if (!normal) return [key, entry] as const
      const before = state.get(name)?.entries.get(key)
      const same = before === undefined || entry === null ? [] : listUnchangedFields(section, before, entry)
      if (before !== undefined && entry !== null && same.length === Object.keys(toEntryFields(entry)).length)
        return [key, entry] as const
      return [key, named({ section: name, key }, () => normal(key, entry, same))] as const
    }
    return [name, new Map([...entries].map(one))] as const
  })
  return new Map(made)
}

/**
 * Returns the secrets that are cleared together with the address they were sent to. The document does not name them,
 * but they change.
 */
function forgotten(before: Settings, after: Settings, changes: readonly TargetedChange[]): TargetedChange[] {
  const known = new Set(changes.map(({ key }) => key))
  return Object.entries(declaredSettings as Record<string, Setting<unknown>>).flatMap(([key, { secret }]) => {
    const [from, to] = [before[key as keyof Settings] as StateEntry, after[key as keyof Settings] as StateEntry]
    if (!secret || known.has(key) || from === to) return []
    return [
      { section: 'settings', key, action: 'change', fields: [{ field: '', from, to }], target: to, unresolved: [] },
    ]
  })
}

/** Runs the work. An error names the entry that failed. */
function named<T>(of: Pick<TargetedChange, 'section' | 'key'>, work: () => T): T {
  const rethrow = (error: unknown): never => {
    if (!(error instanceof GatewayError) || error.code.startsWith('state.')) throw error
    throw new GatewayError('state.failed', { section: of.section, key: of.key, reason: error.words }, { cause: error })
  }
  try {
    const done = work()
    return done instanceof Promise ? (done.catch(rethrow) as T) : done
  } catch (error) {
    return rethrow(error)
  }
}

// The marks of managed things under another master secret. Their hashes are keyed by it, so a new secret would show every
// managed thing as changed.

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
