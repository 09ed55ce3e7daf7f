// People who share an account.
import type { Feature } from '../feature.ts'
import { teams } from './contract.ts'
import { createTeamHandlers, type TeamPorts } from './handlers.ts'

export const teamsFeature: Feature<TeamPorts, typeof teams> = { contract: teams, handlers: createTeamHandlers }
