// Converts the paying parties of LiteLLM: users, and teams, whose keys become those of a user with the team's name.
import { fillTemplate, joinList, words } from '../../errors.ts'
import { USER_ROLE, USER_STATUS } from '../../users/user.ts'
import { convertAncestorUser } from '../ancestor/user.ts'
import type { ImportedUser } from '../imported-rows.ts'
import { parseCellJson, parseCellList, getCellWord, type RowChangeNotes, type SourceRow } from '../cells.ts'
import type { SkippedRow, SourceFacts } from '../product.ts'
import { computeBudgetBalance, parseUnits } from './money.ts'

/** The id of a team among the users. */
export const toTeamUserId = (id: string) => `team ${id}`
/** The owner of the keys without an owner. */
export const OWNERLESS_USER_ID = 'keys of nobody'

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
  notes: RowChangeNotes,
): ImportedUser | SkippedRow {
  const { id, username, email = '', role = USER_ROLE.user, password = '' } = person
  const made = convertAncestorUser(
    {
      id,
      username,
      email,
      password,
      role: String(role),
      status: String(USER_STATUS.enabled),
      quota: computeBudgetBalance(row, units, notes),
      used_quota: parseUnits(row, 'spend', units),
    },
    null,
  )
  return 'left' in made ? made : { ...made, notes: [...made.notes, ...notes] }
}

export function convertLiteLlmUser(row: SourceRow, facts: SourceFacts): ImportedUser | SkippedRow {
  const notes: RowChangeNotes = []
  const [id, email, role] = [getCellWord(row, 'user_id'), getCellWord(row, 'user_email'), getCellWord(row, 'user_role')]
  const username = getCellWord(row, 'user_alias') || email.split('@', 1)[0] || id
  const isAdmin = role === 'proxy_admin'
  if (role === 'proxy_admin_viewer')
    notes.push(words('it had read access to everything: it is imported as an ordinary user'))
  const password = getCellWord(row, 'password')
  return buildAccount(
    row,
    { id, username, email, password, role: isAdmin ? USER_ROLE.admin : USER_ROLE.user },
    facts,
    notes,
  )
}

export function convertLiteLlmTeam(row: SourceRow, facts: SourceFacts): ImportedUser | SkippedRow {
  const id = getCellWord(row, 'team_id')
  const notes: RowChangeNotes = [
    words('it is a user of its name here, who owns its keys and pays for them; no person can sign in as this user yet'),
  ]
  const members = listMembers(row)
  if (members.length > 0)
    notes.push(fillTemplate(words('its members are not tied to it: {members}'), { members: joinList(members) }))
  return buildAccount(row, { id: toTeamUserId(id), username: getCellWord(row, 'team_alias') || id }, facts, notes)
}

function listMembers(row: SourceRow): string[] {
  const memberRows = parseCellJson(row, 'members_with_roles')
  if (!Array.isArray(memberRows)) return parseCellList(row, 'members')
  return memberRows.map((member: { user_id?: unknown; user_email?: unknown } | null) =>
    String(member?.user_id ?? member?.user_email ?? '?'),
  )
}

/** Builds the account for keys without an owner, at the first such key. */
export const buildOwnerlessAccount = (facts: SourceFacts): ImportedUser | SkippedRow =>
  buildAccount({}, { id: OWNERLESS_USER_ID, username: 'litellm-keys' }, facts, [
    words('it gets the keys without an existing owner'),
  ])
