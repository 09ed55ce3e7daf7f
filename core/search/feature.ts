// A search over all kinds of objects.
import { feature } from '../feature.ts'
import { search } from './contract.ts'
import { createSearchHandlers } from './handlers.ts'

export const searchFeature = feature({ contract: search, handlers: createSearchHandlers })
