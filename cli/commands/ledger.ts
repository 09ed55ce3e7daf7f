// `weir ledger …`: the ledger, verified and read.
import type { WeirClient } from '../../core/contracts.ts'
import { fillTemplate, joinList, EMPTY_WORDS, type Words } from '../../core/errors.ts'
import { buildStatement } from '../../core/quota/ledger-entry.ts'
import { command, group } from '../command.ts'
import { UsageError } from '../failure.ts'
import { formatExactQuota } from '../output/format.ts'
import { parseMomentFlag, parsePositiveNumber } from '../input/flags.ts'
import { colorizeTexts } from '../language.ts'
import type { LedgerProof } from '../nouns/ledger.ts'
import {
  formatAccount,
  ledgerFaultView,
  ledgerLineView,
  ledgerProofView,
  accountStatementView,
} from '../nouns/ledger.ts'
import { needTeamId } from '../nouns/team.ts'
import { words } from '../texts.ts'
import { needUserId } from '../nouns/user.ts'
import { toPlainRow, count, flag, money, text, time, type OutputView } from '../output/view.ts'
import { checkCommand, checkpointCommand } from './checkpoint.ts'

type Pending = Awaited<ReturnType<WeirClient['quota']['pending']>>
type Retried = Awaited<ReturnType<WeirClient['quota']['retry']>>[number]

const deadLetterView: OutputView<Pending['refused'][number]> = {
  hold_id: text(words('CHARGE', { context: 'entry' }), 1, ({ hold_id }) => hold_id),
  time: time(words('DATE'), 1, ({ created_at }) => created_at),
  account_id: count(words('ACCOUNT'), 1, ({ account_id }) => account_id),
  amount: money(words('AMOUNT'), 1, ({ quota }) => quota),
  reason: text(words('REASON'), 2, ({ reason }) => reason, { flexible: true, below: true }),
  token_id: count(words('TOKEN ID'), 0, ({ token_id }) => token_id),
  by_user_id: count(words('BY ID'), 0, ({ by_user_id }) => by_user_id),
  request_id: text(words('REQUEST'), 0, ({ request_id }) => request_id || null),
}

const retriedLetterView: OutputView<Retried> = {
  hold_id: text(words('CHARGE', { context: 'entry' }), 1, ({ hold_id }) => hold_id),
  booked: flag(words('BOOKED'), 1, ({ booked }) => booked),
  reason: text(words('REASON'), 2, ({ reason }) => reason || null, { flexible: true, below: true }),
}

const pendingCommand = command({
  endpoint: 'quota.pending',
  name: 'pending',
  readOnly: true,
  output: { view: deadLetterView, many: true },
  summary: words('List charges that storage refused, and count those that wait for it'),
  details: words(
    'Waiting charges are booked automatically when the database is back. Rejected charges stay in this list: fix the cause, then run `weir ledger retry`.',
  ),
  async run({ client, print }) {
    const { waiting, refused } = await (await client()).quota.pending()
    const { charges, waited_ms, safe } = waiting
    if (charges > 0) {
      const where = safe ? words('in the journal') : words('in memory only')
      const seconds = Math.round(waited_ms / 1000)
      print.warn(
        fillTemplate(words('{charges} charges wait for storage ({where}), the oldest for {seconds} s.'), {
          charges,
          where,
          seconds,
        }),
      )
    }
    await print.list(refused, deadLetterView, { empty: words('No charge was refused.') })
  },
})

const retryCommand = command({
  endpoint: 'quota.retry',
  name: 'retry',
  output: { view: retriedLetterView, many: true },
  summary: words('Retry charges that were refused'),
  failsWhen: words('one of them is refused again'),
  arguments: {
    charges: {
      spec: '[charges...]',
      help: words('their holds, as `pending` shows them'),
    },
  },
  options: { all: { flag: '--all', help: words('all of them') } },
  async run({ client, print, args, options, failed }) {
    const weir = await client()
    const named = args.charges ?? []
    if (named.length > 0 === (options.all ?? false)) throw new UsageError(words('Name the charges, or give --all.'))
    const hold_ids = options.all ? (await weir.quota.pending()).refused.map(({ hold_id }) => hold_id) : named
    if (hold_ids.length === 0) return print.list([], retriedLetterView, { empty: words('No charge was refused.') })
    const results = await weir.quota.retry({ hold_ids })
    await print.list(results, retriedLetterView)
    const booked = results.filter((result) => result.booked).length
    print.say(
      colorizeTexts(
        print,
        fillTemplate(words('{booked} of {results} are booked.'), { booked, results: results.length }),
        booked === results.length ? 'good' : 'bad',
      ),
    )
    if (booked < results.length) failed()
  },
})

const verify = command({
  endpoint: 'quota.verify',
  name: 'verify',
  readOnly: true,
  output: { view: ledgerProofView, many: false },
  summary: words('Verify the ledger: balances, chains of entries, holds'),
  failsWhen: words('something is wrong'),
  details: words(
    'Checked for every account: its balance is the sum of its entries; each entry carries the hash of itself and of the one before it, keyed with a key of this installation, so that access to the database alone is not enough to change, remove, add or move one unnoticed; the held amount is the sum of the open holds; every hold is resolved, or its process is alive.',
  ),
  options: {
    user: { flag: '--user <user>', help: words('only the account of this user') },
    team: { flag: '--team <team>', help: words('only the account of this team') },
  },
  async run({ client, print, options, failed }) {
    const weir = await client()
    const account_id = await accountId(weir, options.user, options.team)
    const proof = await weir.quota.verify(account_id === undefined ? {} : { account_id })
    if (proof.ok)
      return print.done(proof, ledgerProofView, {
        human: colorizeTexts(print, holdsText(proof), 'good'),
        quietOutput: 'ok',
      })
    failed()
    if (print.json) return print.one(proof, ledgerProofView, { quietOutput: '' })
    await print.list(proof.faults, ledgerFaultView)
    print.warn(
      fillTemplate(words('The ledger does not hold: {faults} in {counted}.'), {
        faults: formatCount(proof.faults.length, words('{n} fault'), words('{n} faults')),
        counted: countedText(proof),
      }),
    )
  },
})

const show = command({
  name: 'show',
  readOnly: true,
  output: { view: accountStatementView, many: false },
  summary: words(
    'Show the movements of a balance, like a bank statement: of a user, of a team, or without a name your own',
  ),
  arguments: { user: { spec: '[user]', help: words('id or username') } },
  options: {
    team: { flag: '--team <team>', help: words("the team's balance") },
    since: {
      flag: '--since <when>',
      former: ['--from'],
      help: words('start: a span like 2h or 7d, or a date'),
    },
    until: { flag: '--until <when>', former: ['--to'], help: words('end: a span like 2h or 7d, or a date') },
    limit: {
      flag: '--limit <number>',
      help: words('the latest so many movements of the range (default: 100)'),
    },
  },
  async run({ client, money, print, args, options }) {
    const isWhole = options.limit === undefined && print.form !== 'human'
    const limit = isWhole ? Infinity : parsePositiveNumber('--limit', options.limit ?? '100')
    const range = {
      start_timestamp: options.since === undefined ? 0 : parseMomentFlag('--since', options.since, -1),
      end_timestamp: options.until === undefined ? 0 : parseMomentFlag('--until', options.until, -1),
    }
    const weir = await client()
    const read = await readEntries(weir, await accountId(weir, args.user, options.team), range, limit)
    const { lines, ...sums } = buildStatement(read.opening_balance, read.entries)
    const unit = await money()
    if (print.json) {
      const entries = lines.map((line) => ({
        ...toPlainRow(ledgerLineView, line, unit),
        ...(line.unreadable ? { unreadable: line.unreadable } : {}),
      }))
      const span = { from: range.start_timestamp, to: range.end_timestamp }
      return print.one({ ...read, ...sums, ...span, entries }, accountStatementView, { quietOutput: '' })
    }
    const amount = (quota: number) => formatExactQuota(quota, unit)
    print.say(colorizeTexts(print, formatAccount(read), 'strong'))
    const { opening_balance, closing_balance, credited, debited } = sums
    print.say(fillTemplate(words('Opening balance {opening_balance}'), { opening_balance: amount(opening_balance) }))
    print.say()
    await print.list(lines, ledgerLineView, { empty: words('No movements.') })
    print.say()
    print.say(
      fillTemplate(words('Credited {credited}, debited {debited}'), {
        credited: amount(credited),
        debited: amount(debited),
      }),
    )
    print.say(fillTemplate(words('Closing balance {closing_balance}'), { closing_balance: amount(closing_balance) }))
    const more = read.total - lines.length
    if (more > 0)
      print.warn(fillTemplate(words('{more} earlier movements are not shown; --limit and --to show them.'), { more }))
    const wrong = lines.find(({ agrees }) => !agrees)
    if (wrong)
      print.warn(
        fillTemplate(words('Entry {id} records the balance {balance_after}: see `weir ledger verify`.'), {
          id: wrong.id,
          balance_after: amount(wrong.balance_after),
        }),
      )
  },
})

export const ledgerCommand = group({
  name: 'ledger',
  summary: words('The ledger: verify it, read an account, handle charges that are not booked'),
  commands: [verify, show, pendingCommand, retryCommand, checkpointCommand, checkCommand],
})

interface Range {
  start_timestamp: number
  end_timestamp: number
}

/** Returns the account of the named user or team; undefined if none is named. */
async function accountId(weir: WeirClient, user: string | undefined, team: string | undefined) {
  if (user !== undefined && team !== undefined) throw new UsageError(words('Name a user or a team, not both.'))
  if (team !== undefined) return needTeamId(weir, team)
  return user === undefined ? undefined : needUserId(weir, user)
}

/** Returns the latest movements of a range, oldest first, and the balance before the first of them. */
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
    // New charges push entries to the next page while this reads; the map counts each once.
    for (const entry of items) found.set(entry.id, entry)
  }
  const entries = [...found.values()].slice(0, limit).sort((a, b) => a.id - b.id)
  const oldest = entries[0]
  const opening_balance = oldest ? oldest.balance_after - oldest.amount : first.opening_balance
  const { account_id: id, account_kind, account_name, total } = first
  return { account_id: id, account_kind, account_name, total, opening_balance, entries }
}

const countedText = ({ accounts, entries, open_holds }: LedgerProof) =>
  joinList([
    formatCount(accounts, words('{n} account'), words('{n} accounts')),
    formatCount(entries, words('{n} entry'), words('{n} entries')),
    formatCount(open_holds, words('{n} open hold'), words('{n} open holds')),
  ])

function holdsText(proof: LedgerProof) {
  const fingerprint = proof.chain.at(-1)?.fingerprint
  return fillTemplate(
    words('The ledger holds: {counted}. Every balance equals its entries and every chain is whole{key}.{belowZero}'),
    {
      counted: countedText(proof),
      key: fingerprint ? fillTemplate(words(' (key {fingerprint})'), { fingerprint }) : '',
      belowZero: formatBelowZero(proof),
    },
  )
}

/** Accounts below zero are not an error, but they are reported. A server of an earlier release lists none. */
function formatBelowZero({ below_zero = [] }: Partial<Pick<LedgerProof, 'below_zero'>>) {
  const names = below_zero.map(({ account_name }) => account_name).slice(0, MAX_NAMES)
  const more = below_zero.length > names.length ? ', …' : ''
  if (below_zero.length === 0) return EMPTY_WORDS
  const text = below_zero.length === 1 ? BELOW_ZERO.one : BELOW_ZERO.several
  return fillTemplate(text, { n: below_zero.length.toLocaleString('en-US'), names: joinList(names), more })
}
const MAX_NAMES = 5

const BELOW_ZERO = {
  one: words(' Below zero: {n} account ({names}{more}).'),
  several: words(' Below zero: {n} accounts ({names}{more}).'),
}

const formatCount = (n: number, one: Words, several: Words) =>
  fillTemplate(n === 1 ? one : several, { n: n.toLocaleString('en-US') })
