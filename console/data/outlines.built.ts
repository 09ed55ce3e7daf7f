// The HTTP path of each endpoint of the contract.
import { toOutline } from '../../core/contract/client.ts'
import { apiContract } from '../../core/contracts.ts'

export const endpointOutlines = Object.fromEntries(
  Object.entries(apiContract).map(([feature, endpoints]) => [
    feature,
    Object.fromEntries(Object.entries(endpoints).map(([name, endpoint]) => [name, toOutline(endpoint)])),
  ]),
)
