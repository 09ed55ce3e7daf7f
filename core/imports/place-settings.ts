// Stores the options of another product as settings. An option is imported only if the setting is not set in Weir.
import { Decimal } from 'decimal.js'
import type { ChangeAuthor } from '../audit/audit.ts'
import { fillTemplate, GatewayError, joinList, words } from '../errors.ts'
import { findDeclaration, type SettingKey, type Settings } from '../settings/index.ts'
import type { SettingChange, SettingsSnapshot } from '../settings/snapshot.ts'
import { findTextRefusal, type Setting } from '../settings/setting.ts'
import { collectImportedPrices, PRICE_OPTION_KEYS } from './place-prices.ts'
import type { ImportProduct, ImportedOption } from './imported-rows.ts'
import { describeRefusal, recordImportedRow, listUnknownRows, type ImportPass } from './pass.ts'
import { asObject, parseJson } from '../dialects/json/json-value.ts'

interface SettingsDestination {
  snapshot: Pick<SettingsSnapshot, 'changeWithin'>
  author: ChangeAuthor
  product: ImportProduct
  /** true if Weir has no account except the super administrator's. */
  isNew: boolean
  /** Quota units of one unit of the currency at the source. */
  units: number
  /** Groups that users, tokens and channels are in. */
  groups: ReadonlySet<string>
  settings: Settings
  /** Models whose whole price is stated by a separate row. */
  priced: ReadonlySet<string>
}

/** An imported option, and the change that stores it. */
interface Requested {
  row: ImportedOption
  change: SettingChange
}

const UNITS: SettingKey = 'QuotaPerUnit'

export async function placeImportedSettings(
  pass: ImportPass,
  to: SettingsDestination,
  rows: readonly ImportedOption[],
): Promise<void> {
  const { within, report } = pass
  const fresh = listUnknownRows(pass, rows)
  const stored = new Map((await within.settings.all()).map(({ key, value }) => [key, value]))
  const requested = new Map<string, Requested>()
  const done: ImportedOption[] = []
  for (const row of fresh) {
    const declaration = findDeclaration(row.key)
    const refused = declaration
      ? findTextRefusal(row.key, declaration, row.value)
      : new GatewayError('setting.unknown', { key: row.key })
    if (refused || !declaration) {
      report.left(row, refused ? describeRefusal(refused) : words('there is no such setting here'))
      continue
    }
    if (PRICE_OPTION_KEYS.has(row.key)) {
      done.push(row)
      continue
    }
    const value = valueFor(row, declaration, { ...to, stored: stored.get(row.key) })
    if (value === null) report.left(row, words('it is set here, and stays as it is here'))
    else requested.set(row.key, { row, change: { key: row.key, value } })
  }
  const priced = fresh.filter(({ key }) => PRICE_OPTION_KEYS.has(key) && done.some((row) => row.key === key))
  const prices = collectImportedPrices(to.product, priced, to)
  const groups = groupsFor(to, requested.get('GroupRatio')?.change.value)
  const usable = reconcileGroups({ to, requested, stored, groups })
  await changeAll(pass, to, requested, [...prices, ...usable])
  for (const { row } of requested.values()) recordImportedRow(pass, row, 0)
  for (const row of priced) recordImportedRow(pass, row, 0)
}

/** Returns the value to store; null if the present value stays. */
function valueFor(
  row: ImportedOption,
  { value }: Setting<unknown>,
  { stored, isNew }: SettingsDestination & { stored: string | undefined },
): string | null {
  if (row.key === UNITS && !isNew) return row.value === stored ? row.value : null
  if (stored === undefined) return row.value
  const encoded = value.encode(value.schema.parse(row.value))
  if (encoded === stored) return encoded
  if (value.kind !== 'json') return null
  const [incoming, current] = [asObject(parseJson(row.value)), asObject(parseJson(stored))]
  if (!incoming || !current) return null
  const unchanged = Object.keys(current).filter((name) => Object.hasOwn(incoming, name))
  if (unchanged.length > 0)
    row.notes.push(fillTemplate(words('set here, and as here: {unchanged}'), { unchanged: joinList(unchanged) }))
  return JSON.stringify({ ...incoming, ...current })
}

/** Returns the change that creates the groups in use that do not exist. */
function groupsFor({ groups, settings }: SettingsDestination, requested: string | null | undefined): SettingChange[] {
  const ratios: Record<string, number> = requested ? JSON.parse(requested) : settings.GroupRatio
  const missing = [...groups].filter((group) => group !== '' && !Object.hasOwn(ratios, group))
  if (missing.length === 0) return []
  const made = Object.fromEntries(missing.map((group) => [group, 1]))
  return [{ key: 'GroupRatio', value: JSON.stringify({ ...ratios, ...made }) }]
}

/**
 * Makes the groups that users may choose and the groups with a ratio agree, whichever side is imported. Values that an
 * operator has set here stay, and defaults of Weir yield. Returns the changes of the groups.
 */
function reconcileGroups({
  to,
  requested,
  stored,
  groups,
}: {
  to: SettingsDestination
  requested: ReadonlyMap<string, Requested>
  stored: ReadonlyMap<string, string>
  groups: readonly SettingChange[]
}): SettingChange[] {
  const [ratioRow, usableRow] = [requested.get('GroupRatio'), requested.get('UserUsableGroups')]
  const text = groups[0]?.value ?? ratioRow?.change.value
  const ratios: Record<string, number> = text ? JSON.parse(text) : { ...to.settings.GroupRatio }
  const usable: Record<string, string> = usableRow?.change.value
    ? JSON.parse(usableRow.change.value)
    : to.settings.UserUsableGroups
  const own = parseObject(stored.get('UserUsableGroups'))
  const missing = Object.keys(usable).filter((group) => !Object.hasOwn(ratios, group))
  if (missing.length === 0) return [...groups]
  const shared = missing.filter((group) => Object.hasOwn(own, group) && Object.hasOwn(to.settings.GroupRatio, group))
  const dropped = missing.filter((group) => !Object.hasOwn(own, group))
  if (shared.length > 0)
    ratioRow?.row.notes.push(
      fillTemplate(words('users may choose {groups} here, so these groups keep their ratios'), {
        groups: joinList(shared),
      }),
    )
  if (dropped.length > 0)
    (usableRow ?? ratioRow)?.row.notes.push(
      fillTemplate(words('users may not choose {dropped} here, because it has no ratio'), {
        dropped: joinList(dropped),
      }),
    )
  const keptRatios = Object.fromEntries(shared.map((group) => [group, to.settings.GroupRatio[group] ?? 1]))
  const offered = Object.fromEntries(Object.entries(usable).filter(([group]) => !dropped.includes(group)))
  return [
    ...(shared.length > 0 ? [{ key: 'GroupRatio', value: JSON.stringify({ ...ratios, ...keptRatios }) }] : groups),
    ...(dropped.length > 0 ? [{ key: 'UserUsableGroups', value: JSON.stringify(offered) }] : []),
  ]
}

const parseObject = (text: string | undefined): object => asObject(parseJson(text ?? '')) ?? {}

/**
 * Applies the changes. A change that another setting does not allow is left out, one at a time, until the rest is
 * valid. If the refused setting is not imported, the imported ones that it depends on are left out.
 */
async function changeAll(
  pass: ImportPass,
  { snapshot, author, product, settings }: SettingsDestination,
  requested: Map<string, Requested>,
  extraChanges: readonly SettingChange[],
): Promise<void> {
  for (;;) {
    const changes = new Map([...requested].map(([key, { change }]) => [key, change]))
    for (const change of extraChanges) changes.set(change.key, change)
    if (changes.size === 0) return
    try {
      const warnings = await snapshot.changeWithin(pass.within, [...changes.values()], author, `import ${product}`)
      for (const warning of warnings) requested.get(warning.field ?? '')?.row.notes.push(describeRefusal(warning))
      return
    } catch (error) {
      if (!(error instanceof GatewayError) || error.field === undefined) throw error
      const refused = requested.has(error.field) ? [error.field] : findDependencies(error.field, requested, settings)
      if (refused.length === 0) throw error
      for (const key of refused) {
        const { row } = requested.get(key) ?? {}
        if (row) pass.report.left(row, describeRefusal(error))
        requested.delete(key)
      }
    }
  }
}

/** Returns the imported settings that the check of a setting of Weir reads. */
function findDependencies(key: string, requested: ReadonlyMap<string, Requested>, settings: Settings): string[] {
  const read = new Set<string>()
  findDeclaration(key)?.conflict?.(settings[key as SettingKey], (other) => {
    read.add(other)
    const text = requested.get(other)?.change.value
    return typeof text === 'string' ? findDeclaration(other)?.value.schema.parse(text) : settings[other as SettingKey]
  })
  return [...requested.keys()].filter((other) => read.has(other))
}

/** Returns the value of one quota unit of the source in units of Weir. */
export const getUnitScale = (sourceUnits: number, ownUnits: number): Decimal =>
  new Decimal(ownUnits).dividedBy(sourceUnits)
