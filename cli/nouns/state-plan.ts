// Display of a plan, before or after it is applied.
import { fillTemplate, joinList, type Words } from '../../core/errors.ts'
import type { StatePlan } from '../../core/state/contract.ts'
import { formatQuotaAmount, type MoneyView } from '../output/format.ts'
import { asUntranslatedText, concatTexts, colorizeTexts, type BilingualText } from '../language.ts'
import { groupRows } from '../managed.ts'
import type { ResultPrinter } from '../output/output.ts'
import type { MissingReference } from '../state-file.ts'
import { words } from '../texts.ts'
import { object, text, type OutputView } from '../output/view.ts'

export interface PlanRow extends StatePlan {
  missing: MissingReference[]
}

export const planView: OutputView<PlanRow> = {
  digest: text(words('PLAN'), 1, ({ digest }) => digest),
  changes: object(words('CHANGES'), ({ changes }) => changes),
  kept: object(words('NOT IN THE FILE'), ({ kept }) => kept),
  released: object(words('NO LONGER OWNED'), ({ released }) => released),
  models: object(words('MODELS'), ({ models }) => models),
  bills: object(words('BILLS'), ({ bills }) => bills),
  /** References that could not be resolved; Weir keeps the current values. */
  missing: object(words('MISSING'), ({ missing }) => missing),
}

const SIGNS = { create: '+', change: '~', remove: '-' } as const
const TONES = { create: 'good', change: 'strong', remove: 'bad' } as const
const MAX_VALUE_LENGTH = 100
const MAX_USERS = 10

const formatValue = (value: unknown): string => {
  const whole = typeof value === 'string' ? value : JSON.stringify(value)
  return whole.length > MAX_VALUE_LENGTH ? `${whole.slice(0, MAX_VALUE_LENGTH)}…` : whole
}

type PlannedFieldChange = StatePlan['changes'][number]['fields'][number]
type ChangedTable = Record<string, PlannedFieldChange['to']>

/** Splits the change of a table into its changed members. */
function parts({ field, from, to }: PlannedFieldChange): PlannedFieldChange[] {
  const isTable = (value: unknown): value is ChangedTable =>
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

/** Changes of the same kind up to this number are shown one by one. */
const MAX_SINGLE_CHANGES = 10
const MAX_NAMED = 5

type PlannedChange = StatePlan['changes'][number]

interface PlanDisplay {
  money: MoneyView
  /** True to show every change; otherwise many changes of the same kind are folded into a summary. */
  all: boolean
}

/** Formats all changes and their consequences for people. */
export function formatStatePlan(plan: PlanRow, print: ResultPrinter, { money, all }: PlanDisplay): BilingualText {
  const kinds = groupRows(plan.changes, ({ section, action, fields }) =>
    [section, action, ...(action === 'change' ? fields.map(({ field }) => field) : [])].join(' '),
  )
  const lines = kinds.flatMap((same) =>
    all || same.length <= MAX_SINGLE_CHANGES
      ? same.flatMap((change) => formatChange(change, print))
      : formatManyChanges(same, print),
  )
  const folds = !all && kinds.some(({ length }) => length > MAX_SINGLE_CHANGES)
  return concatTexts([
    ...lines,
    ...(lines.length > 0 ? [asUntranslatedText('')] : []),
    countPlan(plan),
    ...meaning(plan, { money, all }),
    ...fold(remarks(plan), all),
    ...(folds ? [words('Changes of the same kind are summed up: --all shows each of them.')] : []),
  ])
}

function formatChange(
  { section, key, action, fields, drift, owner }: PlannedChange,
  print: ResultPrinter,
): BilingualText[] {
  const head = colorizeTexts(print, asUntranslatedText(`${SIGNS[action]} ${section} ${key}`), TONES[action])
  const marks = [...(drift ? [DRIFT] : []), ...(!drift && owner !== '' ? [ownedBy(owner)] : [])]
  const texts = fields.flatMap(parts).map(({ field, from, to }) => {
    const name = field === '' ? '' : `${field}: `
    if (action === 'create') return asUntranslatedText(`    ${name}${formatValue(to)}`)
    if (action === 'remove') return asUntranslatedText(`    ${name}${formatValue(from)}`)
    return asUntranslatedText(`    ${name}${formatValue(from)} → ${formatValue(to)}`)
  })
  return [concatTexts([head, ...marks], asUntranslatedText('  ')), ...texts]
}

/** Formats many changes of one kind: their number and first names, and the values that are the same for all. */
function formatManyChanges(same: readonly PlannedChange[], print: ResultPrinter): BilingualText[] {
  const [{ section, action, fields }] = same as [PlannedChange]
  const names = same.slice(0, MAX_NAMED).map(({ key }) => key)
  const head = colorizeTexts(print, asUntranslatedText(`${SIGNS[action]} ${section}`), TONES[action])
  const count = fillTemplate(words('{count} of them: {names}, …'), { count: same.length, names: joinList(names) })
  const manual = same.filter(({ drift }) => drift).length
  const marks =
    manual > 0 ? [fillTemplate(words('({manual} changed manually since the file was applied)'), { manual })] : []
  const texts =
    action !== 'change'
      ? []
      : fields.map(({ field }) => {
          const moves = same.map((change) => change.fields.find((each) => each.field === field)!)
          const shown = new Set(moves.map(({ from, to }) => `${formatValue(from)} → ${formatValue(to)}`))
          const [only] = shown
          return shown.size === 1
            ? asUntranslatedText(`    ${field}: ${only}`)
            : fillTemplate(words('    {field}: {count} different changes'), { field, count: shown.size })
        })
  return [concatTexts([head, count, ...marks], asUntranslatedText('  ')), ...texts]
}

/** Shortens a list of lines, unless all are wanted. */
function fold(lines: readonly BilingualText[], all: boolean): BilingualText[] {
  if (all || lines.length <= MAX_SINGLE_CHANGES) return [...lines]
  const count = lines.length - MAX_NAMED
  return [...lines.slice(0, MAX_NAMED), fillTemplate(words('  and {count} more: --all'), { count })]
}

const DRIFT = words('(changed manually since the file was applied)')
const ownedBy = (owner: string) => fillTemplate(words('(managed by {owner})'), { owner })

function countPlan({ changes, kept }: PlanRow): Words {
  const of = (action: string) => changes.filter((change) => change.action === action).length
  const [created, changed, removed] = [of('create'), of('change'), of('remove')]
  if (changes.length === 0) return words('Nothing to change: Weir matches the file.')
  const rest = kept.length
  return fillTemplate(words('{created} to create, {changed} to change, {removed} to remove{rest}.'), {
    created,
    changed,
    removed,
    rest: rest > 0 ? fillTemplate(words('; {rest} that the file does not name stay'), { rest }) : '',
  })
}

function meaning({ models, bills }: PlanRow, { money, all }: PlanDisplay): BilingualText[] {
  const moved = models.map(({ model, before, after, gains, loses }) => {
    const slugs = [...gains.map((slug) => `+${slug}`), ...loses.map((slug) => `-${slug}`)]
    const folds = !all && slugs.length > MAX_SINGLE_CHANGES
    const names = (folds ? [...slugs.slice(0, MAX_NAMED), '…'] : slugs).join(' ')
    return fillTemplate(words('  {model}: {before} → {after} channels ({names}){after2}'), {
      model,
      before,
      after,
      names,
      after2: after === 0 ? words(', which is then no longer served') : '',
    })
  })
  const amount = (quota: number) => formatQuotaAmount(quota, money)
  const people = bills.rows.slice(0, MAX_USERS).map(({ username, charged, would_charge }) => {
    const share =
      charged > 0 ? ` (${would_charge >= charged ? '+' : ''}${Math.round((would_charge / charged - 1) * 100)} %)` : ''
    return asUntranslatedText(`  ${username}: ${amount(charged)} → ${amount(would_charge)}${share}`)
  })
  const head = fillTemplate(
    words('Bills of the last 7 days would have changed for {people} users: {charged} → {would_charge}'),
    { people: bills.people, charged: amount(bills.charged), would_charge: amount(bills.would_charge) },
  )
  return [
    ...(moved.length > 0 ? [words('Models that gain or lose channels:'), ...fold(moved, all)] : []),
    ...(bills.people > 0 ? [head, ...people] : []),
  ]
}

/** Describes an unresolved reference and its effect on the field. */
export const describeUnresolvedReference = (at: string, reference: string): Words =>
  fillTemplate(words('{at}: {reference} has no value; the current value stays.'), { at, reference })

function remarks({ missing, released }: PlanRow): BilingualText[] {
  const absent = missing.map(({ at, reference }) => describeUnresolvedReference(at, reference))
  const free = released.map(({ section, key }) =>
    fillTemplate(words('{section} {key} is no longer managed by this file.'), { section, key }),
  )
  return [...absent, ...free]
}
