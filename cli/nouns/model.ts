// Prices of models as in price lists: dollars, not ratios.
import type { PricedModel } from '../../core/pricing/contract.ts'
import { words } from '../texts.ts'

/** USD per 1M tokens for a ratio of 1. */
const USD_PER_RATIO = 2
const BY_USAGE = 0

export const PRICING_MODE_TEXTS = { usage: words('by usage'), call: words('by call') }

export const getPricingMode = ({ quota_type }: PricedModel): keyof typeof PRICING_MODE_TEXTS =>
  quota_type === BY_USAGE ? 'usage' : 'call'

const exact = (usd: number) => Number(usd.toPrecision(12))

const findPrice = (model: PricedModel, component: string) =>
  model.prices.find((one) => one.component === component && one.per === 1_000_000)?.usd

/** Returns USD per 1M tokens; null if the model is priced per call. */
export const getInputUsd = (row: PricedModel): number | null =>
  getPricingMode(row) === 'usage' ? exact(findPrice(row, 'input') ?? row.model_ratio * USD_PER_RATIO) : null

/** Returns USD per 1M tokens; null if the model is priced per call. */
export const getOutputUsd = (row: PricedModel): number | null =>
  getPricingMode(row) === 'usage'
    ? exact(findPrice(row, 'output') ?? row.model_ratio * USD_PER_RATIO * row.completion_ratio)
    : null

/** Returns USD per call; null if the model is priced by usage. */
export const getCallUsd = (row: PricedModel): number | null => (getPricingMode(row) === 'call' ? row.model_price : null)
