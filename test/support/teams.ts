// Adds a user to a team directly, for tests that are not about invitations.
import type { Gateway } from '../../core/gateway.ts'
import { seconds } from '../../core/ports/clock.ts'
import type { TeamRole } from '../../core/teams/team.ts'

interface Joining {
  id: number
  username: string
  role?: TeamRole
  budget_day?: number
  budget_month?: number
}

export async function joinTeam(
  { ports: { storage, clock } }: Gateway,
  { id, username, ...form }: Joining,
): Promise<void> {
  const found = await storage.users.findByLogin(username)
  if (!found) throw new Error(`nobody is called ${username}`)
  await storage.transaction((within) =>
    within.teams.putMember({
      ...{ team_id: id, user_id: found.user.id, created_time: seconds(clock) },
      ...{ role: 'member', budget_day: 0, budget_month: 0, ...form },
    }),
  )
  await storage.announce({ topic: 'tokens', id: 0 })
}
