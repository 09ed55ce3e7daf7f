// A search over all kinds of objects.
import type { Feature } from '../feature.ts'
import { searchContract } from './contract.ts'
import { createSearchHandlers, type SearchPorts } from './handlers.ts'

export const searchFeature: Feature<SearchPorts, typeof searchContract> = {
  contract: searchContract,
  handlers: createSearchHandlers,
}
