// `weir ledger …`: the books, proven and read.
import type { WeirClient } from '../../core/contracts.ts'
import type { QuotaFault, StatementEntry } from '../../core/quota/contract.ts'
import { statementOf, type StatementLine } from '../../core/quota/statement.ts'
import { command, group } from '../command.ts'
import { UsageError } from '../failure.ts'
import { exactQuotaText, timeText, type MoneyView } from '../format.ts'
import { moment, wholeNumber } from '../input.ts'
import type { Printer } from '../output.ts'
import type { Column } from '../table.ts'
import { check, checkpoint } from './checkpoint.ts'
import { needTeamId } from '../nouns/team.ts'
import { needUserId } from '../nouns/user.ts'

const faultColumns: Column<QuotaFault>[] = [
  { title: 'FAULT', rank: 1, value: ({ kind }) => kind.replaceAll('_', ' '), tone: () => 'bad' },
  { title: 'ACCOUNT', rank: 1, value: ({ account_id }) => account_id, right: true },
  { title: 'WHERE', rank: 1, value: placeOf, flexible: true },
  { title: 'EXPECTED', rank: 1, value: ({ expected }) => shown(expected), right: true },
  { title: 'FOUND', rank: 1, value: ({ found }) => shown(found), right: true },
]

const verify = command({
  name: 'verify',
  summary: 'Prove the ledger: balances, chains of entries, holds',
  failsWhen: 'something is wrong',
  details: [
    'Checked for every account: its balance is the sum of its entries; each entry carries the hash of itself and of',
    'the one before it, keyed with a key of this installation, so that none can be changed, removed, added or moved unseen,',
    'by nobody who has the database alone; what is held is what open holds reserve; every hold is resolved, or its process',
    'is alive.',
  ].join('\n'),
  options: {
    user: { flag: '--user <id or name>', help: 'only the account of this user' },
    team: { flag: '--team <id or name>', help: 'only the account of this team' },
  },
  async run({ client, print, options, failed }) {
    const weir = await client()
    const account_id = await accountId(weir, options.user, options.team)
    const proof = await weir.quota.verify(account_id === undefined ? {} : { account_id })
    const counted = `${count(proof.accounts, 'account')}, ${count(proof.entries, 'entry', 'entries')}, ${count(proof.open_holds, 'open hold')}`
    if (proof.ok) {
      const human = `The ledger holds: ${counted}. Every balance equals its entries and every chain is whole${keyText(proof.chain)}.`
      return print.result(proof, { human: print.paint(human, 'good'), bare: 'ok' })
    }
    await print.rows(proof.faults, faultColumns, { empty: '', json: proof })
    print.warn(`The ledger does not hold: ${count(proof.faults.length, 'fault')} in ${counted}.`)
    failed()
  },
})

const show = command({
  name: 'show',
  summary: "The movements of a balance, as a bank statement: of a user, of a team, or without a name one's own",
  arguments: { user: { spec: '[user]', help: 'id or username' } },
  options: {
    team: { flag: '--team <id or name>', help: "the team's balance" },
    from: { flag: '--from <when>', help: 'from then on: a span like 2h or 7d, or a date' },
    to: { flag: '--to <when>', help: 'up to then' },
    limit: { flag: '--limit <number>', help: 'the latest so many movements of the range (otherwise 100)' },
  },
  async run({ client, print, args, options }) {
    const limit = wholeNumber('--limit', options.limit ?? '100')
    if (limit < 1) throw new UsageError('--limit must be at least 1.')
    const range = {
      start_timestamp: options.from === undefined ? 0 : moment('--from', options.from, -1),
      end_timestamp: options.to === undefined ? 0 : moment('--to', options.to, -1),
    }
    const weir = await client()
    const read = await readEntries(weir, await accountId(weir, args.user, options.team), range, limit)
    const { account_id, account_kind, account_name, total } = read
    const { lines, ...sums } = statementOf(read.opening_balance, read.entries)
    await printStatement(print, await weir.site.status(), { ...read, lines, ...sums })
    if (print.json)
      await print.text('', { account_id, account_kind, account_name, total, ...range, ...sums, entries: lines })
  },
})

export const ledger = group({
  name: 'ledger',
  summary: 'The books: prove them, read an account',
  commands: [verify, show, checkpoint, check],
})

interface Range {
  start_timestamp: number
  end_timestamp: number
}

/** The account of a user or a team that is named; undefined where none is. */
async function accountId(weir: WeirClient, user: string | undefined, team: string | undefined) {
  if (user !== undefined && team !== undefined) throw new UsageError('Name a user or a team, not both.')
  if (team !== undefined) return needTeamId(weir, team)
  return user === undefined ? undefined : needUserId(weir, user)
}

/** The latest movements of a range, oldest first, and the balance before the first of them. */
async function readEntries(weir: WeirClient, account_id: number | undefined, range: Range, limit: number) {
  const ask = (p: number) => {
    const query = { ...range, p, page_size: Math.min(100, limit) }
    return account_id === undefined ? weir.quota.entriesSelf(query) : weir.quota.entries({ ...query, account_id })
  }
  const first = await ask(1)
  const found = new Map(first.items.map((entry) => [entry.id, entry]))
  for (let p = 2; found.size < Math.min(limit, first.total); p += 1) {
    const { items } = await ask(p)
    if (items.length === 0) break
    // What is charged meanwhile pushes entries to the next page: each counts once.
    for (const entry of items) found.set(entry.id, entry)
  }
  const entries = [...found.values()].slice(0, limit).sort((a, b) => a.id - b.id)
  const oldest = entries[0]
  const opening_balance = oldest ? oldest.balance_after - oldest.amount : first.opening_balance
  const { account_id: id, account_kind, account_name, total } = first
  return { account_id: id, account_kind, account_name, total, opening_balance, entries }
}

interface Shown {
  account_id: number
  account_kind: string
  account_name: string
  total: number
  opening_balance: number
  closing_balance: number
  credited: number
  debited: number
  lines: StatementLine<StatementEntry>[]
}

async function printStatement(print: Printer, money: MoneyView, shown: Shown): Promise<void> {
  if (print.json) return
  const amount = (quota: number) => exactQuotaText(quota, money)
  print.say(print.paint(`${shown.account_name} (${shown.account_kind} ${shown.account_id})`, 'strong'))
  print.say(`Opening balance ${amount(shown.opening_balance)}`)
  print.say()
  await print.rows(shown.lines, columns(money), { empty: 'No movements.' })
  print.say()
  print.say(`Credited ${amount(shown.credited)}, debited ${amount(shown.debited)}`)
  print.say(`Closing balance ${amount(shown.closing_balance)}`)
  if (shown.total > shown.lines.length) {
    print.warn(`${shown.total - shown.lines.length} earlier movements are not shown; --limit and --to show them.`)
  }
  const wrong = shown.lines.find(({ agrees }) => !agrees)
  if (wrong) {
    print.warn(`Entry ${wrong.id} records the balance ${amount(wrong.balance_after)}: see \`weir ledger verify\`.`)
  }
}

const columns = (money: MoneyView): Column<StatementLine<StatementEntry>>[] => [
  { title: 'ENTRY', rank: 3, value: ({ id }) => id, right: true, tone: () => 'faint' },
  { title: 'DATE', rank: 1, value: ({ created_at }) => timeText(created_at) },
  { title: 'KIND', rank: 2, value: ({ kind }) => kind },
  { title: 'WHAT', rank: 2, value: whatOf, flexible: true },
  {
    title: 'AMOUNT',
    rank: 1,
    value: ({ amount }) => `${amount > 0 ? '+' : ''}${exactQuotaText(amount, money)}`,
    tone: ({ amount }) => (amount > 0 ? 'good' : 'plain'),
    right: true,
  },
  {
    title: 'BALANCE',
    rank: 1,
    value: ({ balance }) => exactQuotaText(balance, money),
    tone: ({ agrees }) => (agrees ? 'strong' : 'bad'),
    right: true,
  },
]

/** The model and request of a charge; the cause of anything else, and who made it. */
function whatOf({ model_name, request_id, reference, by_username, by_user_id }: StatementEntry): string {
  const by = by_user_id === null ? '' : `by ${by_username || `user ${by_user_id}`}`
  return [model_name, request_id ?? '', reference ?? '', by].filter((part) => part !== '').join(' ')
}

function placeOf({ entry_id, token_id, hold_id }: QuotaFault): string {
  if (entry_id !== null) return `entry ${entry_id}`
  if (hold_id !== null) return `hold ${hold_id}`
  return token_id === null ? 'account' : `token ${token_id}`
}

const keyText = (chain: readonly { fingerprint: string | null }[]) => {
  const fingerprint = chain.at(-1)?.fingerprint
  return fingerprint ? ` (key ${fingerprint})` : ''
}

/** Hashes by their beginning. */
const shown = (value: number | string) => (typeof value === 'number' ? value : value.slice(0, 12) || 'none')

const count = (number: number, one: string, many = `${one}s`) =>
  `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`
