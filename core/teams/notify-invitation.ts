// Notifies a person of an invitation by their chosen channel. The invitation appears among their teams either way.
import { getServerAddress } from '../auth/server-address.ts'
import { fillTemplate, toWords, words } from '../errors.ts'
import type { DeliverMessage } from '../notify/deliver.ts'
import { pickUserText } from '../notify/deliver.ts'
import type { Logger } from '../ports/logger.ts'
import type { HostMachine } from '../ports/machine.ts'
import type { Storage } from '../ports/storage.ts'
import type { Settings } from '../settings/index.ts'
import type { User } from '../users/user.ts'
import type { Team, TeamRole } from './team.ts'

/** Runs in the background and never fails. */
export type NotifyTeamInvitation = (
  user: User,
  invitation: { team: Pick<Team, 'name'>; role: TeamRole; by: Pick<User, 'username'> | null },
) => void

interface NotifyInvitationPorts {
  storage: Pick<Storage, 'counter'>
  logger: Logger
  machine: Pick<HostMachine, 'address'>
  deliver: DeliverMessage
  settings(): Settings
}

/** Maximum number of messages to one person per period, from all senders. */
const MOST = 5
const WITHIN_SECONDS = 86_400

const TITLE = words('You are invited to a team')
const CONTENT = words('{by} invites you to the team {team}, as its {role}. Accept or decline: {link}')
const ROLES = { owner: words('owner'), member: words('member') }
const TERMINAL = words('The administrator')

export function createInvitationNotifier({
  storage,
  logger,
  machine,
  deliver,
  settings,
}: NotifyInvitationPorts): NotifyTeamInvitation {
  async function send(...[user, { team, role, by }]: Parameters<NotifyTeamInvitation>): Promise<void> {
    if ((await storage.counter.add(`invitation:${user.id}`, WITHIN_SECONDS)).count > MOST) return
    const link = `${getServerAddress(settings(), machine)}/teams`
    const who = by ? toWords(by.username) : TERMINAL
    const content = pickUserText(fillTemplate(CONTENT, { by: who, team: team.name, role: ROLES[role], link }), user)
    const title = pickUserText(TITLE, user)
    await deliver(user, { type: 'team_invitation', title, content, values: [team.name, role, link], link })
  }
  return (user, invitation) =>
    void send(user, invitation).catch((error: unknown) =>
      logger.warn('an invitation was not delivered', { user: user.id, error: String(error) }),
    )
}

// Makes every process reload the users who are liable for an account: its user, or the owners of its team.

/** Reports accounts whose balance fell below zero or rose above it again. */
export async function announceDebts(
  { teams, announce }: Pick<Storage, 'teams' | 'announce'>,
  accountIds: readonly number[],
): Promise<void> {
  for (const id of accountIds) {
    const owners = await teams.ownerIds(id)
    for (const user of owners.length > 0 ? owners : [id]) await announce({ topic: 'users', id: user })
  }
}
