// Users and teams with their balances. The actions are the commands of each noun.
import { fillTemplate, type Words } from '../../../core/errors.ts'
import { TEAM_ROLES, type Team } from '../../../core/teams/team.ts'
import { USER_ROLE, USER_STATUS, type User } from '../../../core/users/user.ts'
import { buildQuestion } from '../../input/flags.ts'
import { asUntranslatedText } from '../../language.ts'
import { teamMemberView, listVisibleTeams, teamRowView } from '../../nouns/team.ts'
import { buildAmountQuestion, refuseEmptyText } from '../../nouns/questions.ts'
import { words } from '../../texts.ts'
import {
  buildUserQuestions,
  formatUserFlags,
  buildNewUserQuestions,
  passwordFieldQuestion,
} from '../../nouns/user-form.ts'
import { userRowView } from '../../nouns/user.ts'
import type { FormChoice, FormQuestion } from '../../parts/form-state.ts'
import { formatShownValue, word, type OutputView, type ViewField } from '../../output/view.ts'
import type { OpenedDetails, UiPagePorts, UiAction } from '../page.ts'
import { appendFlags, formatFlagWords, listGivenAnswers, matchesFilter, declareUiPage } from '../page.ts'
import { memberForm } from '../../input/forms.built.ts'

const PAGE_SIZE = 100

type PeoplePageRow = { kind: 'user'; user: User } | { kind: 'team'; team: Team }
type TeamRow = Extract<PeoplePageRow, { kind: 'team' }>

const account = (row: PeoplePageRow) => (row.kind === 'user' ? row.user : row.team)
const getName = (row: PeoplePageRow) => (row.kind === 'user' ? row.user.username : row.team.name)
const getId = (row: PeoplePageRow) => String(account(row).id)
const KINDS = { user: words('user'), team: words('team') }

/** Combines a field of users with the equivalent field of teams. */
function combineFields(
  user: ViewField<User>,
  team: ViewField<Team> | undefined,
  rank = user.rank,
): ViewField<PeoplePageRow> {
  const { of, shown, tone, ...rest } = user
  return {
    ...rest,
    rank,
    of: (row) => (row.kind === 'user' ? of(row.user) : team?.of(row.team)),
    shown: (row, how) => (row.kind === 'user' ? shown?.(row.user, how) : team?.shown?.(row.team, how)),
    tone: (row) => (row.kind === 'user' ? (tone?.(row.user) ?? 'plain') : (team?.tone?.(row.team) ?? 'plain')),
  }
}

const view: OutputView<PeoplePageRow> = {
  id: combineFields(userRowView.id!, teamRowView.id),
  kind: word(words('KIND'), 3, KINDS, ({ kind }) => kind),
  name: combineFields(userRowView.username!, teamRowView.name),
  display_name: combineFields(userRowView.display_name!, undefined),
  role: combineFields(userRowView.role!, undefined, 4),
  status: combineFields(userRowView.status!, undefined),
  group: combineFields(userRowView.group!, undefined, 4),
  quota: combineFields(userRowView.quota!, teamRowView.quota),
  used_quota: combineFields(userRowView.used_quota!, teamRowView.used_quota),
  request_count: combineFields(userRowView.request_count!, teamRowView.request_count, 3),
  email: combineFields(userRowView.email!, undefined),
  created: combineFields(userRowView.created!, teamRowView.created),
}

const TEAM_ONLY = words('This is for teams.')
const USER_ONLY = words('This is for users.')
const onlyUsers = ({ kind }: PeoplePageRow) => (kind === 'user' ? undefined : USER_ONLY)
const onlyTeams = ({ kind }: PeoplePageRow) => (kind === 'team' ? undefined : TEAM_ONLY)

const isEnabled = (row: PeoplePageRow) => row.kind === 'user' && row.user.status === USER_STATUS.enabled
const isAdmin = (row: PeoplePageRow) => row.kind === 'user' && row.user.role >= USER_ROLE.admin

const about = (template: Words, row: PeoplePageRow): Words => fillTemplate(template, { name: getName(row) })

const loadMembers = async ({ client }: UiPagePorts, { team }: TeamRow) =>
  (await client.teams.get({ id: team.id })).members

const TEAM_NAME: FormQuestion = {
  name: 'name',
  label: words('Name'),
  kind: 'text',
  check: refuseEmptyText,
}

const money: readonly UiAction<PeoplePageRow>[] = [
  {
    key: 'a',
    name: words('top up'),
    form: ({ kind }) => [
      buildAmountQuestion({ name: 'amount', label: words('Amount'), kind: 'text' }, 'Amount', undefined),
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
        ? ['users', 'topup', ...formatFlagWords(listGivenAnswers({ reason })), '--', getId(row), amount]
        : ['teams', 'topup', '--grant', '--', getId(row), amount],
  },
  {
    key: 'l',
    name: words('ledger'),
    command: (row) => (row.kind === 'user' ? ['ledger', 'show', getId(row)] : ['ledger', 'show', '--team', getId(row)]),
  },
]

const ofUsers: readonly UiAction<PeoplePageRow>[] = [
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
    form: () => [passwordFieldQuestion],
    sure: (row) => about(words('Give “{name}” a new password? Their sessions and access tokens end.'), row),
    command: (row, answers) => ['users', 'password', ...formatFlagWords(listGivenAnswers(answers)), getId(row)],
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
    form: () => buildNewUserQuestions({}),
    sure: (_, { username = '' }) => fillTemplate(words('Make an account for “{username}”?'), { username }),
    command: (_, { username = '', ...answers }) => [
      'users',
      'create',
      ...formatFlagWords(listGivenAnswers(answers)),
      '--',
      username,
    ],
  },
]

const ofTeams: readonly UiAction<PeoplePageRow>[] = [
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
      buildQuestion(memberForm, 'username', { check: refuseEmptyText }),
      {
        ...buildQuestion(memberForm, 'role'),
        kind: 'choice',
        choices: TEAM_ROLES.map((value): FormChoice => ({
          value,
          label: teamMemberView.role?.names?.[value] ?? asUntranslatedText(value),
        })).toReversed(),
      },
      ...(['day', 'month'] as const).map((span): FormQuestion => ({
        ...buildAmountQuestion(
          buildQuestion(memberForm, `budget_${span}`),
          `--budget-${span}`,
          words('dollars (5usd) or quota units; 0 for no limit; empty: stays'),
        ),
      })),
    ],
    sure: (row, { username = '', role = '' }) =>
      fillTemplate(words('Make “{username}” {role} of team “{team}”, with these limits?'), {
        username,
        role: teamMemberView.role?.names?.[role] ?? role,
        team: getName(row),
      }),
    command: (row, { username = '', ...answers }) => [
      ...['teams', 'member', ...formatFlagWords(listGivenAnswers(answers)), '--', getId(row)],
      username,
    ],
  },
  {
    key: 'u',
    name: words('remove a member'),
    unless: onlyTeams,
    form: async (row, ports) => {
      const members = row.kind === 'team' ? await loadMembers(ports, row) : []
      const choices = members.map(({ user_id, username }) => ({
        value: String(user_id),
        label: asUntranslatedText(username),
      }))
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

const common: readonly UiAction<PeoplePageRow>[] = [
  {
    key: 'e',
    name: words('edit'),
    edits: true,
    form: (row, { money }) =>
      row.kind === 'team' ? [{ ...TEAM_NAME, initial: row.team.name }] : buildUserQuestions(row.user, money),
    sure: (row) => about(words('Save the changes of “{name}”?'), row),
    command: (row, { name = '' }, changed) =>
      row.kind === 'user'
        ? appendFlags(['users', 'edit', getId(row)], formatUserFlags(changed))
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

export const peoplePage = declareUiPage<PeoplePageRow>({
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
      listVisibleTeams(client, { p: 1, page_size: PAGE_SIZE }),
    ])
    const found = teams.items.filter(({ id, name }) => matchesFilter(filter, id, name))
    const rows: PeoplePageRow[] = [
      ...found.map((team): PeoplePageRow => ({ kind: 'team', team })),
      ...users.items.map((user): PeoplePageRow => ({ kind: 'user', user })),
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
  async opened(ports, row): Promise<OpenedDetails> {
    if (row.kind === 'user') return []
    const { language, money: shown } = ports
    const parts = ['role', 'used_day', 'budget_day', 'used_month', 'budget_month'] as const
    return (await loadMembers(ports, row)).map((member) => [
      asUntranslatedText(member.username),
      parts
        .map(
          (name) =>
            `${teamMemberView[name]!.title[language]} ${formatShownValue(teamMemberView[name]!, member, { language, money: shown })}`,
        )
        .join('  '),
    ])
  },
})
