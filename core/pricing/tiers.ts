// Price tiers: which of a price's surcharges and discounts apply to a call, and what they multiply.
import { memoize } from '../memoize.ts'
import { findByWord } from '../dialects/requests/price-words.ts'
import type { Usage } from '../dialects/answers/usage.ts'
import type { TierFactorSetting, PriceTierRules, TimeWindow } from '../settings/price-tiers.ts'
import { expandTierFactor } from '../settings/price-tiers.ts'
import type { TierFactor } from './component.ts'
import { ExactNumber } from './exact.ts'
import { GEO_PREFIX } from './priced-words.ts'
import { countPromptTokens } from './token-sums.ts'

/** The factor for each part of a price, and the names of the tiers for the bill. */
export interface PriceMultipliers extends Record<TierFactor, ExactNumber> {
  names: string
}

/**
 * Returns the multipliers of a call: by prompt length, by service tier and place of the usage, and by the time of day at `at`
 * (epoch ms, the moment of admission; no time tier without it). Several multiply each other. Null if none applies.
 */
export function findMultipliers(
  tiers: PriceTierRules | undefined,
  usage: Usage,
  at: number | undefined,
): PriceMultipliers | null {
  if (!tiers) return null
  let sum: PriceMultipliers | null = null
  const prompt = tiers.prompt && promptTier(tiers.prompt, usage)
  if (prompt) sum = times(sum, `prompt>${prompt.above}`, prompt.factor)
  const { service_tier, inference_geo } = usage
  for (const name of [service_tier, inference_geo === undefined ? undefined : GEO_PREFIX + inference_geo]) {
    const factor = name === undefined ? undefined : findByWord(tiers.service, name)
    if (name !== undefined && factor !== undefined) sum = times(sum, name, factor)
  }
  const window = tiers.time && at !== undefined ? windowAt(tiers.time, at, getClocks(tiers)) : undefined
  if (window) sum = times(sum, timeName(window), window.factor)
  return sum
}

/** The highest limit that the prompt, cached parts included, is above. */
function promptTier(tiers: NonNullable<PriceTierRules['prompt']>, usage: Usage) {
  const prompt = countPromptTokens(usage)
  let passed: (typeof tiers)[number] | undefined
  for (const tier of tiers) if (prompt > tier.above && tier.above > (passed?.above ?? 0)) passed = tier
  return passed
}

function times(sum: PriceMultipliers | null, name: string, factor: TierFactorSetting): PriceMultipliers | null {
  const { input, output, cache_read, cache_write } = expandTierFactor(factor)
  if (input === 1 && output === 1 && cache_read === 1 && cache_write === 1) return sum
  return {
    names: sum ? `${sum.names}, ${name}` : name,
    input: new ExactNumber(input).times(sum?.input ?? 1),
    output: new ExactNumber(output).times(sum?.output ?? 1),
    cache_read: new ExactNumber(cache_read).times(sum?.cache_read ?? 1),
    cache_write: new ExactNumber(cache_write).times(sum?.cache_write ?? 1),
  }
}

const timeName = ({ days, hours, time_zone }: TimeWindow) =>
  [days ? `days ${days.join(' ')}` : '', hours ? hours.map(([from, to]) => `${from}-${to}h`).join(' ') : '', time_zone]
    .filter((part) => part !== '')
    .join(' ')

/** The first window that holds the moment. */
export const windowAt = (
  windows: readonly TimeWindow[],
  at: number,
  clocks: Clocks = new Map(),
): TimeWindow | undefined =>
  windows.find(({ time_zone, days, hours }) => {
    const { day, hour } = localTime(time_zone, at, clocks)
    const today = !days || days.includes(day)
    return today && (!hours || hours.some(([from, to]) => hour >= from && hour < to))
  })

/** Formatters by time zone, since creating one is slow. */
type Clocks = Map<string, Intl.DateTimeFormat>
const getClocks = memoize((_tiers: PriceTierRules): Clocks => new Map())
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** ISO week day (1 is Monday) and hour with its fraction, on the clocks of a time zone. */
function localTime(timeZone: string, at: number, clocks: Clocks): { day: number; hour: number } {
  let clock = clocks.get(timeZone)
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'short',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      hourCycle: 'h23',
    })
    clocks.set(timeZone, clock)
  }
  const parts = new Map(clock.formatToParts(at).map(({ type, value }) => [type, value]))
  const read = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type))
  return {
    day: DAYS.indexOf(parts.get('weekday') ?? '') + 1,
    hour: read('hour') + read('minute') / 60 + read('second') / 3600,
  }
}
