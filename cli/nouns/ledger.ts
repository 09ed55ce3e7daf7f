// Display of the ledger: movements of a balance, and the faults found.
import type { WeirClient } from '../../core/contracts.ts'
import type { QuotaFault, StatementEntry } from '../../core/quota/contract.ts'
import type { StatementLine } from '../../core/quota/ledger-entry.ts'
import { words, type Language } from '../../core/errors.ts'
import { exactQuotaText } from '../format.ts'
import { count, flag, money, object, text, time, word, type View, type ViewField } from '../view.ts'

export type Line = StatementLine<StatementEntry>

const KINDS = {
  charge: words('charge', '扣费'),
  setup: words('setup', '初始额度'),
  gift: words('gift', '赠送'),
  adjustment: words('adjustment', '调整'),
  redemption: words('redemption', '兑换'),
  topup: words('topup', '充值'),
  invitation: words('invitation', '邀请奖励'),
  transfer: words('transfer', '划转'),
  refund: words('refund', '退款'),
  opening: words('opening balance', '期初余额'),
}

/** Describes an entry: the model and request of a charge; otherwise the cause and the author. */
function describeEntry(
  { model_name, request_id, reference, reason, by_username, by_user_id }: Line,
  language: Language,
): string {
  const who = by_username || (language === 'zh' ? `用户 ${by_user_id}` : `user ${by_user_id}`)
  const by = by_user_id === null ? '' : language === 'zh' ? `由 ${who}` : `by ${who}`
  return [model_name, request_id ?? '', reference ?? '', by, reason].filter((part) => part !== '').join(' ')
}

export const lineView: View<Line> = {
  id: count(words('ENTRY', '条目'), 3, ({ id }) => id, { tone: () => 'faint' }),
  time: time(words('DATE', '日期'), 1, (line) => line.created_at),
  kind: word(words('KIND', '类别'), 2, KINDS, ({ kind }) => kind),
  what: text(words('WHAT', '说明'), 2, (line) => describeEntry(line, 'en'), {
    flexible: true,
    shown: (line, { language }) => describeEntry(line, language),
  }),
  amount: money(words('AMOUNT', '金额'), 1, ({ amount }) => amount, {
    shown: ({ amount }, how) => `${amount > 0 ? '+' : ''}${exactQuotaText(amount, how.money)}`,
    tone: ({ amount }) => (amount > 0 ? 'good' : 'plain'),
  }),
  balance: money(words('BALANCE', '余额'), 1, ({ balance }) => balance, {
    shown: ({ balance }, how) => exactQuotaText(balance, how.money),
    tone: ({ agrees }) => (agrees ? 'strong' : 'bad'),
  }),
  recorded_balance: money(words('RECORDED BALANCE', '记录的余额'), 0, (line) => line.balance_after),
  agrees: flag(words('AGREES', '一致'), 0, ({ agrees }) => agrees),
  model: text(words('MODEL', '模型'), 0, (line) => line.model_name || null),
  request_id: text(words('REQUEST', '请求编号'), 0, (line) => line.request_id),
  reference: text(words('REFERENCE', '凭据'), 0, ({ reference }) => reference),
  by: text(words('BY', '操作者'), 0, (line) => line.by_username || null),
  reason: text(words('REASON', '原因'), 0, (line) => line.reason || null),
  by_user_id: count(words('BY ID', '操作者编号'), 0, (line) => line.by_user_id),
  token_id: count(words('TOKEN ID', '令牌编号'), 0, (line) => line.token_id),
  receipt: text(words('RECEIPT', '回执'), 0, (line) => line.hold_id),
  cost: money(words('COST', '成本'), 0, ({ cost }) => cost),
  hash: text(words('HASH', '哈希'), 0, ({ hash }) => hash),
}

/** A statement; `entries` is the form for programs. */
export interface ShownStatement {
  account_id: number
  account_kind: string
  account_name: string
  total: number
  opening_balance: number
  closing_balance: number
  credited: number
  debited: number
  from: number
  to: number
  entries: readonly Record<string, unknown>[]
}

export const statementView: View<ShownStatement> = {
  account_id: count(words('ACCOUNT', '账户'), 1, (row) => row.account_id),
  account_kind: text(words('OF', '账户类型'), 1, (row) => row.account_kind),
  account_name: text(words('NAME', '名称'), 1, (row) => row.account_name),
  from: time(words('FROM', '开始时间'), 1, ({ from }) => from),
  to: time(words('TO', '结束时间'), 1, ({ to }) => to),
  opening_balance: money(words('OPENING BALANCE', '期初余额'), 1, (row) => row.opening_balance),
  credited: money(words('CREDITED', '入账'), 1, ({ credited }) => credited),
  debited: money(words('DEBITED', '出账'), 1, ({ debited }) => debited),
  closing_balance: money(words('CLOSING BALANCE', '期末余额'), 1, (row) => row.closing_balance),
  total: count(words('MOVEMENTS', '变动数'), 1, ({ total }) => total),
  entries: object(words('ENTRIES', '条目'), ({ entries }) => entries),
}

export type Proof = Awaited<ReturnType<WeirClient['quota']['verify']>>

export const proofView: View<Proof> = {
  ok: flag(words('HOLDS', '无误'), 1, ({ ok }) => ok),
  accounts: count(words('ACCOUNTS', '账户'), 1, ({ accounts }) => accounts),
  entries: count(words('ENTRIES', '条目'), 1, ({ entries }) => entries),
  open_holds: count(words('OPEN HOLDS', '未结预扣'), 1, (proof) => proof.open_holds),
  chain: object(words('KEYS OF THE CHAIN', '链的密钥'), ({ chain }) => chain),
  faults: object(words('FAULTS', '错误'), ({ faults }) => faults),
  below_zero: object(words('BELOW ZERO', '余额为负'), (proof) => proof.below_zero),
}

const FAULTS: Record<QuotaFault['kind'], ReturnType<typeof words>> = {
  balance: words('balance', '余额'),
  inexact: words('inexact', '数值过大'),
  held: words('held', '预扣'),
  token_held: words('token held', '令牌预扣'),
  charged_hold: words('charged hold', '已扣费的预扣'),
  orphaned_hold: words('orphaned hold', '无主的预扣'),
  chain: words('chain', '链'),
  chain_end: words('chain end', '链尾'),
  chain_ground: words('chain ground', '链的起点'),
  running_balance: words('running balance', '逐笔余额'),
}

/** Declares a field of quota units, or of hashes, shown by their first characters. */
const unitsOrHash = (
  title: ReturnType<typeof words>,
  of: (fault: QuotaFault) => number | string,
): ViewField<QuotaFault> => ({
  ...object(title, of),
  rank: 1,
  shown: (fault) => String(of(fault)).slice(0, typeof of(fault) === 'number' ? undefined : 12),
})

export const faultView: View<QuotaFault> = {
  kind: word(words('FAULT', '错误'), 1, FAULTS, ({ kind }) => kind, { tone: () => 'bad' }),
  account_id: count(words('ACCOUNT', '账户'), 1, (fault) => fault.account_id),
  where: text(words('WHERE', '位置'), 1, (fault) => describePlace(fault, 'en'), {
    flexible: true,
    shown: (fault, { language }) => describePlace(fault, language),
  }),
  entry_id: count(words('ENTRY', '条目'), 0, (fault) => fault.entry_id),
  hold_id: text(words('HOLD', '预扣'), 0, (fault) => fault.hold_id),
  token_id: count(words('TOKEN', '令牌'), 0, (fault) => fault.token_id),
  expected: unitsOrHash(words('EXPECTED', '应为'), ({ expected }) => expected),
  found: unitsOrHash(words('FOUND', '实为'), ({ found }) => found),
}

function describePlace({ entry_id, token_id, hold_id }: QuotaFault, language: Language): string {
  const [entry, hold, token, account] =
    language === 'zh' ? ['条目', '预扣', '令牌', '账户'] : ['entry', 'hold', 'token', 'account']
  if (entry_id !== null) return `${entry} ${entry_id}`
  if (hold_id !== null) return `${hold} ${hold_id}`
  return token_id === null ? account! : `${token} ${token_id}`
}
