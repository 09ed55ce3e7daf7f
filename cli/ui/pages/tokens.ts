// The caller's tokens, or with `user:NAME` those of another user: limits and expiry.
import { words } from '../../../core/errors.ts'
import { TOKEN_STATUS, type Token } from '../../../core/tokens/token.ts'
import { tokenQuestions } from '../../nouns/token-form.ts'
import { tokenView } from '../../nouns/token.ts'
import { needUserId } from '../../nouns/user.ts'
import { everyRow } from '../../paging.ts'
import { within, type View } from '../../view.ts'
import { editing, flags, givenOf, matches, uiPage } from '../page.ts'

const PAGE_SIZE = 100

interface Row {
  token: Token
  /** Owner, if it is another user. */
  user?: string
}

const view: View<Row> = Object.fromEntries(
  Object.entries(tokenView).map(([name, field]) => [name, within(field, ({ token }: Row) => token)]),
)

/** `user:NAME` in a filter. */
const OF_USER = /(?:^|\s)user:(\S+)/

const toWords = ({ token, user }: Row) => [...(user === undefined ? [] : [`--user=${user}`]), String(token.id)]
const isOn = ({ token }: Row) => token.status === TOKEN_STATUS.enabled
const OTHERS = words(
  'Tokens of others can be switched and deleted, not changed.',
  '他人的令牌只能启停或删除，不能修改。',
)
const ownOnly = ({ user }: Row) => (user === undefined ? undefined : OTHERS)

export const tokens = uiPage<Row>({
  name: 'tokens',
  title: words('Tokens', '令牌'),
  view,
  empty: words('No tokens yet: n makes one.', '还没有令牌：按 n 创建。'),
  every_ms: 5000,
  async load({ client }, filter) {
    const user = OF_USER.exec(filter)?.[1]
    const rest = filter.replace(OF_USER, '').trim()
    const user_id = user === undefined ? undefined : await needUserId(client, user)
    const found = await everyRow((cursor) =>
      user_id === undefined
        ? client.tokens.list({ cursor, size: PAGE_SIZE })
        : client.tokens.ofUser({ user_id, cursor, size: PAGE_SIZE }),
    )
    const rows = found
      .filter(({ id, name, group }) => matches(rest, id, name, group))
      .map((token): Row => ({ token, ...(user_id === undefined ? {} : { user: String(user_id) }) }))
    const note =
      user === undefined
        ? words('Own tokens; filter by user:NAME for those of others', '自己的令牌；以 user:用户名 筛选可看他人的')
        : words(`Tokens of ${user}`, `${user} 的令牌`)
    return { rows, total: rows.length, note }
  },
  actions: [
    {
      key: 'd',
      name: words('disable/enable', '禁用/启用'),
      sure: (row) =>
        isOn(row)
          ? words(
              `Disable the token “${row.token.name}”? Calls with its key are refused.`,
              `禁用令牌“${row.token.name}”？使用其密钥的调用将被拒绝。`,
            )
          : words(`Enable the token “${row.token.name}”?`, `启用令牌“${row.token.name}”？`),
      command: (row) => ['tokens', isOn(row) ? 'disable' : 'enable', ...toWords(row)],
    },
    {
      key: 'e',
      name: words('edit', '编辑'),
      unless: ownOnly,
      form: ({ token }) => tokenQuestions(token),
      sure: ({ token: { name } }) => words(`Save the changes of “${name}”?`, `保存对“${name}”的更改？`),
      command: (row, _, changed) => editing(['tokens', 'edit', ...toWords(row)], changed),
    },
    {
      key: 'n',
      name: words('new', '新建'),
      rowless: true,
      form: () => tokenQuestions(),
      sure: (_, { name = '' }) => words(`Make the token “${name}”?`, `创建令牌“${name}”？`),
      command: (_, answers) => ['tokens', 'add', ...flags(givenOf(answers))],
    },
    {
      key: 'v',
      name: words('lines for clients, with the key', '客户端配置（含密钥）'),
      unless: ownOnly,
      command: ({ token }) => ['tokens', 'env', String(token.id)],
    },
    {
      key: 'x',
      name: words('delete', '删除'),
      sure: ({ token: { name } }) =>
        words(
          `Delete the token “${name}”? Calls with its key are refused from then on.`,
          `删除令牌“${name}”？此后使用其密钥的调用将被拒绝。`,
        ),
      command: (row) => ['tokens', 'rm', '--yes', ...toWords(row)],
    },
  ],
  id: ({ token }) => token.id,
  copied: ({ token: { name } }) => name,
})
