// The whole configuration as a file: out, planned, applied, and what it owns.
import type { Feature } from '../feature.ts'
import { state } from './contract.ts'
import { createStateHandlers, type StatePorts } from './handlers.ts'

export const stateFeature: Feature<StatePorts, typeof state> = { contract: state, handlers: createStateHandlers }
