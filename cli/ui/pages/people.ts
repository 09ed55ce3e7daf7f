// Users and teams with their balances. The actions are the commands of each noun.
import { fillTemplate, type Words } from '../../../core/errors.ts'
import { MemberForm } from '../../../core/teams/contract.ts'
import { TEAM_ROLES, type Team } from '../../../core/teams/team.ts'
import { ROLE, USER_STATUS, type User } from '../../../core/users/user.ts'
import { buildQuestion } from '../../flags.ts'
import { asData } from '../../language.ts'
import { memberView, teamsOf, teamView } from '../../nouns/team.ts'
import { amountQuestion, filledIn } from '../../nouns/questions.ts'
import { words } from '../../texts.ts'
import { editQuestions, newUserQuestions, passwordQuestion } from '../../nouns/user-form.ts'
import { userView } from '../../nouns/user.ts'
import type { Choice, Question } from '../../parts/form-state.ts'
import { shownValue, word, type View, type ViewField } from '../../view.ts'
import { editing, flags, givenOf, matches, uiPage, type Opened, type Ports, type UiAction } from '../page.ts'

const PAGE_SIZE = 100

type Row = { kind: 'user'; user: User } | { kind: 'team'; team: Team }
type TeamRow = Extract<Row, { kind: 'team' }>

const account = (row: Row) => (row.kind === 'user' ? row.user : row.team)
const getName = (row: Row) => (row.kind === 'user' ? row.user.username : row.team.name)
const getId = (row: Row) => String(account(row).id)
const KINDS = { user: words('user'), team: words('team') }

/** Combines a field of users with the equivalent field of teams. */
function combineFields(user: ViewField<User>, team: ViewField<Team> | undefined, rank = user.rank): ViewField<Row> {
  const { of, shown, tone, ...rest } = user
  return {
    ...rest,
    rank,
    of: (row) => (row.kind === 'user' ? of(row.user) : team?.of(row.team)),
    shown: (row, how) => (row.kind === 'user' ? shown?.(row.user, how) : team?.shown?.(row.team, how)),
    tone: (row) => (row.kind === 'user' ? (tone?.(row.user) ?? 'plain') : (team?.tone?.(row.team) ?? 'plain')),
  }
}

const view: View<Row> = {
  id: combineFields(userView.id!, teamView.id),
  kind: word(words('KIND'), 3, KINDS, ({ kind }) => kind),
  name: combineFields(userView.username!, teamView.name),
  display_name: combineFields(userView.display_name!, undefined),
  role: combineFields(userView.role!, undefined, 4),
  status: combineFields(userView.status!, undefined),
  group: combineFields(userView.group!, undefined, 4),
  quota: combineFields(userView.quota!, teamView.quota),
  used_quota: combineFields(userView.used_quota!, teamView.used_quota),
  request_count: combineFields(userView.request_count!, teamView.request_count, 3),
  email: combineFields(userView.email!, undefined),
  created: combineFields(userView.created!, teamView.created),
}

const TEAM_ONLY = words('This is for teams.')
const USER_ONLY = words('This is for users.')
const onlyUsers = ({ kind }: Row) => (kind === 'user' ? undefined : USER_ONLY)
const onlyTeams = ({ kind }: Row) => (kind === 'team' ? undefined : TEAM_ONLY)

const isEnabled = (row: Row) => row.kind === 'user' && row.user.status === USER_STATUS.enabled
const isAdmin = (row: Row) => row.kind === 'user' && row.user.role >= ROLE.admin

const about = (template: Words, row: Row): Words => fillTemplate(template, { name: getName(row) })

const loadMembers = async ({ client }: Ports, { team }: TeamRow) => (await client.teams.get({ id: team.id })).members

const TEAM_NAME: Question = {
  name: 'name',
  label: words('Name'),
  kind: 'text',
  check: filledIn,
}

const money: readonly UiAction<Row>[] = [
  {
    key: 'a',
    name: words('top up'),
    form: ({ kind }) => [
      amountQuestion({ name: 'amount', label: words('Amount'), kind: 'text' }, 'Amount', undefined),
      ...(kind === 'user'
        ? [
            {
              name: 'reason',
              label: words('Reason'),
              kind: 'text',
              hint: words('kept in the log'),
            } as const,
          ]
        : []),
    ],
    sure: (row, { amount = '' }) =>
      fillTemplate(words('Add {amount} to the balance of “{row}”?'), { amount, row: getName(row) }),
    command: (row, { amount = '', reason = '' }) =>
      row.kind === 'user'
        ? ['users', 'topup', ...flags(givenOf({ reason })), '--', getId(row), amount]
        : ['teams', 'topup', '--grant', '--', getId(row), amount],
  },
  {
    key: 'l',
    name: words('ledger'),
    command: (row) => (row.kind === 'user' ? ['ledger', 'show', getId(row)] : ['ledger', 'show', '--team', getId(row)]),
  },
]

const ofUsers: readonly UiAction<Row>[] = [
  {
    key: 'd',
    name: words('disable/enable'),
    unless: ({ kind }) => (kind === 'team' ? words('A team cannot be disabled: remove its members.') : undefined),
    sure: (row) =>
      isEnabled(row)
        ? about(words('Disable “{name}”? Their tokens are refused.'), row)
        : about(words('Enable “{name}”?'), row),
    command: (row) => ['users', isEnabled(row) ? 'disable' : 'enable', getId(row)],
  },
  {
    key: 'p',
    once: true,
    name: words('password'),
    unless: onlyUsers,
    form: () => [passwordQuestion],
    sure: (row) => about(words('Give “{name}” a new password? Their sessions and access tokens end.'), row),
    command: (row, answers) => ['users', 'password', ...flags(givenOf(answers)), getId(row)],
  },
  {
    key: 'R',
    name: words('role'),
    unless: onlyUsers,
    sure: (row) =>
      isAdmin(row)
        ? about(words('Make “{name}” an ordinary user?'), row)
        : about(words('Make “{name}” an administrator of everything here?'), row),
    command: (row) => ['users', isAdmin(row) ? 'demote' : 'promote', getId(row)],
  },
  {
    key: 'o',
    name: words('tokens'),
    unless: onlyUsers,
    command: (row) => ['tokens', 'ls', '--user', getId(row)],
  },
  {
    key: 'n',
    once: true,
    name: words('new user'),
    rowless: true,
    form: () => newUserQuestions({}),
    sure: (_, { username = '' }) => fillTemplate(words('Make an account for “{username}”?'), { username }),
    command: (_, { username = '', ...answers }) => ['users', 'create', ...flags(givenOf(answers)), '--', username],
  },
]

const ofTeams: readonly UiAction<Row>[] = [
  {
    key: 'N',
    name: words('new team'),
    rowless: true,
    form: () => [TEAM_NAME],
    sure: (_, { name = '' }) => fillTemplate(words('Make the team “{name}”? You own it.'), { name }),
    command: (_, { name = '' }) => ['teams', 'add', '--', name],
  },
  {
    key: 'm',
    name: words('add or change a member'),
    unless: onlyTeams,
    form: () => [
      buildQuestion(MemberForm, 'username', { check: filledIn }),
      {
        ...buildQuestion(MemberForm, 'role'),
        kind: 'choice',
        choices: TEAM_ROLES.map((value): Choice => ({
          value,
          label: memberView.role?.names?.[value] ?? asData(value),
        })).toReversed(),
      },
      ...(['day', 'month'] as const).map((span): Question => ({
        ...amountQuestion(
          buildQuestion(MemberForm, `budget_${span}`),
          `--${span}`,
          words('dollars (5usd) or quota units; 0 for no limit; empty: stays'),
        ),
        name: span,
      })),
    ],
    sure: (row, { username = '', role = '' }) =>
      fillTemplate(words('Make “{username}” {role} of team “{team}”, with these limits?'), {
        username,
        role: memberView.role?.names?.[role] ?? role,
        team: getName(row),
      }),
    command: (row, { username = '', ...answers }) => [
      ...['teams', 'member', ...flags(givenOf(answers)), '--', getId(row)],
      username,
    ],
  },
  {
    key: 'u',
    name: words('remove a member'),
    unless: onlyTeams,
    form: async (row, ports) => {
      const members = row.kind === 'team' ? await loadMembers(ports, row) : []
      const choices = members.map(({ user_id, username }) => ({ value: String(user_id), label: asData(username) }))
      return [{ name: 'member', label: words('Member'), kind: 'choice', choices }]
    },
    sure: (row, { member = '' }) =>
      fillTemplate(words('Remove member {member} from team “{row}”? Their tokens of the team end.'), {
        member,
        row: getName(row),
      }),
    command: (row, { member = '' }) => ['teams', 'remove-member', '--yes', getId(row), member],
  },
]

const common: readonly UiAction<Row>[] = [
  {
    key: 'e',
    name: words('edit'),
    form: (row) => (row.kind === 'team' ? [{ ...TEAM_NAME, initial: row.team.name }] : editQuestions(row.user)),
    sure: (row) => about(words('Save the changes of “{name}”?'), row),
    command: (row, { name = '' }, changed) =>
      row.kind === 'user'
        ? editing(['users', 'edit', getId(row)], changed)
        : Object.keys(changed).length === 0
          ? []
          : ['teams', 'rename', '--', getId(row), name],
  },
  {
    key: 'x',
    name: words('delete'),
    sure: (row) =>
      row.kind === 'user'
        ? about(words('Deregister “{name}”? The account can no longer be used.'), row)
        : about(words('Delete the team “{name}”? Its tokens end.'), row),
    command: (row) => [row.kind === 'user' ? 'users' : 'teams', 'rm', '--yes', getId(row)],
  },
]

export const people = uiPage<Row>({
  name: 'users',
  title: words('Users'),
  view,
  empty: words('No users yet: n adds a user, N a team.'),
  every_ms: 5000,
  async load({ client }, filter) {
    const [users, teams] = await Promise.all([
      filter === ''
        ? client.users.list({ page_size: PAGE_SIZE })
        : client.users.search({ keyword: filter, page_size: PAGE_SIZE }),
      teamsOf(client, { p: 1, page_size: PAGE_SIZE }),
    ])
    const found = teams.items.filter(({ id, name }) => matches(filter, id, name))
    const rows: Row[] = [
      ...found.map((team): Row => ({ kind: 'team', team })),
      ...users.items.map((user): Row => ({ kind: 'user', user })),
    ]
    return { rows, total: users.total + found.length }
  },
  actions: [
    ...money.slice(0, 1),
    ...ofUsers.slice(0, 1),
    ...common,
    ...ofUsers.slice(1),
    ...ofTeams,
    ...money.slice(1),
  ],
  id: (row) => `${row.kind} ${getId(row)}`,
  copied: getName,
  async opened(ports, row): Promise<Opened> {
    if (row.kind === 'user') return []
    const { language, money: shown } = ports
    const parts = ['role', 'used_day', 'budget_day', 'used_month', 'budget_month'] as const
    return (await loadMembers(ports, row)).map((member) => [
      asData(member.username),
      parts
        .map(
          (name) =>
            `${memberView[name]!.title[language]} ${shownValue(memberView[name]!, member, { language, money: shown })}`,
        )
        .join('  '),
    ])
  },
})
