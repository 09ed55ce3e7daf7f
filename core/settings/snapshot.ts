// Stored texts become one frozen, typed value; code reads only that. Owner of the settings cache.
import { fail } from '../errors.ts'
import type { Storage } from '../ports/storage.ts'
import { declarationOf, declaredSettings, type SettingKey, type Settings } from './index.ts'
import type { Setting } from './setting.ts'

/** The live settings: `current()` is cheap and always whole. */
export interface SettingsSnapshot {
  current(): Settings
  /**
   * Checks all values, then stores all of them in one transaction, then makes them live everywhere.
   * @throws GatewayError setting.unknown, setting.invalid: then nothing has changed
   */
  change(values: { key: string; value: string }[]): Promise<void>
}

/** Reads the settings once and keeps them fresh. */
export async function createSettingsSnapshot(storage: Storage): Promise<SettingsSnapshot> {
  let settings = decodeAll(await storage.settings.all())

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

  return {
    current: () => settings,
    async change(values) {
      for (const { key, value } of values) check(key, value)
      await storage.settings.save(
        values.map(({ key, value }) => ({ key, value, secret: declarationOf(key)?.secret ?? false })),
      )
      await storage.announce({ topic: 'settings', id: 0 })
    },
  }
}

/** The settings of a fresh installation. */
export const defaultSettings = (): Settings => decodeAll([])

/** @throws GatewayError setting.unknown, setting.invalid */
function check(key: string, value: string): void {
  const declaration = declarationOf(key) ?? fail('setting.unknown', { key })
  const parsed = declaration.value.schema.safeParse(value)
  if (!parsed.success) fail('setting.invalid', { key, reason: parsed.error.issues[0]?.message ?? 'invalid' })
}

/** A stored text that no longer passes its check counts as the default, so that an old row cannot stop the server. */
function decodeAll(rows: { key: string; value: string }[]): Settings {
  const stored = new Map(rows.map(({ key, value }) => [key, value]))
  const entries = (Object.entries(declaredSettings) as [SettingKey, Setting<unknown>][]).map(([key, { value }]) => {
    const text = stored.get(key)
    const parsed = text === undefined ? undefined : value.schema.safeParse(text)
    return [key, parsed?.success ? parsed.data : value.default]
  })
  return Object.freeze(Object.fromEntries(entries)) as Settings
}
