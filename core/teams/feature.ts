// People who share an account.
import { feature } from '../feature.ts'
import { teams } from './contract.ts'
import { createTeamHandlers } from './handlers.ts'

export const teamsFeature = feature({ contract: teams, handlers: createTeamHandlers })
