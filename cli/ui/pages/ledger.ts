// The books: movements of an account, and the proof of all of them.
import { words } from '../../../core/errors.ts'
import type { StatementEntry } from '../../../core/quota/contract.ts'
import { exactQuotaText } from '../../format.ts'
import { needUserId } from '../../nouns/user.ts'
import { count, money, text, time, type View } from '../../view.ts'
import { uiPage } from '../page.ts'

const MOST = 100

const view: View<StatementEntry> = {
  entry: count(words('ENTRY', '条目'), 3, ({ id }) => id),
  date: time(words('DATE', '日期'), 1, (entry) => entry.created_at),
  kind: text(words('KIND', '类别'), 2, ({ kind }) => kind),
  what: text(words('WHAT', '说明'), 2, whatOf, { flexible: true }),
  amount: money(words('AMOUNT', '金额'), 1, ({ amount }) => amount, {
    shown: ({ amount }, { money: shown }) => `${amount > 0 ? '+' : ''}${exactQuotaText(amount, shown)}`,
    tone: ({ amount }) => (amount > 0 ? 'good' : 'plain'),
  }),
  balance: money(words('BALANCE', '余额'), 1, (entry) => entry.balance_after, {
    shown: (entry, { money: shown }) => exactQuotaText(entry.balance_after, shown),
    tone: () => 'strong',
  }),
  request: text(words('REQUEST', '请求编号'), 0, (entry) => entry.request_id),
}

function whatOf({ model_name, request_id, reference, by_username }: StatementEntry): string {
  return [model_name, request_id, reference, by_username].filter(Boolean).join(' ')
}

export const ledger = uiPage<StatementEntry>({
  name: 'ledger',
  title: words('Ledger', '账本'),
  view,
  every_ms: 5000,
  async load({ client }, filter) {
    const asked = { p: 1, page_size: MOST }
    const page =
      filter === ''
        ? await client.quota.entriesSelf(asked)
        : await client.quota.entries({ ...asked, account_id: await needUserId(client, filter) })
    const { account_name, account_kind, account_id, items, total } = page
    const note = words(
      `${account_name} (${account_kind} ${account_id}); filter by a username for another account, v proves the books`,
      `${account_name}（${account_kind} ${account_id}）；以用户名筛选可看其他账户，v 核对账本`,
    )
    return { rows: items, total, note }
  },
  actions: [
    {
      key: 'v',
      name: words('verify', '核对'),
      sure: () => words('Prove all balances and chains of entries?', '核对所有余额与条目链？'),
      async run({ client }) {
        const { ok, accounts, entries, faults } = await client.quota.verify({})
        return ok
          ? words(
              `The ledger holds: ${accounts} accounts, ${entries} entries.`,
              `账本无误：${accounts} 个账户，${entries} 条记录。`,
            )
          : words(
              `The ledger does NOT hold: ${faults.length} faults, see \`weir ledger verify\`.`,
              `账本有误：${faults.length} 处，见 \`weir ledger verify\`。`,
            )
      },
    },
  ],
  copied: ({ request_id, id }) => request_id ?? String(id),
})
