// The schema of price tiers, for prices that are not flat. By model pattern: prompt length, service tier, time, cache
// lifetime.
import { z } from 'zod'
import { isSupportedTimeZone } from '../contract/time-zone.ts'
import { failWithCode } from './setting.ts'

const Multiplier = z.number().min(0).max(1000)

/** One number for everything, or one each; the cache's parts default to that of input. */
const TierFactorSetting = z.union([
  Multiplier,
  z.strictObject({
    input: Multiplier,
    output: Multiplier,
    cache_read: Multiplier.optional(),
    cache_write: Multiplier.optional(),
  }),
])
export type TierFactorSetting = z.infer<typeof TierFactorSetting>

/**
 * Returns the factor of each part: one number applies to all parts, and otherwise the cache's parts default to that of
 * input.
 */
export function expandTierFactor(factor: TierFactorSetting) {
  const parts: Exclude<TierFactorSetting, number> =
    typeof factor === 'number' ? { input: factor, output: factor } : factor
  const { input, output, cache_read = input, cache_write = input } = parts
  return { input, output, cache_read, cache_write }
}

const hour = z.number().min(0).max(24)

/** The first window that holds the moment of admission applies. Hours as [from, to), 9.5 is half past nine. */
const TimeWindow = z.strictObject({
  time_zone: z.string().refine(isSupportedTimeZone, failWithCode('setting.time_zone')),
  /** ISO week days, 1 is Monday; every day where missing. */
  days: z.array(z.number().int().min(1).max(7)).max(7).optional(),
  hours: z
    .array(z.tuple([hour, hour]).refine(([from, to]) => from < to, failWithCode('setting.hours')))
    .max(12)
    .optional(),
  factor: TierFactorSetting,
})
export type TimeWindow = z.infer<typeof TimeWindow>

export const PriceTierRules = z.strictObject({
  /** Applies to the whole request once its prompt has more tokens than `above`; the highest one passed counts. */
  prompt: z
    .array(z.strictObject({ above: z.number().int().min(1), factor: TierFactorSetting }))
    .max(12)
    .optional(),
  /** By the service tier that the provider reports, or `geo:` and the region in which its model ran. */
  service: z.record(z.string(), TierFactorSetting).optional(),
  time: z.array(TimeWindow).max(24).optional(),
  /** Factors of a cache write by its lifetime, relative to the cache creation ratio. */
  cache: z.strictObject({ '5m': Multiplier.optional(), '1h': Multiplier.optional() }).optional(),
})
export type PriceTierRules = z.infer<typeof PriceTierRules>

/** Model name, or a beginning of names with `*` behind it → tiers. For each kind of tier the longest match that has it wins. */
export const PriceTiers = z.record(z.string().min(1), PriceTierRules)
export type PriceTiers = z.infer<typeof PriceTiers>
