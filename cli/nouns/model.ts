// What models cost, as price lists have it: dollars, not ratios.
import type { PricedModel } from '../../core/pricing/contract.ts'
import { words } from '../../core/errors.ts'

/** A ratio of 1 is so many dollars per 1M tokens. */
const USD_PER_RATIO = 2
const BY_USAGE = 0

export const PRICED_BY = { usage: words('by usage', '按量'), call: words('by call', '按次') }

export const pricedBy = ({ quota_type }: PricedModel): keyof typeof PRICED_BY =>
  quota_type === BY_USAGE ? 'usage' : 'call'

const exact = (usd: number) => Number(usd.toPrecision(12))

const listed = (model: PricedModel, component: string) =>
  model.prices.find((one) => one.component === component && one.per === 1_000_000)?.usd

/** USD per 1M tokens; null where it is priced by call. */
export const inputUsd = (row: PricedModel): number | null =>
  pricedBy(row) === 'usage' ? exact(listed(row, 'input') ?? row.model_ratio * USD_PER_RATIO) : null

/** USD per 1M tokens; null where it is priced by call. */
export const outputUsd = (row: PricedModel): number | null =>
  pricedBy(row) === 'usage'
    ? exact(listed(row, 'output') ?? row.model_ratio * USD_PER_RATIO * row.completion_ratio)
    : null

/** USD per call; null where it is priced by usage. */
export const callUsd = (row: PricedModel): number | null => (pricedBy(row) === 'call' ? row.model_price : null)
