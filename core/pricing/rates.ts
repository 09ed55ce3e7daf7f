// What one of each thing costs at a price, in quota units: worked out once per price and group, then used by every charge.
import { Exact, ZERO } from './exact.ts'
import { placesOf, stepsOf } from './exact-sum.ts'
import type { CallPrice, Price, UsagePrice } from './price.ts'
import type { Multipliers } from './tiers.ts'

/** What can stand on a bill. `audio_duration` counts the tokens that a minute of audio stands for. */
export type Charged =
  | 'input'
  | 'image_input'
  | 'audio_input'
  | 'cache_read'
  | 'cache_write'
  | 'cache_write_1h'
  | 'output'
  | 'audio_output'
  | 'characters'
  | 'audio_duration'
  | 'image'
  | 'call'
  | 'tool'

/** Exact quota units for one, before tiers. `text` is the same number written out, `steps` in steps of all the price's places. */
export interface Rate {
  unit: Exact
  text: string
  steps?: number
  /** Which of a tier's factors applies. */
  follows: Exclude<keyof Multipliers, 'names'>
}

export interface Rates {
  group_ratio: number
  quota_per_unit: number
  /** Decimal places of the finest rate. */
  places: number
  of: Partial<Record<Charged, Rate>>
  /** One image of the plain size; one USD. */
  image: Exact
  dollar: Exact
}

/** A one-hour cache write against a five-minute one where no tier says otherwise: 6 / 3.75 in Anthropic's list. */
const ONE_HOUR_FACTOR = 1.6
/** USD of one plain image for each unit of model ratio, where a model priced by ratio is asked for images. */
const IMAGE_PER_RATIO = '0.0025'
/** Groups differ, prices last: a few per price. */
const MAX_KEPT = 64

const prepared = new WeakMap<Price, Rates[]>()

/** The rates of a price for a group. Prices are frozen values: the same object always has the same rates. */
export function ratesOf(price: Price, groupRatio: number, quotaPerUnit: number): Rates {
  const kept = prepared.get(price)
  if (kept) {
    for (const each of kept) if (each.group_ratio === groupRatio && each.quota_per_unit === quotaPerUnit) return each
  }
  const rates = stepped(
    price.kind === 'per_call'
      ? callRates(price, groupRatio, quotaPerUnit)
      : usageRates(price, groupRatio, quotaPerUnit),
  )
  if (!Object.isFrozen(price)) return rates
  if (!kept) prepared.set(price, [rates])
  else if (kept.length < MAX_KEPT) kept.push(rates)
  return rates
}

/** The rates with one size of step for all of them. */
function stepped(rates: Omit<Rates, 'places'>): Rates {
  const all = Object.values(rates.of)
  const places = Math.max(...all.map(({ text }) => placesOf(text)))
  for (const each of all) each.steps = stepsOf(each.unit, places)
  return { ...rates, places }
}

export const rate = (unit: Exact, follows: Rate['follows'] = 'input'): Rate => ({ unit, text: unit.toFixed(), follows })

function callRates(price: CallPrice, group_ratio: number, quota_per_unit: number): Omit<Rates, 'places'> {
  const dollar = new Exact(quota_per_unit).times(group_ratio)
  const call = dollar.times(price.model_price)
  return { group_ratio, quota_per_unit, of: { call: rate(call) }, image: call, dollar }
}

/** Billing reference, sections 4.1 to 4.6, 4.9, 4.13 and 4.14. */
function usageRates(price: UsagePrice, group_ratio: number, quota_per_unit: number): Omit<Rates, 'places'> {
  const dollar = new Exact(quota_per_unit).times(group_ratio)
  const input = new Exact(price.model_ratio).times(group_ratio)
  const output = input.times(price.completion_ratio)
  const write = writeRatios(price)
  const audio = audioRates(price, input, dollar)
  return {
    group_ratio,
    quota_per_unit,
    of: {
      input: rate(input),
      image_input: rate(input.times(price.image_ratio ?? 1)),
      audio_input: rate(audio.input),
      cache_read: rate(input.times(price.cache_ratio), 'cache_read'),
      cache_write: rate(input.times(write['5m']), 'cache_write'),
      cache_write_1h: rate(input.times(write['1h']), 'cache_write'),
      output: rate(output, 'output'),
      audio_output: rate(audio.output, 'output'),
      characters: rate(input),
      audio_duration: rate(input),
    },
    image: dollar.times(imageDollars(price)),
    dollar,
  }
}

/** What writing a cache costs against input, by how long it lasts. */
export const writeRatios = ({ create_cache_ratio, tiers }: UsagePrice): Record<'5m' | '1h', Exact> => ({
  '5m': new Exact(create_cache_ratio).times(tiers?.cache?.['5m'] ?? 1),
  '1h': new Exact(create_cache_ratio).times(tiers?.cache?.['1h'] ?? ONE_HOUR_FACTOR),
})

/** One image of the plain size, in USD. */
export const imageDollars = (price: Price): Exact =>
  price.kind === 'per_call' ? new Exact(price.model_price) : new Exact(price.model_ratio).times(IMAGE_PER_RATIO)

/**
 * Audio output is input x audio ratio x audio completion ratio. Without either ratio it costs what text output costs:
 * the completion ratio of speech models carries their audio price (billing reference, section 13).
 */
function audioRates(price: UsagePrice, input: Exact, dollar: Exact): { input: Exact; output: Exact } {
  const { audio_ratio, audio_input_price } = price
  const { heard, spoken } = audioRatios(price)
  return {
    input:
      audio_ratio === undefined && audio_input_price !== undefined
        ? dollar.times(audio_input_price).times('0.000001')
        : input.times(heard),
    output: input.times(heard).times(spoken),
  }
}

/** Audio input against text input, and audio output against audio input, as they are charged. */
export const audioRatios = ({ audio_ratio, audio_completion_ratio, completion_ratio }: UsagePrice) => ({
  heard: audio_ratio ?? 1,
  spoken: audio_completion_ratio ?? (audio_ratio === undefined ? completion_ratio : 1),
})

/** Does anything cost anything? Then a charge is at least 1. */
export function costsAnything(rates: Rates, tiers: Multipliers | null): boolean {
  for (const each of Object.values(rates.of)) {
    if (each.unit.greaterThan(ZERO) && !tiers?.[each.follows].isZero()) return true
  }
  return false
}
