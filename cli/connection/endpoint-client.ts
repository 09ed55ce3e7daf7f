// Calls of endpoints by their names.
import { createOutlineClient } from '../../core/contract/client.ts'
import type { ApiContract, WeirClient } from '../../core/contracts.ts'
import type { EndpointFacts } from './endpoint-facts.ts'
import { endpointFacts } from './endpoints.built.ts'

/** Calls an endpoint by its full name, `feature.name`, with its flat input, and returns the reply. */
export type CallEndpoint = (name: string, input: Record<string, unknown>) => Promise<unknown>

/** Finds an endpoint by its full name. */
export function findEndpoint(fullName: string): EndpointFacts | undefined {
  const [feature = '', name = ''] = fullName.split('.')
  const endpoints = Object.hasOwn(endpointFacts, feature) ? endpointFacts[feature] : undefined
  return endpoints && Object.hasOwn(endpoints, name) ? endpoints[name] : undefined
}

/** Builds the typed client of a way to call endpoints. */
export const createEndpointClient = (call: CallEndpoint): WeirClient =>
  createOutlineClient<ApiContract, EndpointFacts>(endpointFacts, (name, _, input) => call(name, input))
