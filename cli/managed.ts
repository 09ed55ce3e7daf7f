// Drift of sections that a file manages: the next `weir apply` of that file reverts the command's changes.
import type { WeirClient } from '../core/contracts.ts'
import { fillTemplate } from '../core/errors.ts'
import { findEndpoint } from './connection/endpoint-client.ts'
import type { ResultPrinter } from './output/output.ts'
import { words } from './texts.ts'

/** Sections of the state file that the endpoints of a feature change. */
const SECTIONS: Partial<Record<keyof WeirClient, readonly string[]>> = {
  channels: ['channels'],
  prices: ['prices', 'purchase_prices'],
  groups: ['groups'],
  settings: ['settings', 'groups', 'prices', 'purchase_prices', 'tool_prices'],
  auth: ['sign_in_services'],
  alerts: ['alerts'],
  teams: ['teams'],
  redemptions: ['redemptions'],
  users: ['users'],
  tokens: ['tokens'],
}

type Endpoints = Record<string, (input: never) => Promise<unknown>>

type ManagedRow = Awaited<ReturnType<WeirClient['state']['managed']>>[number]

/** The managed things that a command changes, as they were before its first change. */
export interface DriftWatch {
  /** The client that notes the changed sections. */
  client: WeirClient
  /** Reports the fields that no longer match their file since then; what had drifted before is not repeated. */
  report(print: ResultPrinter): Promise<void>
}

/** Wraps the client of a command. Users without the right to read the managed things get no report. */
export function watchFileDrift(client: WeirClient): DriftWatch {
  const changed = new Set<string>()
  const read = () => client.state.managed().catch((): ManagedRow[] => [])
  let before: Promise<ManagedRow[]> | undefined
  const features = Object.entries(SECTIONS).map(([feature, sections]) => {
    const endpoints = client[feature as keyof WeirClient] as unknown as Endpoints
    const noted = Object.entries(endpoints).map(([name, ask]) => {
      if (!findEndpoint(`${feature}.${name}`)?.changes) return [name, ask]
      const note = async (input: never) => {
        await (before ??= read())
        for (const section of sections) changed.add(section)
        return ask(input)
      }
      return [name, note]
    })
    return [feature, Object.fromEntries(noted)]
  })
  return {
    client: { ...client, ...Object.fromEntries(features) },
    async report(print) {
      const known = ((await before) ?? []).filter(({ section }) => changed.has(section))
      if (known.length > 0) reportNewDrift(known, await read(), print)
    },
  }
}

/** Groups rows by a text, in the order in which each text appears first. */
export function groupRows<T>(rows: readonly T[], toText: (row: T) => string): T[][] {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    const group = groups.get(toText(row))
    if (group) group.push(row)
    else groups.set(toText(row), [row])
  }
  return [...groups.values()]
}

/** Most things of a section that are named one by one. */
const MAX_NAMED = 3

function reportNewDrift(before: readonly ManagedRow[], now: readonly ManagedRow[], print: ResultPrinter): void {
  const toPlace = ({ section, key }: ManagedRow) => `${section} ${key}`
  const past = new Map(before.map((row) => [toPlace(row), row.drifted]))
  const fresh = now.flatMap((row) => {
    const drifted = row.drifted.filter((name) => past.has(toPlace(row)) && !past.get(toPlace(row))?.includes(name))
    return drifted.length > 0 ? [{ ...row, drifted }] : []
  })
  for (const same of groupRows(fresh, ({ section, source }) => `${section} ${source}`)) {
    const [{ section, source }] = same as [ManagedRow]
    if (same.length > MAX_NAMED) print.warn(fillTemplate(MANY_DRIFTED, { count: same.length, section, source }))
    else
      for (const { key, drifted } of same) {
        const fields = drifted.filter((name) => name !== '').join(', ')
        const which = fields === '' ? '' : ` (${fields})`
        print.warn(fillTemplate(ONE_DRIFTED, { section, key, source, which }))
      }
  }
}

const ONE_DRIFTED = words(
  '{section} {key} is managed by {source} and no longer matches it{which}: the next weir apply undoes that.',
)
const MANY_DRIFTED = words(
  '{count} of {section} are managed by {source} and no longer match it: the next weir apply undoes that.',
)
