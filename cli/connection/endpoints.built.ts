// The endpoints that commands call. The bundle holds these facts, without the schemas of the contract.
import { apiContract } from '../../core/contracts.ts'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import { toEndpointFacts, type EndpointFacts } from './endpoint-facts.ts'

/** By feature and name. */
export const endpointFacts: Record<string, Record<string, EndpointFacts>> = Object.fromEntries(
  Object.entries(apiContract).map(([feature, endpoints]) => [
    feature,
    Object.fromEntries(
      Object.entries(endpoints).map(([name, endpoint]) => [name, toEndpointFacts(endpoint as unknown as Endpoint)]),
    ),
  ]),
)
