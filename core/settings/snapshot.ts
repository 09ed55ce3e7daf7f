// Stored texts become one frozen, typed value; code reads only that. Owner of the settings cache.
import { masked, type Author, type NewAuditRow } from '../audit/audit.ts'
import { fixed } from '../derived.ts'
import { fail } from '../errors.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Storage } from '../ports/storage.ts'
import { declarationOf, declaredSettings, type SettingKey, type Settings } from './index.ts'
import { textRefusal, type Setting } from './setting.ts'

/** A new text of a setting; null makes it the default again. */
export interface SettingChange {
  key: string
  value: string | null
}

/** The live settings: `current()` is cheap and always whole. */
export interface SettingsSnapshot {
  current(): Settings
  /**
   * Checks all values, then stores all of them and who changed what in one transaction, then makes them live everywhere.
   * @throws GatewayError setting.*, json.invalid: then nothing has changed
   */
  change(changes: readonly SettingChange[], author: Author): Promise<void>
}

type Table = Record<string, unknown>

/** Reads the settings once and keeps them fresh. */
export async function createSettingsSnapshot(storage: Storage, clock: Clock): Promise<SettingsSnapshot> {
  let settings = decodeAll(await storage.settings.all())
  let last: Promise<void> = Promise.resolve()
  let begun = 0
  let shown = 0

  const reload = async () => {
    const turn = ++begun
    const rows = await storage.settings.all()
    // Several may run at once: what was read later stays.
    if (turn < shown) return
    shown = turn
    settings = decodeAll(rows)
  }
  storage.onChange((change) => (change.topic === 'settings' ? reload() : undefined))

  async function change(changes: readonly SettingChange[], author: Author): Promise<void> {
    const wanted = withForgotten(new Map(changes.map(({ key, value }) => [key, value])), settings)
    const decoded = [...wanted].map(([key, value]) => [key, decode(key, value)] as const)
    refuseConflicts(settings, { ...settings, ...Object.fromEntries(decoded) })
    const stored = decoded.map(([key, value]) => {
      const declaration = declared(key)
      const text = wanted.get(key) === null ? null : declaration.value.encode(value)
      return { key, value: text, secret: declaration.secret ?? false }
    })
    const rows = decoded.flatMap(([key, value]) =>
      auditRow(key, settings, value, { ...author, created_at: seconds(clock) }),
    )
    await storage.settings.save(stored, rows)
    await storage.announce({ topic: 'settings', id: 0 })
  }

  return {
    current: () => settings,
    /** One after the other: each is checked against what the one before has made. */
    change(changes, author) {
      const done = last.then(() => change(changes, author))
      last = done.catch(() => undefined)
      return done
    },
  }
}

/** The settings of a fresh installation. */
export const defaultSettings = (): Settings => decodeAll([])

/** @throws GatewayError setting.unknown */
const declared = (key: string): Setting<unknown> => declarationOf(key) ?? fail('setting.unknown', { key })

/** @throws GatewayError setting.*, json.invalid */
function decode(key: string, text: string | null): unknown {
  const declaration = declared(key)
  if (text === null) return declaration.value.default
  const refusal = textRefusal(key, declaration, text)
  if (refusal) throw refusal
  return declaration.value.schema.parse(text)
}

/** A secret that is not given again is forgotten when it was sent somewhere and that place changes: no other is told it. */
function withForgotten(wanted: Map<string, string | null>, before: Table): Map<string, string | null> {
  const moves = (key: string) => {
    const text = wanted.get(key)
    return text !== undefined && before[key] !== '' && decode(key, text) !== before[key]
  }
  const forgotten = Object.entries(declaredSettings as Record<string, Setting<unknown>>)
    .filter(([key, { sentTo = [] }]) => !wanted.has(key) && sentTo.some(moves))
    .map(([key]) => [key, null] as const)
  return new Map([...wanted, ...forgotten])
}

/** A state that is wrong already may be left step by step; no change may make a new one. */
function refuseConflicts(before: Table, after: Table): void {
  for (const [key, { conflict }] of Object.entries(declaredSettings as Record<string, Setting<unknown>>)) {
    const refusal = conflict?.(after[key], (other) => after[other])
    if (refusal && !conflict?.(before[key], (other) => before[other])) throw refusal
  }
}

/** Nothing where the value stays what it was. */
function auditRow(key: string, before: Table, value: unknown, by: Author & { created_at: number }): NewAuditRow[] {
  const { value: form, secret } = declared(key)
  const [from, to] = [form.encode(before[key]), form.encode(value)]
  if (from === to) return []
  const shown = (text: string) => (secret ? masked(text) : text)
  return [{ ...by, action: 'setting.change', target: key, before: shown(from), after: shown(to) }]
}

/** A stored text that no longer passes its check counts as the default, so that an old row cannot stop the server. */
function decodeAll(rows: { key: string; value: string }[]): Settings {
  const stored = new Map(rows.map(({ key, value }) => [key, value]))
  const entries = (Object.entries(declaredSettings) as [SettingKey, Setting<unknown>][]).map(([key, { value }]) => {
    const text = stored.get(key)
    const parsed = text === undefined ? undefined : value.schema.safeParse(text)
    return [key, parsed?.success ? parsed.data : value.default]
  })
  return fixed(Object.fromEntries(entries)) as Settings
}
