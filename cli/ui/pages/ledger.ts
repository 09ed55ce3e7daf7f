// The ledger: movements of an account, and its verification.
import type { WeirClient } from '../../../core/contracts.ts'
import { words } from '../../../core/errors.ts'
import { buildStatement } from '../../../core/quota/ledger-entry.ts'
import { lineView, type Line } from '../../nouns/ledger.ts'
import { needTeamId } from '../../nouns/team.ts'
import { needUserId } from '../../nouns/user.ts'
import { uiPage } from '../page.ts'
import { lookAtCall } from './calls.ts'

const PAGE_SIZE = 100
const OF_TEAM = /^team:(.+)/

/** Returns the account of the user, or of the team after `team:`. */
const accountId = (weir: WeirClient, name: string): Promise<number> => {
  const team = OF_TEAM.exec(name)?.[1]
  return team === undefined ? needUserId(weir, name) : needTeamId(weir, team)
}

export const ledger = uiPage<Line>({
  name: 'ledger',
  title: words('Ledger', '账本'),
  view: lineView,
  empty: words('No movements yet.', '还没有变动。'),
  every_ms: 5000,
  async load({ client }, filter) {
    const query = { p: 1, page_size: PAGE_SIZE }
    const page =
      filter === ''
        ? await client.quota.entriesSelf(query)
        : await client.quota.entries({ ...query, account_id: await accountId(client, filter) })
    const { account_name, account_kind, account_id, items, total } = page
    const entries = items.toSorted((one, other) => one.id - other.id)
    const [oldest] = entries
    const opening = oldest ? oldest.balance_after - oldest.amount : 0
    const note = words(
      `${account_name} (${account_kind} ${account_id}); filter by USERNAME or team:NAME for another account`,
      `${account_name}（${account_kind === 'team' ? '团队' : '用户'} ${account_id}）；以 用户名 或 team:团队名 筛选可看其他账户`,
    )
    return { rows: buildStatement(opening, entries).lines.reverse(), total, note }
  },
  actions: [
    {
      key: 'v',
      name: words('verify', '核对'),
      rowless: true,
      sure: () => words('Prove all balances and chains of entries?', '核对所有余额与条目链？'),
      command: () => ['ledger', 'verify'],
    },
    ...lookAtCall,
    {
      key: 'p',
      name: words('checkpoint', '检查点'),
      rowless: true,
      sure: () =>
        words('Sign the current totals of the ledger, to be kept elsewhere?', '签署账本当前的合计，以便另行保存？'),
      command: () => ['ledger', 'checkpoint'],
    },
  ],
  id: ({ id }) => id,
  copied: ({ request_id, id }) => request_id ?? String(id),
})
