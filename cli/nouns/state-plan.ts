// Display of a plan, before or after it is applied.
import { words, type Words } from '../../core/errors.ts'
import type { StatePlan } from '../../core/state/contract.ts'
import { quotaText, type MoneyView } from '../format.ts'
import { asData, concatTexts, colorizeTexts, type Said } from '../language.ts'
import type { Printer } from '../output.ts'
import type { Missing } from '../state-file.ts'
import { object, text, type View } from '../view.ts'

export interface PlanRow extends StatePlan {
  missing: Missing[]
}

export const planView: View<PlanRow> = {
  digest: text(words('PLAN', '计划'), 1, ({ digest }) => digest),
  changes: object(words('CHANGES', '更改'), ({ changes }) => changes),
  kept: object(words('NOT IN THE FILE', '文件未提及'), ({ kept }) => kept),
  released: object(words('NO LONGER OWNED', '不再由文件管理'), ({ released }) => released),
  models: object(words('MODELS', '模型'), ({ models }) => models),
  bills: object(words('BILLS', '账单'), ({ bills }) => bills),
  /** References that could not be resolved; Weir keeps the current values. */
  missing: object(words('MISSING', '缺少'), ({ missing }) => missing),
}

const SIGNS = { create: '+', change: '~', remove: '-' } as const
const TONES = { create: 'good', change: 'strong', remove: 'bad' } as const
const MAX_VALUE_LENGTH = 100
const MAX_USERS = 10

const formatValue = (value: unknown): string => {
  const whole = typeof value === 'string' ? value : JSON.stringify(value)
  return whole.length > MAX_VALUE_LENGTH ? `${whole.slice(0, MAX_VALUE_LENGTH)}…` : whole
}

type FieldChange = StatePlan['changes'][number]['fields'][number]
type Table = Record<string, FieldChange['to']>

/** Splits the change of a table into its changed members. */
function parts({ field, from, to }: FieldChange): FieldChange[] {
  const isTable = (value: unknown): value is Table =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
  if (!isTable(from) || !isTable(to)) return [{ field, from, to }]
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])]
  const inside = names.map((name) => ({
    field: field === '' ? name : `${field}.${name}`,
    from: from[name] ?? null,
    to: to[name] ?? null,
  }))
  return inside.filter((one) => JSON.stringify(one.from) !== JSON.stringify(one.to)).flatMap(parts)
}

/** Formats all changes and their consequences for people. */
export function planText(plan: PlanRow, print: Printer, money: MoneyView): Said {
  const lines = plan.changes.flatMap(({ section, key, action, fields, drift, owner }): Said[] => {
    const head = colorizeTexts(print, asData(`${SIGNS[action]} ${section} ${key}`), TONES[action])
    const marks = [...(drift ? [DRIFT] : []), ...(!drift && owner !== '' ? [ownedBy(owner)] : [])]
    const texts = fields.flatMap(parts).map(({ field, from, to }) => {
      const name = field === '' ? '' : `${field}: `
      if (action === 'create') return asData(`    ${name}${formatValue(to)}`)
      if (action === 'remove') return asData(`    ${name}${formatValue(from)}`)
      return asData(`    ${name}${formatValue(from)} → ${formatValue(to)}`)
    })
    return [concatTexts([head, ...marks], asData('  ')), ...texts]
  })
  return concatTexts([
    ...lines,
    ...(lines.length > 0 ? [asData('')] : []),
    countPlan(plan),
    ...meaning(plan, money),
    ...remarks(plan),
  ])
}

const DRIFT = words('(changed by hand since the file was applied)', '（应用文件之后被手动修改）')
const ownedBy = (owner: string) => words(`(managed by ${owner})`, `（由 ${owner} 管理）`)

function countPlan({ changes, kept }: PlanRow): Words {
  const of = (action: string) => changes.filter((change) => change.action === action).length
  const [made, changed, gone] = [of('create'), of('change'), of('remove')]
  if (changes.length === 0) return words('Nothing to change: Weir matches the file.', '无需更改：Weir 与文件一致。')
  const rest = kept.length
  return words(
    `${made} to create, ${changed} to change, ${gone} to remove${rest > 0 ? `; ${rest} that the file does not name stay` : ''}.`,
    `创建 ${made} 项，更改 ${changed} 项，移除 ${gone} 项${rest > 0 ? `；文件未提及的 ${rest} 项保持不变` : ''}。`,
  )
}

function meaning({ models, bills }: PlanRow, money: MoneyView): Said[] {
  const moved = models.map(({ model, before, after, gains, loses }) => {
    const names = [...gains.map((slug) => `+${slug}`), ...loses.map((slug) => `-${slug}`)].join(' ')
    return words(
      `  ${model}: ${before} → ${after} channels (${names})${after === 0 ? ', which is then no longer served' : ''}`,
      `  ${model}：${before} → ${after} 个渠道（${names}）${after === 0 ? '，之后没有渠道提供' : ''}`,
    )
  })
  const amount = (quota: number) => quotaText(quota, money)
  const people = bills.rows.slice(0, MAX_USERS).map(({ username, charged, would_charge }) => {
    const share =
      charged > 0 ? ` (${would_charge >= charged ? '+' : ''}${Math.round((would_charge / charged - 1) * 100)} %)` : ''
    return asData(`  ${username}: ${amount(charged)} → ${amount(would_charge)}${share}`)
  })
  const head = words(
    `Bills of the last 7 days would have been others for ${bills.people} people: ${amount(bills.charged)} → ${amount(bills.would_charge)}`,
    `最近 7 天有 ${bills.people} 人的账单会不同：${amount(bills.charged)} → ${amount(bills.would_charge)}`,
  )
  return [
    ...(moved.length > 0 ? [words('Models that gain or lose channels:', '增减渠道的模型：'), ...moved] : []),
    ...(bills.people > 0 ? [head, ...people] : []),
  ]
}

/** Describes an unresolved reference and its effect on the field. */
export const nothingBehind = (at: string, reference: string): Words =>
  words(
    `${at}: nothing stands behind ${reference}; what Weir has there stays.`,
    `${at}：${reference} 没有内容；Weir 中的现有内容保持不变。`,
  )

function remarks({ missing, released }: PlanRow): Said[] {
  const absent = missing.map(({ at, reference }) => nothingBehind(at, reference))
  const free = released.map(({ section, key }) =>
    words(`${section} ${key} is managed by this file no more.`, `${section} ${key} 不再由此文件管理。`),
  )
  return [...absent, ...free]
}
