// A call's charge as a readable bill: each line, the total, the rounding, the balance before and after.
import { parseCallDetail } from '../../core/calls/detail.ts'
import type { LogEntry } from '../../core/calls/log-entry.ts'
import { fillTemplate, type Language, type Words } from '../../core/errors.ts'
import type { ChargeExplanation } from '../../core/logs/explanation.ts'
import { findComponent } from '../../core/pricing/components.ts'
import { getCallerId } from '../../core/quota/ledger-entry.ts'
import { formatExactQuota, formatLocalTime, type MoneyView } from './format.ts'
import { formatTableLines, type TableColumn } from './table.ts'
import { words } from '../texts.ts'

type BillLine = ChargeExplanation['lines'][number]

interface BillOptions {
  language: Language
  /** Maximum line length in characters. */
  width?: number
}

/** Returns the lines of the bill, in quota units; `money` decides how amounts are shown next to them. */
export function buildBillLines(bill: ChargeExplanation, money: MoneyView, { language, width }: BillOptions): string[] {
  const say: SayInLanguage = (text) => text[language]
  return [
    say(fillTemplate(words('Request {request_id}'), { request_id: bill.request_id })),
    ...callLines(bill, say),
    '',
    ...buildPriceLines(bill, money, { language, width }),
  ]
}

/** Returns the lines of the bill that are about money: each line of the charge, the total, the balance. */
export function buildPriceLines(bill: ChargeExplanation, money: MoneyView, options: BillOptions): string[] {
  const say: SayInLanguage = (text) => text[options.language]
  return [...(bill.lines.length > 0 ? [...chargeLines(bill, options), ''] : []), ...sumLines(bill, money, say)]
}

type SayInLanguage = (text: Words) => string

function callLines(bill: ChargeExplanation, say: SayInLanguage): string[] {
  const { log, entry, channels, group_ratio, asked_model, price_version } = bill
  const tried = channels.map(({ id, name }) => `${id} ${name}`.trim()).join(say(words(', then ')))
  const ratio = group_ratio === null ? '' : say(fillTemplate(words(' (ratio {group_ratio})'), { group_ratio }))
  if (!log) {
    const who = entry ? getCallerId(entry) : ''
    return [
      `${formatLocalTime(entry?.created_at ?? 0)}  ${say(fillTemplate(words('user {who}'), { who }))}`,
      say(words('No log row has more details: logging was off, or the rows were deleted.')),
    ]
  }
  const token = log.token_name || log.token_id
  const cached = plain(bill.cache_tokens)
  return [
    `${formatLocalTime(log.created_at)}  ${log.model_name}${formatModel(asked_model, log, say)}`,
    say(
      fillTemplate(words('User {username}, token {token}, group {group}{ratio}'), {
        username: log.username,
        token,
        group: log.group,
        ratio,
      }),
    ),
    ...(tried === '' ? [] : [say(fillTemplate(words('Channel {tried}'), { tried }))]),
    ...(bill.affinity
      ? [say(fillTemplate(words('Sent to the channel that has the prompt cached: {cached} of its tokens'), { cached }))]
      : []),
    ...(price_version === null ? [] : [say(fillTemplate(words('Price version {price_version}'), { price_version }))]),
    ...(log.content === '' ? [] : [log.content]),
  ]
}

/** Formats the requested model if it has another name, or if a fallback model answered. */
function formatModel(requestedModel: string | null, { other }: Pick<LogEntry, 'other'>, say: SayInLanguage): string {
  if (requestedModel === null) return ''
  return parseCallDetail(other).asked_model === undefined
    ? say(fillTemplate(words(', in place of {requestedModel}'), { requestedModel }))
    : say(fillTemplate(words(', requested as {requestedModel}'), { requestedModel }))
}

const TITLES = [
  words('WHAT', { context: 'bill' }),
  words('COUNT'),
  words('PRICE', { context: 'unit' }),
  words('TIERS'),
  words('QUOTA'),
] as const

function chargeLines({ lines, exact, rounding, quota }: ChargeExplanation, { language, width }: BillOptions): string[] {
  const multiplied = lines.some(({ multiplier }) => multiplier !== undefined)
  const cells = (what: string, count: string, price: string, multiplier: string, result: string) =>
    (multiplied ? [what, count, price, multiplier, result] : [what, count, price, result]).map((text) => ({ text }))
  const total = (title: Words, result: string) => cells(title[language], '', '', '', result)
  const rows = [
    ...lines.map((line) =>
      cells(
        formatComponent(line, language),
        plain(line.count),
        `× ${line.price}`,
        line.multiplier ? `× ${plain(line.multiplier)}` : '',
        `= ${line.quota}`,
      ),
    ),
    total(words('total'), exact),
    ...(rounding === '0' ? [] : [total(words('rounding'), rounding.startsWith('-') ? rounding : `+${rounding}`)]),
    total(words('charged'), String(quota)),
  ]
  const [what, count, price, tiers, result] = TITLES.map((title) => title[language])
  return formatTableLines({
    columns: cells(what!, count!, price!, tiers!, result!).map(({ text: title }, at): TableColumn =>
      at === 0 ? { title, rank: 1, flexible: true } : { title, rank: 1, right: true },
    ),
    rows,
    width,
    paint: (text) => text,
  })
}

/** Formats the counted component with its qualifiers. */
function formatComponent(line: BillLine, language: Language): string {
  const more = [line.label, line.tier].filter((text) => typeof text === 'string' && text !== '').join(', ')
  const name = findComponent(line.what)?.label[language].toLowerCase() ?? line.what
  return more === '' ? name : `${name} (${more})`
}

const plain = (value: unknown) => (typeof value === 'number' ? value.toLocaleString('en-US') : String(value))

function sumLines(
  { quota, entry, followed, balance_before, balance_after }: ChargeExplanation,
  money: MoneyView,
  say: SayInLanguage,
): string[] {
  const amount = (units: number) => formatExactQuota(units, money)
  if (!entry && quota === 0) return [say(words('Nothing was charged.'))]
  if (!entry)
    return [
      say(
        fillTemplate(
          words('Charged {amount} ({units} quota units) according to the log; the ledger has no entry for it.'),
          {
            amount: amount(quota),
            units: plain(quota),
          },
        ),
      ),
    ]
  const [before, after] = [amount(balance_before ?? 0), amount(balance_after ?? 0)]
  return [
    say(fillTemplate(words('Charged {amount} ({units} quota units)'), { amount: amount(quota), units: plain(quota) })),
    say(fillTemplate(words('Balance {before} before, {after} after'), { before, after })),
    ...(entry.cost === null
      ? []
      : [
          say(
            fillTemplate(words('Bought for {cost}, margin {margin}'), {
              cost: amount(entry.cost),
              margin: amount(quota - entry.cost),
            }),
          ),
        ]),
    say(fillTemplate(words('Ledger entry {id}, receipt {hold_id}'), { id: entry.id, hold_id: entry.hold_id ?? '' })),
    ...followed.map(({ id, amount: moved }) =>
      moved < 0
        ? say(
            fillTemplate(words('Charged {moved} more by entry {id}: the task used more than was held for it'), {
              moved: amount(-moved),
              id,
            }),
          )
        : say(fillTemplate(words('Given back {moved} by entry {id}'), { moved: amount(moved), id })),
    ),
  ]
}
