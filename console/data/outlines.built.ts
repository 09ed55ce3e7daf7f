// The HTTP path of each endpoint of the contract.
import { toOutline } from '../../core/contract/client.ts'
import { contract } from '../../core/contracts.ts'

export const outlines = Object.fromEntries(
  Object.entries(contract).map(([feature, endpoints]) => [
    feature,
    Object.fromEntries(Object.entries(endpoints).map(([name, endpoint]) => [name, toOutline(endpoint)])),
  ]),
)
