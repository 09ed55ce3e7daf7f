// The ledger: movements of an account, and its verification.
import { fillTemplate } from '../../../core/errors.ts'
import type { WeirClient } from '../../../core/contracts.ts'
import { buildStatement } from '../../../core/quota/ledger-entry.ts'
import { formatAccount, ledgerLineView, type LedgerLine } from '../../nouns/ledger.ts'
import { needTeamId } from '../../nouns/team.ts'
import { words } from '../../texts.ts'
import { needUserId } from '../../nouns/user.ts'
import { declareUiPage } from '../page.ts'
import { lookAtCall } from './calls.ts'

const PAGE_SIZE = 100
const OF_TEAM = /^team:(.+)/

/** Returns the account of the user, or of the team after `team:`. */
const accountId = (weir: WeirClient, name: string): Promise<number> => {
  const team = OF_TEAM.exec(name)?.[1]
  return team === undefined ? needUserId(weir, name) : needTeamId(weir, team)
}

export const ledgerPage = declareUiPage<LedgerLine>({
  name: 'ledger',
  title: words('Ledger'),
  view: ledgerLineView,
  empty: words('No movements yet.'),
  every_ms: 5000,
  async load({ client }, filter) {
    const query = { p: 1, page_size: PAGE_SIZE }
    const page =
      filter === ''
        ? await client.quota.entriesSelf(query)
        : await client.quota.entries({ ...query, account_id: await accountId(client, filter) })
    const { items, total } = page
    const entries = items.toSorted((one, other) => one.id - other.id)
    const [oldest] = entries
    const opening = oldest ? oldest.balance_after - oldest.amount : 0
    const note = fillTemplate(words('{account}; filter by USERNAME or team:NAME for another account'), {
      account: formatAccount(page),
    })
    return { rows: buildStatement(opening, entries).lines.reverse(), total, note }
  },
  actions: [
    {
      key: 'v',
      name: words('verify'),
      rowless: true,
      detailed: true,
      sure: () => words('Verify all balances and chains of entries?'),
      command: () => ['ledger', 'verify'],
    },
    ...lookAtCall,
    {
      key: 'p',
      name: words('checkpoint'),
      rowless: true,
      detailed: true,
      sure: () => words('Sign the current totals of the ledger, to store them elsewhere?'),
      command: () => ['ledger', 'checkpoint'],
    },
  ],
  id: ({ id }) => id,
  copied: ({ request_id, id }) => request_id ?? String(id),
})
