// The endpoints as the gateway serves them. Clients take theirs from `contracts.ts`, which loads without all settings.
import type { Endpoint } from './contract/endpoint.ts'
import { endpointsByName } from './contracts.ts'
import { PublicStatus } from './site/status.ts'

/** All endpoints by full name, `feature.name`, with the schema of the status. */
export const servedEndpoints: ReadonlyMap<string, Endpoint> = new Map(endpointsByName).set('site.status', {
  ...endpointsByName.get('site.status')!,
  reply: PublicStatus,
})
