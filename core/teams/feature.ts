// People who share an account.
import { feature } from '../feature.ts'
import { teams } from './contract.ts'
import { createTeamHandlers } from './handlers.ts'
import type { TeamInvitationStore, TeamStore } from './store.ts'

export const teamsFeature = feature({ contract: teams, handlers: createTeamHandlers })

declare module '../ports/storage.ts' {
  interface ChangeStores {
    teams: TeamStore
    teamInvitations: TeamInvitationStore
  }
}
