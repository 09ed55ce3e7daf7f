// People who share an account.
import type { Feature } from '../feature.ts'
import { teamsContract } from './contract.ts'
import { createTeamHandlers, type TeamPorts } from './handlers.ts'

export const teamsFeature: Feature<TeamPorts, typeof teamsContract> = {
  contract: teamsContract,
  handlers: createTeamHandlers,
}
