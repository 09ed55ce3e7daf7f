// The endpoints as `weir call` calls any of them. The bundle holds these facts, without the schemas of the contract.
import { endpointsByName } from '../../core/contracts.ts'
import { toCallableEndpoint, type CallableEndpoint } from './callable-endpoint.ts'

/** By full name, `feature.name`. */
export const callableEndpoints: Record<string, CallableEndpoint> = Object.fromEntries(
  [...endpointsByName].map(([name, endpoint]) => [name, toCallableEndpoint(endpoint)]),
)
