// A call's charge as a readable bill: each line, the total, the rounding, the balance before and after.
import { parseCallDetail } from '../core/calls/detail.ts'
import type { LogEntry } from '../core/calls/log-entry.ts'
import { words, type Language } from '../core/errors.ts'
import type { Explanation } from '../core/logs/explanation.ts'
import { findComponent } from '../core/pricing/components.ts'
import { getCallerId } from '../core/quota/ledger-entry.ts'
import { exactQuotaText, timeText, type MoneyView } from './format.ts'
import { tableLines, type TableColumn } from './table.ts'

type Line = Explanation['lines'][number]

interface How {
  language: Language
  /** Maximum line length in characters. */
  width?: number
}

/** Returns the lines of the bill, in quota units; `money` decides how amounts are shown next to them. */
export function billLines(bill: Explanation, money: MoneyView, { language, width }: How): string[] {
  const say: Say = (en, zh) => (language === 'zh' ? zh : en)
  return [
    say(`Request ${bill.request_id}`, `请求 ${bill.request_id}`),
    ...callLines(bill, say),
    '',
    ...(bill.lines.length > 0 ? [...chargeLines(bill, { language, width }), ''] : []),
    ...sumLines(bill, money, say),
  ]
}

type Say = (en: string, zh: string) => string

function callLines(bill: Explanation, say: Say): string[] {
  const { log, entry, channels, group_ratio, asked_model, price_version } = bill
  const tried = channels.map(({ id, name }) => `${id} ${name}`.trim()).join(say(', then ', '，随后 '))
  const ratio = group_ratio === null ? '' : say(` (ratio ${group_ratio})`, `（倍率 ${group_ratio}）`)
  if (!log) {
    const who = entry ? getCallerId(entry) : ''
    return [
      `${timeText(entry?.created_at ?? 0)}  ${say(`user ${who}`, `用户 ${who}`)}`,
      say(
        'No log row has more details: logging was off, or the rows were deleted.',
        '没有更多日志：未开启日志，或记录已被删除。',
      ),
    ]
  }
  const token = log.token_name || log.token_id
  const cached = plain(bill.cache_tokens)
  return [
    `${timeText(log.created_at)}  ${log.model_name}${formatModel(asked_model, log, say)}`,
    say(
      `User ${log.username}, token ${token}, group ${log.group}${ratio}`,
      `用户 ${log.username}，令牌 ${token}，分组 ${log.group}${ratio}`,
    ),
    ...(tried === '' ? [] : [say(`Channel ${tried}`, `渠道 ${tried}`)]),
    ...(bill.affinity
      ? [
          say(
            `Kept to the channel that has the prompt cached: ${cached} tokens of it`,
            `沿用已缓存该提示的渠道：其中 ${cached} 个 token`,
          ),
        ]
      : []),
    ...(price_version === null ? [] : [say(`Price version ${price_version}`, `价格版本 ${price_version}`)]),
    ...(log.content === '' ? [] : [log.content]),
  ]
}

/** Formats the requested model if it has another name, or if a fallback model answered. */
function formatModel(requestedModel: string | null, { other }: Pick<LogEntry, 'other'>, say: Say): string {
  if (requestedModel === null) return ''
  return parseCallDetail(other).asked_model === undefined
    ? say(`, in place of ${requestedModel}`, `，代替 ${requestedModel}`)
    : say(`, asked for as ${requestedModel}`, `，请求时的名称为 ${requestedModel}`)
}

const TITLES = [
  words('WHAT', '项目'),
  words('COUNT', '数量'),
  words('PRICE', '单价'),
  words('TIERS', '阶梯'),
  words('QUOTA', '额度'),
] as const

function chargeLines({ lines, exact, rounding, quota }: Explanation, { language, width }: How): string[] {
  const multiplied = lines.some(({ multiplier }) => multiplier !== undefined)
  const cells = (what: string, count: string, price: string, multiplier: string, result: string) =>
    (multiplied ? [what, count, price, multiplier, result] : [what, count, price, result]).map((text) => ({ text }))
  const total = (en: string, zh: string, result: string) => cells(language === 'zh' ? zh : en, '', '', '', result)
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
    total('total', '合计', exact),
    ...(rounding === '0' ? [] : [total('rounding', '舍入', rounding.startsWith('-') ? rounding : `+${rounding}`)]),
    total('charged', '收取', String(quota)),
  ]
  const [what, count, price, tiers, result] = TITLES.map((title) => title[language])
  return tableLines({
    columns: cells(what!, count!, price!, tiers!, result!).map(({ text: title }, at): TableColumn =>
      at === 0 ? { title, rank: 1, flexible: true } : { title, rank: 1, right: true },
    ),
    rows,
    width,
    paint: (text) => text,
  })
}

/** Formats the counted component with its qualifiers. */
function formatComponent(line: Line, language: Language): string {
  const more = [line.label, line.tier].filter((text) => typeof text === 'string' && text !== '').join(', ')
  const name = findComponent(line.what)?.label[language].toLowerCase() ?? line.what
  return more === '' ? name : `${name} (${more})`
}

const plain = (value: unknown) => (typeof value === 'number' ? value.toLocaleString('en-US') : String(value))

function sumLines(
  { quota, entry, followed, balance_before, balance_after }: Explanation,
  money: MoneyView,
  say: Say,
): string[] {
  const amount = (units: number) => exactQuotaText(units, money)
  if (!entry && quota === 0) return [say('Nothing was charged.', '未收取费用。')]
  if (!entry)
    return [
      say(
        `Charged ${amount(quota)} (${plain(quota)} quota units) as the row says; the ledger has no entry of it.`,
        `日志记录收取 ${amount(quota)}（${plain(quota)} 额度单位）；账本中没有对应条目。`,
      ),
    ]
  const [before, after] = [amount(balance_before ?? 0), amount(balance_after ?? 0)]
  return [
    say(`Charged ${amount(quota)} (${plain(quota)} quota units)`, `收取 ${amount(quota)}（${plain(quota)} 额度单位）`),
    say(`Balance ${before} before, ${after} after`, `扣费前余额 ${before}，扣费后 ${after}`),
    ...(entry.cost === null
      ? []
      : [
          say(
            `Bought for ${amount(entry.cost)}, margin ${amount(quota - entry.cost)}`,
            `成本 ${amount(entry.cost)}，毛利 ${amount(quota - entry.cost)}`,
          ),
        ]),
    say(
      `Ledger entry ${entry.id}, receipt ${entry.hold_id ?? ''}`,
      `账本条目 ${entry.id}，回执 ${entry.hold_id ?? ''}`,
    ),
    ...followed.map(({ id, amount: moved }) =>
      moved < 0
        ? say(
            `Charged ${amount(-moved)} more by entry ${id}: the task used more than was held for it`,
            `账本条目 ${id} 补扣 ${amount(-moved)}：任务实际用量高于预估`,
          )
        : say(`Given back ${amount(moved)} by entry ${id}`, `账本条目 ${id} 退还 ${amount(moved)}`),
    ),
  ]
}
