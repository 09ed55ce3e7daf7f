// Display of the ledger: movements of a balance, and the faults found.
import type { WeirClient } from '../../core/contracts.ts'
import type { QuotaFault, StatementEntry } from '../../core/quota/contract.ts'
import type { StatementLine } from '../../core/quota/ledger-entry.ts'
import { fillTemplate, type Language, type Words } from '../../core/errors.ts'
import { formatExactQuota } from '../output/format.ts'
import { words } from '../texts.ts'
import { count, flag, money, object, text, time, word, type OutputView, type ViewField } from '../output/view.ts'

export type LedgerLine = StatementLine<StatementEntry>

const KINDS = {
  charge: words('charge'),
  setup: words('setup'),
  gift: words('gift'),
  adjustment: words('adjustment'),
  redemption: words('redemption'),
  topup: words('topup'),
  invitation: words('invitation'),
  transfer: words('transfer'),
  refund: words('refund'),
  opening: words('opening balance'),
}

/** Names an account: `ada (user 7)`. */
export const formatAccount = ({ account_name: name, account_kind: kind, account_id: id }: NamedAccount): Words =>
  fillTemplate(kind === 'team' ? words('{name} (team {id})') : words('{name} (user {id})'), { name, id })

interface NamedAccount {
  account_name: string
  account_kind: string
  account_id: number
}

/** Describes an entry: the model and request of a charge; otherwise the cause and the author. */
function describeEntry(
  { model_name, request_id, reference, reason, by_username, by_user_id }: LedgerLine,
  language: Language,
): string {
  const who = by_username || fillTemplate(words('user {id}'), { id: by_user_id ?? '' })
  const by = by_user_id === null ? '' : fillTemplate(words('by {who}'), { who })[language]
  return [model_name, request_id ?? '', reference ?? '', by, reason].filter((part) => part !== '').join(' ')
}

export const ledgerLineView: OutputView<LedgerLine> = {
  id: count(words('ENTRY'), 3, ({ id }) => id, { tone: () => 'faint' }),
  time: time(words('DATE'), 1, (line) => line.created_at),
  kind: word(words('KIND'), 2, KINDS, ({ kind }) => kind),
  what: text(words('WHAT', { context: 'ledger' }), 2, (line) => describeEntry(line, 'en'), {
    flexible: true,
    shown: (line, { language }) => describeEntry(line, language),
  }),
  amount: money(words('AMOUNT'), 1, ({ amount }) => amount, {
    shown: ({ amount }, how) => `${amount > 0 ? '+' : ''}${formatExactQuota(amount, how.money)}`,
    tone: ({ amount }) => (amount > 0 ? 'good' : 'plain'),
  }),
  balance: money(words('BALANCE'), 1, ({ balance }) => balance, {
    shown: ({ balance }, how) => formatExactQuota(balance, how.money),
    tone: ({ agrees }) => (agrees ? 'strong' : 'bad'),
  }),
  recorded_balance: money(words('RECORDED BALANCE'), 0, (line) => line.balance_after),
  agrees: flag(words('AGREES'), 0, ({ agrees }) => agrees),
  model: text(words('MODEL'), 0, (line) => line.model_name || null),
  request_id: text(words('REQUEST'), 0, (line) => line.request_id),
  reference: text(words('REFERENCE'), 0, ({ reference }) => reference),
  by: text(words('BY'), 0, (line) => line.by_username || null),
  reason: text(words('REASON'), 0, (line) => line.reason || null),
  by_user_id: count(words('BY ID'), 0, (line) => line.by_user_id),
  token_id: count(words('TOKEN ID'), 0, (line) => line.token_id),
  receipt: text(words('RECEIPT'), 0, (line) => line.hold_id),
  cost: money(words('COST'), 0, ({ cost }) => cost),
  hash: text(words('HASH'), 0, ({ hash }) => hash),
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

export const accountStatementView: OutputView<ShownStatement> = {
  account_id: count(words('ACCOUNT'), 1, (row) => row.account_id),
  account_kind: text(words('OF', { context: 'account' }), 1, (row) => row.account_kind),
  account_name: text(words('NAME'), 1, (row) => row.account_name),
  from: time(words('FROM'), 1, ({ from }) => from),
  to: time(words('TO'), 1, ({ to }) => to),
  opening_balance: money(words('OPENING BALANCE'), 1, (row) => row.opening_balance),
  credited: money(words('CREDITED'), 1, ({ credited }) => credited),
  debited: money(words('DEBITED'), 1, ({ debited }) => debited),
  closing_balance: money(words('CLOSING BALANCE'), 1, (row) => row.closing_balance),
  total: count(words('MOVEMENTS'), 1, ({ total }) => total),
  entries: object(words('ENTRIES'), ({ entries }) => entries),
}

export type LedgerProof = Awaited<ReturnType<WeirClient['quota']['verify']>>

export const ledgerProofView: OutputView<LedgerProof> = {
  ok: flag(words('HOLDS'), 1, ({ ok }) => ok),
  accounts: count(words('ACCOUNTS'), 1, ({ accounts }) => accounts),
  entries: count(words('ENTRIES'), 1, ({ entries }) => entries),
  open_holds: count(words('OPEN HOLDS'), 1, (proof) => proof.open_holds),
  chain: object(words('KEYS OF THE CHAIN'), ({ chain }) => chain),
  faults: object(words('FAULTS'), ({ faults }) => faults),
  below_zero: object(words('BELOW ZERO'), (proof) => proof.below_zero),
}

const FAULTS: Record<QuotaFault['kind'], ReturnType<typeof words>> = {
  balance: words('balance'),
  inexact: words('inexact'),
  held: words('held'),
  token_held: words('token held'),
  charged_hold: words('charged hold'),
  orphaned_hold: words('orphaned hold'),
  chain: words('chain'),
  chain_end: words('chain end'),
  chain_ground: words('chain ground'),
  running_balance: words('running balance'),
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

export const ledgerFaultView: OutputView<QuotaFault> = {
  kind: word(words('FAULT'), 1, FAULTS, ({ kind }) => kind, { tone: () => 'bad' }),
  account_id: count(words('ACCOUNT'), 1, (fault) => fault.account_id),
  where: text(words('WHERE'), 1, (fault) => describePlace(fault, 'en'), {
    flexible: true,
    shown: (fault, { language }) => describePlace(fault, language),
  }),
  entry_id: count(words('ENTRY'), 0, (fault) => fault.entry_id),
  hold_id: text(words('HOLD'), 0, (fault) => fault.hold_id),
  token_id: count(words('TOKEN'), 0, (fault) => fault.token_id),
  expected: unitsOrHash(words('EXPECTED'), ({ expected }) => expected),
  found: unitsOrHash(words('FOUND', { context: 'fault' }), ({ found }) => found),
}

function describePlace({ entry_id, token_id, hold_id }: QuotaFault, language: Language): string {
  if (entry_id !== null) return fillTemplate(words('entry {id}'), { id: entry_id })[language]
  if (hold_id !== null) return fillTemplate(words('hold {id}'), { id: hold_id })[language]
  return token_id === null ? words('account')[language] : fillTemplate(words('token {id}'), { id: token_id })[language]
}
