// The whole configuration as a file: out, planned, applied, and what it owns.
import { feature } from '../feature.ts'
import { state } from './contract.ts'
import { createStateHandlers } from './handlers.ts'

export const stateFeature = feature({ contract: state, handlers: createStateHandlers })
