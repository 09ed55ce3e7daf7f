// Stored texts become one frozen, typed value; code reads only that. Owner of the settings cache.
import { maskSecretValue, type ChangeAuthor, type NewAuditRow } from '../audit/audit.ts'
import { NEWEST_FIRST } from '../contract/page.ts'
import { attachOtherRefusals } from '../contract/validation.ts'
import { lastChangeText } from '../contract/version.ts'
import { fail, GatewayError } from '../errors.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Storage, WriteTransaction } from '../ports/storage.ts'
import type { PriceFields } from './channel-price.ts'
import { findDeclaration, declaredSettings, type SettingKey, type Settings } from './index.ts'
import type { NewPriceChange } from './price-change.ts'
import { ADDRESS_AT_ROOT, findTextRefusal, type Setting, type InstallationAddress } from './setting.ts'
import type { SettingsStore } from './store.ts'
import { findChangedPrices, PRICE_SETTING_KEYS } from './stored-price.ts'

/** A new text of a setting; null makes it the default again. */
export interface SettingChange {
  key: string
  value: string | null
  /** The text that was read, for a caller that wants an error if the stored one has changed. */
  was?: string | undefined
}

/** The live settings: `current()` is cheap and always whole. */
export interface SettingsSnapshot {
  current(): Settings
  /**
   * The same as they are stored: settings that conflict with others keep their value here, although `whileConflicting`
   * replaces it in `current`.
   */
  stored(): Settings
  /**
   * Checks all values, then stores them with their audit rows in one transaction, then activates them in every process.
   * Changes computed from stored values are computed again if another process has changed those.
   * @param source of new prices, for their history: then each price is a row of the audit, and no whole table
   * @returns warnings: values that do not fit the other settings, and secrets that were removed with their address
   * @throws GatewayError setting.*, json.invalid, edit.conflict, and any error of computing them: then nothing has
   * changed
   */
  change(changes: Changes, author: ChangeAuthor, source?: string): Promise<readonly GatewayError[]>
  /** The same inside a transaction. The caller announces the change after the commit. */
  changeWithin(
    within: Pick<WriteTransaction, 'settings'>,
    changes: Changes,
    author: ChangeAuthor,
    source?: string,
  ): Promise<readonly GatewayError[]>
}

type Changes = readonly SettingChange[] | ((current: Settings) => readonly SettingChange[])

type SettingTable = Record<string, unknown>

/** Reads the settings once and keeps them fresh. `place`: where this installation answers. */
export async function createSettingsSnapshot(
  storage: Storage,
  clock: Clock,
  place: InstallationAddress = ADDRESS_AT_ROOT,
): Promise<SettingsSnapshot> {
  let stored = parseStoredSettings(await storage.settings.all())
  let settings = toEffective(stored)
  let last: Promise<void> = Promise.resolve()
  let started = 0
  let shown = 0

  const reload = async () => {
    const turn = ++started
    const rows = await storage.settings.all()
    // Several may run at once: what was read later stays.
    if (turn < shown) return
    shown = turn
    stored = parseStoredSettings(rows)
    settings = toEffective(stored)
  }
  storage.onChange((change) => (change.topic === 'settings' ? reload() : undefined))

  async function write(
    store: SettingsStore,
    changes: Changes,
    author: ChangeAuthor,
    source?: string,
  ): Promise<readonly GatewayError[]> {
    const rows = await store.all()
    const before = parseStoredSettings(rows)
    const given = typeof changes === 'function' ? changes(before) : changes
    await refuseMoved(given, before)
    const named = new Map(given.map(({ key, value }) => [key, value]))
    const requested = withForgotten(named, before)
    refuseTexts(requested, place)
    const decoded = [...requested].map(([key, value]) => [key, decode(key, value)] as const)
    const after = { ...before, ...Object.fromEntries(decoded) }
    const warnings = [
      ...findConflicts(named, before, after),
      ...decoded.flatMap(([key]) =>
        named.has(key) || (before as SettingTable)[key] === ''
          ? []
          : [ofField(key, new GatewayError('setting.secret_removed', { key }))],
      ),
    ]
    const stored = decoded.map(([key, value]) => {
      const declaration = declared(key)
      const text = requested.get(key) === null ? null : declaration.value.encode(value)
      return { key, value: text, secret: declaration.secret ?? false }
    })
    const by = { ...author, created_at: seconds(clock) }
    const prices = decoded.some(([key]) => PRICE_SETTING_KEYS.includes(key)) ? findChangedPrices(before, after) : []
    const audited = source ? decoded.filter(([key]) => !PRICE_SETTING_KEYS.includes(key)) : decoded
    const audit = [
      ...(source ? prices.map((priced) => priceRow(priced, by)) : []),
      ...audited.flatMap(([key, value]) => auditRow(key, before, value, by)),
    ]
    const texts = new Map(rows.map(({ key, value }) => [key, value]))
    // A function may have read any setting.
    const read = typeof changes === 'function' ? Object.keys(declaredSettings) : stored.map(({ key }) => key)
    const isStored = await store.save(stored, {
      audit,
      prices: prices.map((priced) => priceChange(priced, by, source ?? 'settings')),
      was: new Map(read.map((key) => [key, texts.get(key) ?? null])),
    })
    return isStored ? warnings : write(store, changes, author, source)
  }

  async function change(changes: Changes, author: ChangeAuthor, source?: string) {
    const warnings = await write(storage.settings, changes, author, source)
    await storage.announce({ topic: 'settings', id: 0 })
    return warnings
  }

  /** @throws GatewayError edit.conflict naming what is not as it was read */
  async function refuseMoved(given: readonly SettingChange[], before: SettingTable): Promise<void> {
    const moved = given.filter(({ key, was }) => was !== undefined && declared(key).value.encode(before[key]) !== was)
    const [first] = moved
    if (!first) return
    const of = { action: 'setting.change', target: first.key, user_id: 0, start_timestamp: 0, end_timestamp: 0 }
    const { items } = await storage.audit.list(of, { offset: 0, limit: 1, order: NEWEST_FIRST })
    fail('edit.conflict', { last: lastChangeText(items[0], moved.map(({ key }) => key).join(', ')) })
  }

  return {
    current: () => settings,
    stored: () => stored,
    /** One after the other: each is checked against what the one before has made. */
    change(changes, author, source) {
      const done = last.then(() => change(changes, author, source))
      last = done.then(
        () => undefined,
        () => undefined,
      )
      return done
    },
    changeWithin: ({ settings: store }, changes, author, source) => write(store, changes, author, source),
  }
}

/** The settings of a fresh installation. */
export const defaultSettings = (): Settings => parseStoredSettings([])

/** @throws GatewayError setting.unknown */
const declared = (key: string): Setting<unknown> => findDeclaration(key) ?? fail('setting.unknown', { key })

/** Everything that is wrong with the texts, each with its key. @throws GatewayError setting.*, json.invalid */
function refuseTexts(requested: ReadonlyMap<string, string | null>, place: InstallationAddress): void {
  const refusals = [...requested].flatMap(([key, text]) => {
    const refusal = text === null ? undefined : findTextRefusal(key, declared(key), text, place)
    return refusal ? [ofField(key, refusal)] : []
  })
  const [first, ...others] = refusals
  if (first) throw attachOtherRefusals(first, others)
}

/** @throws GatewayError setting.*, json.invalid */
function decode(key: string, text: string | null): unknown {
  const declaration = declared(key)
  if (text === null) return declaration.value.default
  const { data, error } = declaration.value.schema.safeParse(text)
  if (error) throw ofField(key, findTextRefusal(key, declaration, text)!)
  return data
}

/** A refusal of one setting: a form shows it there. */
const ofField = (key: string, { code, parameters }: GatewayError) => new GatewayError(code, parameters, { field: key })

/**
 * Removes a secret that is not given again when the address it is sent to changes, so that no other server receives it.
 */
function withForgotten(requested: Map<string, string | null>, before: SettingTable): Map<string, string | null> {
  const moves = (key: string) => {
    const text = requested.get(key)
    return text !== undefined && before[key] !== '' && decode(key, text) !== before[key]
  }
  const forgotten = Object.entries(declaredSettings as Record<string, Setting<unknown>>)
    .filter(([key, { sentTo = [] }]) => !requested.has(key) && sentTo.some(moves))
    .map(([key]) => [key, null] as const)
  return new Map([...requested, ...forgotten])
}

/**
 * Returns the conflicts of the new state that are new, or about a setting of the change.
 * @throws GatewayError a new conflict that is refused
 */
function findConflicts(named: ReadonlyMap<string, unknown>, before: SettingTable, after: SettingTable): GatewayError[] {
  return Object.entries(declaredSettings as Record<string, Setting<unknown>>).flatMap(([key, declaration]) => {
    const conflict = declaration.conflict?.(after[key], (other) => after[other])
    if (!conflict) return []
    const isNew = !declaration.conflict?.(before[key], (other) => before[other])
    if (isNew && named.has(key) && declaration.conflictRefused) throw ofField(key, conflict)
    return isNew || named.has(key) ? [ofField(key, conflict)] : []
  })
}

/** Returns the settings that count: a value that conflicts with others gives way. */
function toEffective(stored: Settings): Settings {
  const others = (key: string): unknown => stored[key as SettingKey]
  const replaced = Object.entries(declaredSettings as Record<string, Setting<unknown>>).flatMap(
    ([key, declaration]) => {
      const value = others(key)
      const { conflict, whileConflicting } = declaration
      return whileConflicting && conflict?.(value, others) ? [[key, whileConflicting(value, others)] as const] : []
    },
  )
  return replaced.length === 0 ? stored : Object.freeze({ ...stored, ...Object.fromEntries(replaced) })
}

/** Nothing where the value stays what it was. */
function auditRow(key: string, before: SettingTable, value: unknown, by: DatedAuthor): NewAuditRow[] {
  const { value: form, secret } = declared(key)
  const [from, to] = [form.encode(before[key]), form.encode(value)]
  if (from === to) return []
  const shown = (text: string) => (secret ? maskSecretValue(text) : text)
  return [{ ...by, action: 'setting.change', target: key, before: shown(from), after: shown(to) }]
}

type Difference = ReturnType<typeof findChangedPrices>[number]
type DatedAuthor = ChangeAuthor & { created_at: number }
const priceText = (price: PriceFields | null): string => (price ? JSON.stringify(price) : '')

const priceRow = ({ channel, model, from, to }: Difference, by: DatedAuthor): NewAuditRow => ({
  ...by,
  action: 'price.change',
  target: channel === '' ? model : `${channel} ${model}`,
  before: priceText(from),
  after: priceText(to),
})

const priceChange = ({ channel, model, from, to }: Difference, by: DatedAuthor, source: string): NewPriceChange => ({
  created_at: by.created_at,
  user_id: by.user_id,
  username: by.username,
  channel,
  model,
  source,
  before: priceText(from),
  after: priceText(to),
})

/** A stored text that no longer passes its check counts as the default, so that an old row cannot stop the server. */
export function parseStoredSettings(rows: { key: string; value: string }[]): Settings {
  const stored = new Map(rows.map(({ key, value }) => [key, value]))
  const entries = (Object.entries(declaredSettings) as [SettingKey, Setting<unknown>][]).map(([key, { value }]) => {
    const text = stored.get(key)
    const parsed = text === undefined ? undefined : value.schema.safeParse(text)
    return [key, parsed?.success ? parsed.data : value.default]
  })
  return Object.freeze(Object.fromEntries(entries)) as Settings
}
