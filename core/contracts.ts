// The endpoints of the JSON API: the contracts of `features.ts` alone, for clients that load no handlers and stores. A
// test compares the two lists.
import { alerts } from './alerts/contract.ts'
import { attention } from './attention/contract.ts'
import { audit } from './audit/contract.ts'
import { auth } from './auth/contract.ts'
import { backups } from './backups/contract.ts'
import { bodies } from './bodies/contract.ts'
import { channels } from './channels/contract.ts'
import { devices } from './devices/contract.ts'
import { groups } from './groups/contract.ts'
import { imports } from './imports/contract.ts'
import { logs } from './logs/contract.ts'
import { prices } from './prices/contract.ts'
import { pricing } from './pricing/contract.ts'
import { privacy } from './privacy/contract.ts'
import { quota } from './quota/contract.ts'
import { redemptions } from './redemptions/contract.ts'
import { search } from './search/contract.ts'
import { settings } from './settings/contract.ts'
import { site } from './site/contract.ts'
import { state } from './state/contract.ts'
import { tasks } from './tasks/contract.ts'
import { teams } from './teams/contract.ts'
import { tokens } from './tokens/contract.ts'
import { topups } from './topups/contract.ts'
import { usage } from './usage/contract.ts'
import { users } from './users/contract.ts'
import type { Client } from './contract/client.ts'
import type { Endpoint } from './contract/endpoint.ts'

export const contract = {
  site,
  auth,
  devices,
  users,
  groups,
  tokens,
  channels,
  pricing,
  prices,
  logs,
  bodies,
  usage,
  tasks,
  teams,
  quota,
  redemptions,
  topups,
  settings,
  imports,
  state,
  search,
  attention,
  alerts,
  privacy,
  audit,
  backups,
}
export type Contract = typeof contract
export type WeirClient = Client<Contract>

/** All endpoints by full name, `feature.name`. */
export const endpoints: ReadonlyMap<string, Endpoint> = new Map(
  Object.entries(contract).flatMap(([feature, declared]) =>
    Object.entries(declared).map(
      ([name, endpoint]) => [`${feature}.${name}`, endpoint as unknown as Endpoint] as const,
    ),
  ),
)
