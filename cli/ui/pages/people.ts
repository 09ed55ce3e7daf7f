// People and teams: whose accounts there are, and what is on them.
import { words } from '../../../core/errors.ts'
import type { Team } from '../../../core/teams/team.ts'
import { USER_STATUS, type User } from '../../../core/users/user.ts'
import { amountFlag } from '../../amount.ts'
import { quotaText } from '../../format.ts'
import { STATES, stateTone } from '../../nouns/states.data.ts'
import { amountQuestion } from '../../nouns/questions.ts'
import { stateOf, userView } from '../../nouns/user.ts'
import type { Question } from '../../parts/form-state.ts'
import { count, money, text, word, type View } from '../../view.ts'
import { matches, uiPage, type UiAction } from '../page.ts'
import { teamsOf } from '../../nouns/team.ts'

const MOST = 100

type Row = { kind: 'user'; user: User } | { kind: 'team'; team: Team }

const account = (row: Row) => (row.kind === 'user' ? row.user : row.team)
const nameOf = (row: Row) => (row.kind === 'user' ? row.user.username : row.team.name)
const KINDS = { user: words('user', '用户'), team: words('team', '团队') }

const view: View<Row> = {
  id: count(words('ID', '编号'), 1, (row) => account(row).id),
  kind: word(words('KIND', '类别'), 3, KINDS, ({ kind }) => kind),
  name: text(words('NAME', '名称'), 1, nameOf, { flexible: true, tone: () => 'strong' }),
  role: word(words('ROLE', '角色'), 4, userView.role?.names ?? {}, (row) =>
    row.kind === 'user' ? String(userView.role?.of(row.user)) : null,
  ),
  status: word(words('STATUS', '状态'), 2, STATES, (row) => (row.kind === 'user' ? stateOf(row.user) : null), {
    tone: (row) => (row.kind === 'user' ? stateTone(stateOf(row.user)) : 'plain'),
  }),
  group: text(words('GROUP', '分组'), 4, (row) => (row.kind === 'user' ? row.user.group : null), { flexible: true }),
  quota: money(words('BALANCE', '余额'), 1, (row) => account(row).quota),
  used: money(words('USED', '已用'), 2, (row) => account(row).used_quota),
  calls: count(words('CALLS', '调用次数'), 3, (row) => account(row).request_count),
  email: text(words('E-MAIL', '邮箱'), 0, (row) => (row.kind === 'user' ? row.user.email : null)),
}

const amountQuestions = (): readonly Question[] => [
  amountQuestion({ name: 'amount', label: words('Amount', '金额'), kind: 'text' }, 'Amount'),
  { name: 'reason', label: words('Reason', '原因'), kind: 'text', hint: words('stands in the log', '记入日志') },
]

const topUp: UiAction<Row> = {
  key: 'a',
  name: words('top up', '充值'),
  form: amountQuestions,
  sure: (row, { amount = '' }) =>
    words(`Add ${amount} to the balance of “${nameOf(row)}”?`, `为“${nameOf(row)}”增加 ${amount}？`),
  async run({ client, money: shown }, row, { amount = '', reason = '' }) {
    const units = amountFlag('Amount', amount)(shown)
    const before = account(row).quota
    if (row.kind === 'user') {
      await client.users.update({ id: row.user.id, quota: before + units, quota_before: before, reason })
    } else await client.teams.adjust({ id: row.team.id, amount: units })
    const now = quotaText(before + units, shown)
    return words(`“${nameOf(row)}” has ${now}.`, `“${nameOf(row)}”的余额为 ${now}。`)
  },
}

const disable: UiAction<Row> = {
  key: 'd',
  name: words('disable/enable', '禁用/启用'),
  unless: ({ kind }) =>
    kind === 'team'
      ? words('A team cannot be disabled: remove its members.', '团队不能禁用：请移除其成员。')
      : undefined,
  sure: (row) =>
    row.kind === 'user' && row.user.status === USER_STATUS.enabled
      ? words(`Disable “${nameOf(row)}”? Their tokens are refused.`, `禁用“${nameOf(row)}”？其令牌将被拒绝。`)
      : words(`Enable “${nameOf(row)}”?`, `启用“${nameOf(row)}”？`),
  async run({ client }, row) {
    if (row.kind === 'team') return words('Nothing was changed.', '没有更改。')
    const on = row.user.status !== USER_STATUS.enabled
    await client.users.manage({ id: row.user.id, action: on ? 'enable' : 'disable' })
    return on
      ? words(`“${nameOf(row)}” is enabled.`, `“${nameOf(row)}”已启用。`)
      : words(`“${nameOf(row)}” is disabled.`, `“${nameOf(row)}”已禁用。`)
  },
}

const edit: UiAction<Row> = {
  key: 'e',
  name: words('edit', '编辑'),
  form: (row) =>
    row.kind === 'team'
      ? [{ name: 'name', label: words('Name', '名称'), kind: 'text', initial: row.team.name }]
      : [
          {
            name: 'display_name',
            label: words('Display name', '显示名称'),
            kind: 'text',
            initial: row.user.display_name,
          },
          { name: 'group', label: words('Group', '分组'), kind: 'text', initial: row.user.group },
        ],
  sure: (row) => words(`Save the changes of “${nameOf(row)}”?`, `保存对“${nameOf(row)}”的更改？`),
  async run({ client }, row, answers) {
    if (row.kind === 'team') await client.teams.update({ id: row.team.id, name: answers.name ?? row.team.name })
    else await client.users.update({ id: row.user.id, display_name: answers.display_name, group: answers.group })
    return words(`Changed “${nameOf(row)}”.`, `已更改“${nameOf(row)}”。`)
  },
}

export const people = uiPage<Row>({
  name: 'users',
  title: words('Users', '用户'),
  view,
  every_ms: 5000,
  async load({ client }, filter) {
    const [users, teams] = await Promise.all([
      filter === ''
        ? client.users.list({ page_size: MOST })
        : client.users.search({ keyword: filter, page_size: MOST }),
      teamsOf(client, { p: 1, page_size: MOST }),
    ])
    const found = teams.items.filter(({ id, name }) => matches(filter, id, name))
    const rows: Row[] = [
      ...found.map((team): Row => ({ kind: 'team', team })),
      ...users.items.map((user): Row => ({ kind: 'user', user })),
    ]
    return { rows, total: users.total + found.length }
  },
  actions: [topUp, disable, edit],
  copied: nameOf,
})
