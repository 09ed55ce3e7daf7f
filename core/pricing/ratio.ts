// Between the two ways to write a price: dollars per million tokens, and ratios.
import { Exact } from './exact.ts'

/** USD per 1M tokens, as providers list them. */
export interface ListPrice {
  input: number
  output?: number
  /** Read from a cache, and written to one for 5 minutes. */
  cached?: number
  cache_write?: number
}

export interface ListRatios {
  model_ratio: number
  completion_ratio?: number
  cache_ratio?: number
  create_cache_ratio?: number
}

/** Ratio 1 is two dollars per million input tokens. */
const DOLLARS_PER_RATIO = 2
/** Quotients are kept with this many decimals. */
const DIGITS = 9

/** The ratios of a list price. With free input no other price can be said by a quotient: those are left out. */
export function ratiosOf({ input, output, cached, cache_write }: ListPrice): ListRatios {
  const against = (price: number | undefined) =>
    price === undefined || input === 0
      ? undefined
      : new Exact(price).dividedBy(input).toDecimalPlaces(DIGITS).toNumber()
  const ratios: ListRatios = { model_ratio: new Exact(input).dividedBy(DOLLARS_PER_RATIO).toNumber() }
  const completion = against(output)
  const cache = against(cached)
  const create = against(cache_write)
  if (completion !== undefined) ratios.completion_ratio = completion
  if (cache !== undefined) ratios.cache_ratio = cache
  if (create !== undefined) ratios.create_cache_ratio = create
  return ratios
}

/** The list price of ratios, times a group's ratio. */
export function listPriceOf(ratios: ListRatios, groupRatio = 1): ListPrice {
  const input = new Exact(ratios.model_ratio).times(DOLLARS_PER_RATIO).times(groupRatio)
  const part = (ratio: number) => input.times(ratio).toDecimalPlaces(DIGITS).toNumber()
  const { completion_ratio, cache_ratio, create_cache_ratio } = ratios
  return {
    input: part(1),
    ...(completion_ratio === undefined ? {} : { output: part(completion_ratio) }),
    ...(cache_ratio === undefined ? {} : { cached: part(cache_ratio) }),
    ...(create_cache_ratio === undefined ? {} : { cache_write: part(create_cache_ratio) }),
  }
}
