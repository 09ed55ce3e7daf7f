// The endpoints of the JSON API: the contracts of `features.ts` alone, for clients that load no handlers and stores. A
// test compares the two lists.
import { alertsContract } from './alerts/contract.ts'
import { attentionContract } from './attention/contract.ts'
import { auditContract } from './audit/contract.ts'
import { authContract } from './auth/contract.ts'
import { backupsContract } from './backups/contract.ts'
import { bodiesContract } from './bodies/contract.ts'
import { channelsContract } from './channels/contract.ts'
import { devicesContract } from './devices/contract.ts'
import { groupsContract } from './groups/contract.ts'
import { importsContract } from './imports/contract.ts'
import { logsContract } from './logs/contract.ts'
import { pricesContract } from './prices/contract.ts'
import { pricingContract } from './pricing/contract.ts'
import { privacyContract } from './privacy/contract.ts'
import { quota } from './quota/contract.ts'
import { redemptionsContract } from './redemptions/contract.ts'
import { searchContract } from './search/contract.ts'
import { settingsContract } from './settings/contract.ts'
import { siteContract } from './site/contract.ts'
import { stateContract } from './state/contract.ts'
import { tasksContract } from './tasks/contract.ts'
import { teamsContract } from './teams/contract.ts'
import { tokensContract } from './tokens/contract.ts'
import { topupsContract } from './topups/contract.ts'
import { usageContract } from './usage/contract.ts'
import { usersContract } from './users/contract.ts'
import type { ContractClient } from './contract/client.ts'
import type { Endpoint } from './contract/endpoint.ts'

export const apiContract = {
  site: siteContract,
  auth: authContract,
  devices: devicesContract,
  users: usersContract,
  groups: groupsContract,
  tokens: tokensContract,
  channels: channelsContract,
  pricing: pricingContract,
  prices: pricesContract,
  logs: logsContract,
  bodies: bodiesContract,
  usage: usageContract,
  tasks: tasksContract,
  teams: teamsContract,
  quota,
  redemptions: redemptionsContract,
  topups: topupsContract,
  settings: settingsContract,
  imports: importsContract,
  state: stateContract,
  search: searchContract,
  attention: attentionContract,
  alerts: alertsContract,
  privacy: privacyContract,
  audit: auditContract,
  backups: backupsContract,
}
export type ApiContract = typeof apiContract
export type WeirClient = ContractClient<ApiContract>
/** The full name of an endpoint, `feature.name`. */
export type EndpointName = { [F in keyof ApiContract]: `${F}.${keyof ApiContract[F] & string}` }[keyof ApiContract]

/** All endpoints by full name, `feature.name`. */
export const endpointsByName: ReadonlyMap<string, Endpoint> = new Map(
  Object.entries(apiContract).flatMap(([feature, declared]) =>
    Object.entries(declared).map(
      ([name, endpoint]) => [`${feature}.${name}`, endpoint as unknown as Endpoint] as const,
    ),
  ),
)
