// The prices of one-api: its options, then its built-in ratios and rules, then one ratio for all others.
import { Decimal } from 'decimal.js'
import { words } from '../../errors.ts'
import type { PriceFields } from '../../settings/channel-price.ts'
import type { BuiltInPrices, PriceFacts } from '../built-in-prices.ts'
import { describeEvidence, findNewestMarker, findRatio, readRatioOption, toOwnRatio } from '../built-in-prices.ts'
import {
  ONE_API_COMPLETION,
  ONE_API_MARKERS,
  ONE_API_NAMED_COMPLETION,
  ONE_API_PICTURES,
  ONE_API_RATIO,
  ONE_API_UNKNOWN_RATIO,
} from './ratios.data.ts'

/** The completion ratios of families. First match wins. */
const FAMILIES: readonly (readonly [test: RegExp, ratio: number])[] = [
  [/^gpt-3\.5-turbo$|^gpt-3\.5.*0125$/, 3],
  [/^gpt-3\.5.*1106$/, 2],
  [/^gpt-3\.5/, 4 / 3],
  [/^gpt-4o-2024-05-13$/, 3],
  [/^gpt-4o/, 4],
  [/^gpt-4-turbo|^gpt-4.*preview$/, 3],
  [/^gpt-4/, 2],
  [/^o1/, 4],
  [/^claude-3/, 5],
  [/^(claude|mistral|gemini)-/, 3],
  [/^deepseek-/, 2],
]

/** The last month whose ratios are known. */
const KNOWN_SINCE = '2025-02'
/** A picture counts as this many tokens. */
const PICTURE_TOKENS = 1000

export function oneApiPrices({ tables, options, units }: PriceFacts): BuiltInPrices {
  const marker = findNewestMarker(ONE_API_MARKERS, tables)
  const since = marker?.[0] ?? ''
  const ratios = readRatioOption(options, 'ModelRatio') ?? {}
  const completions = readRatioOption(options, 'CompletionRatio') ?? {}

  function statePrice(model: string): PriceFields {
    const name = model.replace(/^(qwen-.*|command-.*)-internet$/, '$1')
    const picture = findRatio(ONE_API_PICTURES, name)
    const ratio = findRatio(ratios, name) ?? picture ?? findRatio(ONE_API_RATIO, name) ?? ONE_API_UNKNOWN_RATIO
    if (picture !== undefined)
      return { model_price: new Decimal(ratio).times(PICTURE_TOKENS).dividedBy(units).toNumber() }
    const completion =
      findRatio(completions, name) ??
      findRatio(ONE_API_COMPLETION, name) ??
      FAMILIES.find(([test]) => test.test(name))?.[1] ??
      findRatio(ONE_API_NAMED_COMPLETION, name) ??
      1
    return {
      model_ratio: toOwnRatio(ratio, units),
      completion_ratio: completion,
      cache_ratio: 1,
      create_cache_ratio: 1,
    }
  }

  return {
    version: since === '' ? 'one-api' : `one-api, ${since} or later`,
    evidence: describeEvidence(marker),
    state(model) {
      const isStated = findRatio(ratios, model) !== undefined
      return { price: statePrice(model), notes: isStated || since >= KNOWN_SINCE ? [] : [MAY_DIFFER] }
    },
  }
}

const MAY_DIFFER = words('it may have been charged otherwise there, as only the ratios of 2025-02 are known')
