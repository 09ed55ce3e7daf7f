// The draft of the price panel and its conversion to a request.
import type { WeirClient } from '../../../core/contracts.ts'
import type { DollarPrice } from '../../../core/prices/dollars.ts'
import type { RefusedFormField } from '../../data/notify.ts'
import { type Translate } from '../../data/texts.tsx'
import { DOLLAR_NAMES } from './names.built.ts'
export type PriceRow = Awaited<ReturnType<WeirClient['prices']['list']>>[number]
export type PriceDifference = Awaited<ReturnType<WeirClient['prices']['preview']>>['data'][number]
export type PriceLine = PriceDifference['now'][number]
export type PriceChange = Awaited<ReturnType<WeirClient['prices']['history']>>['items'][number]
export type DollarName = keyof DollarPrice
export type PriceTiers = NonNullable<PriceRow['said']['tiers']>

/** How a call of a model is charged. */
export type ChargeMode = 'token' | 'request'

/** A tier by prompt length or by service, and its factors for input and output prices. */
export interface TierRow {
  at: string
  input: number
  output: number
  /** The cache tiers, which cannot be edited here. */
  cache: object
}

export interface PriceDraft {
  model: string
  mode: ChargeMode
  /** The entered texts; an empty one follows its rule. */
  typed: Partial<Record<DollarName, string>>
  tools: Record<string, number>
  image_multipliers: Record<string, number>
  prompt: TierRow[]
  service: TierRow[]
  /** The windows as JSON. */
  time: string
}

type DraftFactor = NonNullable<PriceTiers['service']>[string]

function toTierRow(at: string, factor: DraftFactor): TierRow {
  if (typeof factor === 'number') return { at, input: factor, output: factor, cache: {} }
  const { input, output, ...cache } = factor
  return { at, input, output, cache }
}
const toFactor = ({ input, output, cache }: TierRow) =>
  input === output && Object.keys(cache).length === 0 ? input : { input, output, ...cache }

/** @param row null for a model that is not known */
export function toPriceDraft(row: PriceRow | null, model: string): PriceDraft {
  const { dollars = {}, said: stated = {} } = row ?? {}
  const { tiers = {}, tools = {}, image_multipliers = {} } = stated as PriceRow['said']
  return {
    model,
    mode: dollars.call === undefined ? 'token' : 'request',
    typed: Object.fromEntries(Object.entries(dollars).map(([name, usd]) => [name, String(usd)])),
    tools,
    image_multipliers,
    prompt: (tiers.prompt ?? []).map(({ above, factor }) => toTierRow(String(above), factor)),
    service: Object.entries(tiers.service ?? {}).map(([name, factor]) => toTierRow(name, factor)),
    time: tiers.time ? JSON.stringify(tiers.time, null, 2) : '',
  }
}

/** Parses an entered number: `$0.40`, `1,000`; undefined if it is invalid or negative. */
export function parseAmount(typed: string): number | undefined {
  const text = typed.trim().replace(/^\$/, '').replaceAll(',', '')
  const value = Number(text)
  return text !== '' && Number.isFinite(value) && value >= 0 ? value : undefined
}

const isTyped = (text: string | undefined): text is string => (text ?? '').trim() !== ''

/** Returns the components that apply in this mode. */
export const listDollarNames = (mode: ChargeMode): DollarName[] =>
  DOLLAR_NAMES.filter((name) => (name === 'call') === (mode === 'request'))

/** Returns the errors, each with its field. */
export function findPriceErrors(draft: PriceDraft, t: Translate): RefusedFormField[] {
  const { model, mode, typed } = draft
  const numbers = listDollarNames(mode).filter((name) => isTyped(typed[name]) && parseAmount(typed[name]) === undefined)
  const isFree = mode === 'token' && isTyped(typed.input) && parseAmount(typed.input) === 0
  const costs = listDollarNames(mode).some((name) => name !== 'video' && (parseAmount(typed[name] ?? '') ?? 0) > 0)
  const seen: [boolean, string, string][] = [
    [model.trim() === '', 'model', t('enter the name of a model')],
    [mode === 'request' && !isTyped(typed.call), 'usd.call', t('enter what a call costs')],
    [
      mode === 'token' && !isTyped(typed.input) && !isTyped(typed.video),
      'usd.input',
      t('enter what input costs, or a second of video'),
    ],
    [isFree && costs, 'usd.input', t('model price cannot be 0')],
    [
      parseWindows(draft.time) === undefined,
      'price.tiers.time',
      t('JSON: windows of a time zone with hours and a factor'),
    ],
  ]
  return [
    ...numbers.map((name) => ({ field: `usd.${name}`, message: t('Please enter a number') })),
    ...seen.filter(([isWrong]) => isWrong).map(([, field, message]) => ({ field, message })),
  ]
}

/** Parses the windows; undefined if the text is no JSON array. */
function parseWindows(text: string): PriceTiers['time'] | undefined {
  if (text.trim() === '') return []
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? (value as PriceTiers['time']) : undefined
  } catch {
    return undefined
  }
}

/** Returns the whole price: components without a value are removed. */
export function toPriceRequest({ model, mode, typed, tools, image_multipliers, ...tiers }: PriceDraft) {
  const usd = Object.fromEntries(
    listDollarNames(mode).flatMap((name) => {
      const value = parseAmount(typed[name] ?? '')
      return value === undefined ? [] : [[name, value] as const]
    }),
  ) as DollarPrice
  const filterNamed = (rows: readonly TierRow[]) => rows.filter(({ at }) => at.trim() !== '')
  const prompt = filterNamed(tiers.prompt).map((row) => ({ above: parseAmount(row.at) ?? 0, factor: toFactor(row) }))
  const service = filterNamed(tiers.service).map((row) => [row.at.trim(), toFactor(row)] as const)
  const time = parseWindows(tiers.time) ?? []
  const kinds = {
    ...(prompt.length > 0 ? { prompt } : {}),
    ...(service.length > 0 ? { service: Object.fromEntries(service) } : {}),
    ...(time.length > 0 ? { time } : {}),
  }
  const price = {
    ...(Object.keys(kinds).length > 0 ? { tiers: kinds } : {}),
    ...(Object.keys(tools).length > 0 ? { tools } : {}),
    ...(Object.keys(image_multipliers).length > 0 ? { image_multipliers } : {}),
  }
  return { model: model.trim(), usd, whole: true, ...(Object.keys(price).length > 0 ? { price } : {}) }
}
