// The whole configuration as a file: out, planned, applied, and what it owns.
import type { Feature } from '../feature.ts'
import { stateContract } from './contract.ts'
import { createStateHandlers, type StatePorts } from './handlers.ts'

export const stateFeature: Feature<StatePorts, typeof stateContract> = {
  contract: stateContract,
  handlers: createStateHandlers,
}
