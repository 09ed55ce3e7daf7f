// Stores the options of another product as settings. An option is imported only if the setting is not set in Weir.
import { Decimal } from 'decimal.js'
import type { Author } from '../audit/audit.ts'
import { errors, fillTemplate, GatewayError, words, type Words } from '../errors.ts'
import { findDeclaration, type SettingKey, type Settings } from '../settings/index.ts'
import type { SettingChange, SettingsSnapshot } from '../settings/snapshot.ts'
import type { Setting } from '../settings/setting.ts'
import { textRefusal } from '../settings/setting.ts'
import { isObjectText, collectPrices, PRICE_OPTIONS } from './place-prices.ts'
import type { ImportProduct, OptionArrival } from './arrival.ts'
import { recordArrival, unknownRows, type ImportPass } from './pass.ts'

interface Destination {
  snapshot: Pick<SettingsSnapshot, 'changeWithin'>
  author: Author
  product: ImportProduct
  /** true if Weir has no account except the super administrator's. */
  isNew: boolean
  /** Quota units of one unit of the currency at the source. */
  units: number
  /** Groups that users, tokens and channels are in. */
  groups: ReadonlySet<string>
  settings: Settings
}

const UNITS: SettingKey = 'QuotaPerUnit'

export async function placeSettings(pass: ImportPass, to: Destination, rows: readonly OptionArrival[]): Promise<void> {
  const { within, report } = pass
  const fresh = unknownRows(pass, rows)
  const stored = new Map((await within.settings.all()).map(({ key, value }) => [key, value]))
  const requested = new Map<string, { row: OptionArrival; change: SettingChange }>()
  const done: OptionArrival[] = []
  for (const row of fresh) {
    const declaration = findDeclaration(row.key)
    const refused = declaration
      ? textRefusal(row.key, declaration, row.value)
      : new GatewayError('setting.unknown', { key: row.key })
    if (refused || !declaration) {
      report.left(row, refused ? describeRefusal(refused) : words('there is no such setting here', '此处没有该设置'))
      continue
    }
    if (PRICE_OPTIONS.has(row.key)) {
      done.push(row)
      continue
    }
    const value = valueFor(row, declaration, { ...to, stored: stored.get(row.key) })
    if (value === null) report.left(row, words('it is set here, and stays as it is here', '此处已设置，保持不变'))
    else requested.set(row.key, { row, change: { key: row.key, value } })
  }
  const priced = fresh.filter(({ key }) => PRICE_OPTIONS.has(key) && done.some((row) => row.key === key))
  const prices = collectPrices(to.product, priced, to)
  const groups = groupsFor(to, requested.get('GroupRatio')?.change.value)
  await changeAll(pass, to, requested, [...prices, ...groups])
  for (const { row } of requested.values()) recordArrival(pass, row, 0)
  for (const row of priced) recordArrival(pass, row, 0)
}

/** Null where what is here stays. */
function valueFor(
  row: OptionArrival,
  { value }: Setting<unknown>,
  { stored, isNew }: Destination & { stored: string | undefined },
): string | null {
  if (row.key === UNITS && !isNew) return row.value === stored ? row.value : null
  if (stored === undefined) return row.value
  const encoded = value.encode(value.schema.parse(row.value))
  if (encoded === stored) return encoded
  if (value.kind !== 'json' || !isObjectText(row.value) || !isObjectText(stored)) return null
  const [incoming, current] = [JSON.parse(row.value) as object, JSON.parse(stored) as object]
  const unchanged = Object.keys(current).filter((name) => Object.hasOwn(incoming, name))
  if (unchanged.length > 0)
    row.notes.push(
      words(`set here, and as here: ${unchanged.join(', ')}`, `此处已设置并保持不变：${unchanged.join('、')}`),
    )
  return JSON.stringify({ ...incoming, ...current })
}

/** Returns the change that creates the groups in use that do not exist. */
function groupsFor({ groups, settings }: Destination, requested: string | null | undefined): SettingChange[] {
  const ratios: Record<string, number> = requested ? JSON.parse(requested) : settings.GroupRatio
  const missing = [...groups].filter((group) => group !== '' && !Object.hasOwn(ratios, group))
  if (missing.length === 0) return []
  const made = Object.fromEntries(missing.map((group) => [group, 1]))
  return [{ key: 'GroupRatio', value: JSON.stringify({ ...ratios, ...made }) }]
}

/**
 * Applies the changes. A change that another setting does not allow is left out, one at a time, until the rest is
 * valid.
 */
async function changeAll(
  pass: ImportPass,
  { snapshot, author, product }: Destination,
  requested: Map<string, { row: OptionArrival; change: SettingChange }>,
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
      const refused = error instanceof GatewayError ? requested.get(error.field ?? '') : undefined
      if (!refused || !(error instanceof GatewayError)) throw error
      pass.report.left(refused.row, describeRefusal(error))
      requested.delete(refused.row.key)
    }
  }
}

const describeRefusal = ({ code, parameters }: GatewayError): Words => {
  const { en, zh } = errors[code]
  return fillTemplate({ en, zh }, parameters)
}

/** Returns the value of one quota unit of the source in units of Weir. */
export const scaleBetween = (sourceUnits: number, ownUnits: number): Decimal =>
  new Decimal(ownUnits).dividedBy(sourceUnits)
