// Converts the paying parties of LiteLLM: users, and teams, whose keys become those of a user with the team's name.
import { fillTemplate, joinList, words } from '../../errors.ts'
import { ROLE, USER_STATUS } from '../../users/user.ts'
import { ancestorUser } from '../ancestor/user.ts'
import type { UserArrival } from '../arrival.ts'
import { cellJson, cellList, cellWord, type Notes, type SourceRow } from '../cells.ts'
import type { LeftRow, SourceFacts } from '../product.ts'
import { budgetedBalance, parseUnits } from './money.ts'

/** The id of a team among the users. */
export const teamId = (id: string) => `team ${id}`
/** The owner of the keys without an owner. */
export const OWNERLESS_ID = 'keys of nobody'

interface Person {
  id: string
  username: string
  email?: string
  role?: number
  password?: string
}

/** Builds a user whose balance is the budget of the row. */
export function buildAccount(
  row: SourceRow,
  person: Person,
  { units }: SourceFacts,
  notes: Notes,
): UserArrival | LeftRow {
  const { id, username, email = '', role = ROLE.user, password = '' } = person
  const made = ancestorUser(
    {
      id,
      username,
      email,
      password,
      role: String(role),
      status: String(USER_STATUS.enabled),
      quota: budgetedBalance(row, units, notes),
      used_quota: parseUnits(row, 'spend', units),
    },
    null,
  )
  return 'left' in made ? made : { ...made, notes: [...made.notes, ...notes] }
}

export function liteLlmUser(row: SourceRow, facts: SourceFacts): UserArrival | LeftRow {
  const notes: Notes = []
  const [id, email, role] = [cellWord(row, 'user_id'), cellWord(row, 'user_email'), cellWord(row, 'user_role')]
  const username = cellWord(row, 'user_alias') || email.split('@', 1)[0] || id
  const isAdmin = role === 'proxy_admin'
  if (role === 'proxy_admin_viewer')
    notes.push(words('it could look at everything and change nothing: it is an ordinary user'))
  const password = cellWord(row, 'password')
  return buildAccount(row, { id, username, email, password, role: isAdmin ? ROLE.admin : ROLE.user }, facts, notes)
}

export function liteLlmTeam(row: SourceRow, facts: SourceFacts): UserArrival | LeftRow {
  const id = cellWord(row, 'team_id')
  const notes: Notes = [
    words('it is a user of its name here, who pays for its keys and has them; nobody can sign in as it yet'),
  ]
  const members = listMembers(row)
  if (members.length > 0)
    notes.push(fillTemplate(words('its members are not tied to it: {members}'), { members: joinList(members) }))
  return buildAccount(row, { id: teamId(id), username: cellWord(row, 'team_alias') || id }, facts, notes)
}

function listMembers(row: SourceRow): string[] {
  const memberRows = cellJson(row, 'members_with_roles')
  if (!Array.isArray(memberRows)) return cellList(row, 'members')
  return memberRows.map((member: { user_id?: unknown; user_email?: unknown } | null) =>
    String(member?.user_id ?? member?.user_email ?? '?'),
  )
}

/** Builds the account for keys without an owner, at the first such key. */
export const buildOwnerlessAccount = (facts: SourceFacts): UserArrival | LeftRow =>
  buildAccount({}, { id: OWNERLESS_ID, username: 'litellm-keys' }, facts, [
    words('it has the keys that belonged to nobody, or to nobody who is there'),
  ])
