// Drift of sections that a file manages: the next `weir apply` of that file reverts the command's changes.
import { apiContract, type WeirClient } from '../core/contracts.ts'
import type { Endpoint } from '../core/contract/endpoint.ts'
import { fillTemplate } from '../core/errors.ts'
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

/** Wraps the client to note the sections that are changed through it. */
export function noteChangedSections(client: WeirClient, changed: Set<string>): WeirClient {
  const features = Object.entries(SECTIONS).map(([feature, sections]) => {
    const declared = apiContract[feature as keyof WeirClient] as unknown as Record<string, Endpoint>
    const endpoints = client[feature as keyof WeirClient] as unknown as Endpoints
    const noted = Object.entries(endpoints).map(([name, ask]) => {
      const changes = declared[name] !== undefined && (declared[name].method !== 'GET' || declared[name].changes)
      if (!changes) return [name, ask]
      const note = (input: never) => {
        for (const section of sections) changed.add(section)
        return ask(input)
      }
      return [name, note]
    })
    return [feature, Object.fromEntries(noted)]
  })
  return { ...client, ...Object.fromEntries(features) }
}

/** Reports how these sections differ from their file. Users without the right to read that get no report. */
export async function reportFileDrift(
  client: WeirClient,
  sections: ReadonlySet<string>,
  print: ResultPrinter,
): Promise<void> {
  const managed = await client.state.managed().catch(() => [])
  for (const { section, key, source, drifted } of managed)
    if (sections.has(section) && drifted.length > 0) {
      const fields = drifted.filter((name) => name !== '').join(', ')
      const which = fields === '' ? '' : ` (${fields})`
      print.warn(
        fillTemplate(
          words(
            '{section} {key} is managed by {source} and no longer matches it{which}: the next weir apply undoes that.',
          ),
          { section, key, source, which },
        ),
      )
    }
}
