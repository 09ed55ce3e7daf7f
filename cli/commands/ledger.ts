// `weir ledger …`: the ledger, verified and read.
import type { WeirClient } from '../../core/contracts.ts'
import { words } from '../../core/errors.ts'
import { buildStatement } from '../../core/quota/ledger-entry.ts'
import { command, group } from '../command.ts'
import { UsageError } from '../failure.ts'
import { exactQuotaText } from '../format.ts'
import { moment, wholeNumber } from '../flags.ts'
import { colorizeTexts } from '../language.ts'
import { faultView, lineView, proofView, statementView, type Proof } from '../nouns/ledger.ts'
import { needTeamId } from '../nouns/team.ts'
import { needUserId } from '../nouns/user.ts'
import { plainRow } from '../view.ts'
import { check, checkpoint } from './checkpoint.ts'
import { pending, retry } from './pending.ts'

const verify = command({
  name: 'verify',
  readOnly: true,
  output: { view: proofView, many: false },
  summary: words('Prove the ledger: balances, chains of entries, holds', '核对账本：余额、条目链与预扣'),
  failsWhen: words('something is wrong', '账本有误'),
  details: words(
    'Checked for every account: its balance is the sum of its entries; each entry carries the hash of itself and of the one before it, keyed with a key of this installation, so that none can be changed, removed, added or moved unseen, by nobody who has the database alone; what is held is what open holds reserve; every hold is resolved, or its process is alive.',
    '对每个账户核对：余额等于条目之和；每个条目带有它自身与前一条目的哈希，并以本安装的密钥加密，仅有数据库者无法不被察觉地改动、删除、添加或移动条目；预扣额等于未结预扣之和；每笔预扣都已了结，或其进程仍在运行。',
  ),
  options: {
    user: { flag: '--user <id or name>', help: words('only the account of this user', '仅此用户的账户') },
    team: { flag: '--team <id or name>', help: words('only the account of this team', '仅此团队的账户') },
  },
  async run({ client, print, options, failed }) {
    const weir = await client()
    const account_id = await accountId(weir, options.user, options.team)
    const proof = await weir.quota.verify(account_id === undefined ? {} : { account_id })
    if (proof.ok)
      return print.done(proof, proofView, { human: colorizeTexts(print, holdsText(proof), 'good'), bare: 'ok' })
    failed()
    if (print.json) return print.one(proof, proofView, { bare: '' })
    await print.list(proof.faults, faultView)
    const { en, zh } = countedText(proof)
    const { length } = proof.faults
    print.warn(
      words(
        `The ledger does not hold: ${formatCount(length, 'fault')} in ${en}.`,
        `账本有误：在${zh}中发现 ${length} 处错误。`,
      ),
    )
  },
})

const show = command({
  name: 'show',
  readOnly: true,
  output: { view: statementView, many: false },
  summary: words(
    "The movements of a balance, as a bank statement: of a user, of a team, or without a name one's own",
    '以对账单形式查看余额变动：用户的、团队的，或不带名称时自己的',
  ),
  arguments: { user: { spec: '[user]', help: words('id or username', '编号或用户名') } },
  options: {
    team: { flag: '--team <id or name>', help: words("the team's balance", '团队的余额') },
    from: {
      flag: '--from <when>',
      help: words('from then on: a span like 2h or 7d, or a date', '从此时起：时间段（如 2h、7d）或日期'),
    },
    to: { flag: '--to <when>', help: words('up to then', '到此时为止') },
    limit: {
      flag: '--limit <number>',
      help: words('the latest so many movements of the range (otherwise 100)', '范围内最近的若干笔变动（默认 100）'),
    },
  },
  async run({ client, money, print, args, options }) {
    const limit = wholeNumber('--limit', options.limit ?? '100')
    if (limit < 1) throw new UsageError(words('--limit must be at least 1.', '--limit 至少为 1。'))
    const range = {
      start_timestamp: options.from === undefined ? 0 : moment('--from', options.from, -1),
      end_timestamp: options.to === undefined ? 0 : moment('--to', options.to, -1),
    }
    const weir = await client()
    const read = await readEntries(weir, await accountId(weir, args.user, options.team), range, limit)
    const { lines, ...sums } = buildStatement(read.opening_balance, read.entries)
    const unit = await money()
    if (print.json) {
      const entries = lines.map((line) => ({
        ...plainRow(lineView, line, unit),
        ...(line.unreadable ? { unreadable: line.unreadable } : {}),
      }))
      const span = { from: range.start_timestamp, to: range.end_timestamp }
      return print.one({ ...read, ...sums, ...span, entries }, statementView, { bare: '' })
    }
    const amount = (quota: number) => exactQuotaText(quota, unit)
    const { account_name: name, account_kind: kind, account_id: id } = read
    print.say(
      colorizeTexts(
        print,
        words(`${name} (${kind} ${id})`, `${name}（${kind === 'team' ? '团队' : '用户'} ${id}）`),
        'strong',
      ),
    )
    const { opening_balance, closing_balance, credited, debited } = sums
    print.say(words(`Opening balance ${amount(opening_balance)}`, `期初余额 ${amount(opening_balance)}`))
    print.say()
    await print.list(lines, lineView, { empty: words('No movements.', '没有变动。') })
    print.say()
    print.say(
      words(
        `Credited ${amount(credited)}, debited ${amount(debited)}`,
        `入账 ${amount(credited)}，出账 ${amount(debited)}`,
      ),
    )
    print.say(words(`Closing balance ${amount(closing_balance)}`, `期末余额 ${amount(closing_balance)}`))
    const more = read.total - lines.length
    if (more > 0)
      print.warn(
        words(
          `${more} earlier movements are not shown; --limit and --to show them.`,
          `另有 ${more} 笔更早的变动未显示；用 --limit 与 --to 查看。`,
        ),
      )
    const wrong = lines.find(({ agrees }) => !agrees)
    if (wrong)
      print.warn(
        words(
          `Entry ${wrong.id} records the balance ${amount(wrong.balance_after)}: see \`weir ledger verify\`.`,
          `条目 ${wrong.id} 记录的余额为 ${amount(wrong.balance_after)}：见 \`weir ledger verify\`。`,
        ),
      )
  },
})

export const ledger = group({
  name: 'ledger',
  summary: words(
    'The books: prove them, read an account, see to charges that are not booked',
    '账本：核对、查账、处理未入账的扣费',
  ),
  commands: [verify, show, pending, retry, checkpoint, check],
})

interface Range {
  start_timestamp: number
  end_timestamp: number
}

/** Returns the account of the named user or team; undefined if none is named. */
async function accountId(weir: WeirClient, user: string | undefined, team: string | undefined) {
  if (user !== undefined && team !== undefined)
    throw new UsageError(words('Name a user or a team, not both.', '请只给出用户或团队之一。'))
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

const countedText = ({ accounts, entries, open_holds }: Proof) =>
  words(
    `${formatCount(accounts, 'account')}, ${formatCount(entries, 'entry', 'entries')}, ${formatCount(open_holds, 'open hold')}`,
    ` ${accounts} 个账户、${entries} 个条目、${open_holds} 笔未结预扣`,
  )

function holdsText(proof: Proof) {
  const { en, zh } = countedText(proof)
  const fingerprint = proof.chain.at(-1)?.fingerprint
  const belowZero = formatBelowZero(proof)
  return words(
    `The ledger holds: ${en}. Every balance equals its entries and every chain is whole${fingerprint ? ` (key ${fingerprint})` : ''}.${belowZero.en}`,
    `账本无误：${zh.trim()}。所有余额与条目相符，所有链完整${fingerprint ? `（密钥 ${fingerprint}）` : ''}。${belowZero.zh}`,
  )
}

/** Accounts below zero are not an error, but they are reported. A server of an earlier release lists none. */
function formatBelowZero({ below_zero = [] }: Partial<Pick<Proof, 'below_zero'>>) {
  const names = below_zero.map(({ account_name }) => account_name).slice(0, MAX_NAMES)
  const more = below_zero.length > names.length ? ', …' : ''
  return below_zero.length === 0
    ? words('', '')
    : words(
        ` Below zero: ${formatCount(below_zero.length, 'account')} (${names.join(', ')}${more}).`,
        `余额为负的账户：${below_zero.length} 个（${names.join('、')}${more}）。`,
      )
}
const MAX_NAMES = 5

const formatCount = (number: number, one: string, many = `${one}s`) =>
  `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`
