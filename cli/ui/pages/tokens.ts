// The caller's tokens, or with `user:NAME` those of another user: limits and expiry.
import { fillTemplate } from '../../../core/errors.ts'
import { TOKEN_STATUS, type Token } from '../../../core/tokens/token.ts'
import { words } from '../../texts.ts'
import { buildTokenQuestions, formatTokenFlags, newTokenQuestions } from '../../nouns/token-form.ts'
import { tokenRowView } from '../../nouns/token.ts'
import { needUserId } from '../../nouns/user.ts'
import { listEveryRow } from '../../output/paging.ts'
import { within, type OutputView } from '../../output/view.ts'
import { appendFlags, formatFlagWords, listGivenAnswers, matchesFilter, declareUiPage } from '../page.ts'

const PAGE_SIZE = 100

interface TokenPageRow {
  token: Token
  /** Owner, if it is another user. */
  user?: string
}

const view: OutputView<TokenPageRow> = Object.fromEntries(
  Object.entries(tokenRowView).map(([name, field]) => [name, within(field, ({ token }: TokenPageRow) => token)]),
)

/** `user:NAME` in a filter. */
const OF_USER = /(?:^|\s)user:(\S+)/

const toWords = ({ token, user }: TokenPageRow) => [...(user === undefined ? [] : [`--user=${user}`]), String(token.id)]
const isOn = ({ token }: TokenPageRow) => token.status === TOKEN_STATUS.enabled
const OTHERS = words('Tokens of others can be switched and deleted, not changed.')
const ownOnly = ({ user }: TokenPageRow) => (user === undefined ? undefined : OTHERS)

export const tokensPage = declareUiPage<TokenPageRow>({
  name: 'tokens',
  title: words('Tokens'),
  view,
  empty: words('No tokens yet: n makes one.'),
  every_ms: 5000,
  async load({ client }, filter) {
    const user = OF_USER.exec(filter)?.[1]
    const rest = filter.replace(OF_USER, '').trim()
    const user_id = user === undefined ? undefined : await needUserId(client, user)
    const found = await listEveryRow((cursor) =>
      user_id === undefined
        ? client.tokens.list({ cursor, size: PAGE_SIZE })
        : client.tokens.ofUser({ user_id, cursor, size: PAGE_SIZE }),
    )
    const rows = found
      .filter(({ id, name, group }) => matchesFilter(rest, id, name, group))
      .map((token): TokenPageRow => ({ token, ...(user_id === undefined ? {} : { user: String(user_id) }) }))
    const note =
      user === undefined
        ? words('Own tokens; filter by user:NAME for those of others')
        : fillTemplate(words('Tokens of {user}'), { user })
    return { rows, total: rows.length, note }
  },
  actions: [
    {
      key: 'd',
      name: words('disable/enable'),
      sure: (row) =>
        isOn(row)
          ? fillTemplate(words('Disable the token “{name}”? Calls with its key are refused.'), { name: row.token.name })
          : fillTemplate(words('Enable the token “{name}”?'), { name: row.token.name }),
      command: (row) => ['tokens', isOn(row) ? 'disable' : 'enable', ...toWords(row)],
    },
    {
      key: 'e',
      name: words('edit'),
      unless: ownOnly,
      edits: true,
      form: ({ token }, { money }) => buildTokenQuestions(token, money),
      sure: ({ token: { name } }) => fillTemplate(words('Save the changes of “{name}”?'), { name }),
      command: (row, _, changed) => appendFlags(['tokens', 'edit', ...toWords(row)], formatTokenFlags(changed)),
    },
    {
      key: 'n',
      name: words('new'),
      rowless: true,
      detailed: true,
      form: () => newTokenQuestions,
      sure: (_, { name = '' }) => fillTemplate(words('Make the token “{name}”?'), { name }),
      command: (_, answers) => ['tokens', 'add', ...formatFlagWords(listGivenAnswers(answers))],
    },
    {
      key: 'v',
      name: words('lines for clients, with the key'),
      unless: ownOnly,
      command: ({ token }) => ['tokens', 'env', String(token.id)],
    },
    {
      key: 'x',
      name: words('delete'),
      sure: ({ token: { name } }) =>
        fillTemplate(words('Delete the token “{name}”? Calls with its key will be refused.'), { name }),
      command: (row) => ['tokens', 'rm', '--yes', ...toWords(row)],
    },
  ],
  id: ({ token }) => token.id,
  copied: ({ token: { name } }) => name,
})
