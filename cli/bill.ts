// A call's charge as a readable bill: each line, what they come to, the rounding, the balance before and after.
import type { Explanation } from '../core/logs/explanation.ts'
import { componentOf } from '../core/pricing/components.ts'
import { whoCalled } from '../core/quota/ledger-entry.ts'
import { exactQuotaText, timeText, type MoneyView } from './format.ts'
import { tableLines, type TableColumn } from './table.ts'

type Line = Explanation['lines'][number]

/** The lines of the bill, in quota units; `money` says how amounts are shown beside them, `width` how long a line may be. */
export function billLines(bill: Explanation, money: MoneyView, width?: number): string[] {
  return [
    `Request ${bill.request_id}`,
    ...callLines(bill),
    '',
    ...(bill.lines.length > 0 ? [...chargeLines(bill, width), ''] : []),
    ...sumLines(bill, money),
  ]
}

function callLines(bill: Explanation): string[] {
  const { log, entry, channels, group_ratio, asked_model, price_version } = bill
  const tried = channels.map(({ id, name }) => `${id} ${name}`.trim()).join(', then ')
  const ratio = group_ratio === null ? '' : ` (ratio ${group_ratio})`
  if (!log) {
    return [
      `${timeText(entry?.created_at ?? 0)}  user ${entry ? whoCalled(entry) : ''}`,
      'No log row tells more of it: logging was off, or the rows were deleted.',
    ]
  }
  return [
    `${timeText(log.created_at)}  ${log.model_name}${asked_model === null ? '' : `, in place of ${asked_model}`}`,
    `User ${log.username}, token ${log.token_name || log.token_id}, group ${log.group}${ratio}`,
    ...(tried === '' ? [] : [`Channel ${tried}`]),
    ...(bill.affinity
      ? [`Kept to the channel that has the prompt cached: ${plain(bill.cache_tokens)} tokens of it`]
      : []),
    ...(price_version === null ? [] : [`Price version ${price_version}`]),
    ...(log.content === '' ? [] : [log.content]),
  ]
}

function chargeLines({ lines, exact, rounding, quota }: Explanation, width: number | undefined): string[] {
  const multiplied = lines.some(({ multiplier }) => multiplier !== undefined)
  const cells = (what: string, count: string, price: string, multiplier: string, result: string) =>
    (multiplied ? [what, count, price, multiplier, result] : [what, count, price, result]).map((text) => ({ text }))
  const rows = [
    ...lines.map((line) =>
      cells(
        nameOf(line),
        plain(line.count),
        `× ${line.price}`,
        line.multiplier ? `× ${plain(line.multiplier)}` : '',
        `= ${line.quota}`,
      ),
    ),
    cells('total', '', '', '', exact),
    ...(rounding === '0' ? [] : [cells('rounding', '', '', '', rounding.startsWith('-') ? rounding : `+${rounding}`)]),
    cells('charged', '', '', '', String(quota)),
  ]
  return tableLines({
    columns: cells('WHAT', 'COUNT', 'PRICE', 'TIERS', 'QUOTA').map(({ text: title }, at): TableColumn =>
      at === 0 ? { title, rank: 1, flexible: true } : { title, rank: 1, right: true },
    ),
    rows,
    width,
    paint: (text) => text,
  })
}

/** What was counted, and whatever else the line says of it in a word. */
function nameOf(line: Line): string {
  const more = [line.label, line.tier].filter((text) => typeof text === 'string' && text !== '').join(', ')
  const name = componentOf(line.what)?.label.en.toLowerCase() ?? line.what
  return more === '' ? name : `${name} (${more})`
}

const plain = (value: unknown) => (typeof value === 'number' ? value.toLocaleString('en-US') : String(value))

function sumLines({ quota, entry, balance_before, balance_after }: Explanation, money: MoneyView): string[] {
  if (!entry) return ['Nothing was charged.']
  return [
    `Charged ${exactQuotaText(quota, money)} (${plain(quota)} quota units)`,
    `Balance ${exactQuotaText(balance_before ?? 0, money)} before, ${exactQuotaText(balance_after ?? 0, money)} after`,
    ...(entry.cost === null
      ? []
      : [`Bought for ${exactQuotaText(entry.cost, money)}, margin ${exactQuotaText(quota - entry.cost, money)}`]),
    `Ledger entry ${entry.id}, receipt ${entry.hold_id ?? ''}`,
  ]
}
