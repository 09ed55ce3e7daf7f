// Flags of `prices set`, and the questions of its form.
import { composeWords, type Words } from '../../core/errors.ts'
import { DOLLAR_PRICE_NAMES, type DollarPrice } from '../../core/prices/dollars.ts'
import { parseDollarFlag } from '../input/amount.ts'
import type { FormQuestion } from '../parts/form-state.ts'
import type { PriceRow } from './price.ts'
import { findFlagProblem } from './questions.ts'
import { words } from '../texts.ts'

/** Returns the flag for a price in dollars: `--cache-read <dollars>`. */
const flagName = (name: string) => `--${name.replaceAll('_', '-')}`
const HELPS: Record<keyof DollarPrice, ReturnType<typeof words>> = {
  input: words('dollars per 1M tokens of the prompt'),
  output: words('dollars per 1M tokens of the answer'),
  cache_read: words('dollars per 1M tokens read from a cache'),
  cache_write: words('dollars per 1M tokens written to a cache'),
  cache_write_1h: words('dollars per 1M tokens written to a cache for an hour'),
  image_input: words('dollars per 1M tokens of image input'),
  audio_input: words('dollars per 1M tokens of audio input'),
  audio_output: words('dollars per 1M tokens of audio output'),
  call: words('dollars per call or image, instead of tokens'),
  video: words('dollars per second of video'),
}
export const dollarPriceFlags = Object.fromEntries(
  DOLLAR_PRICE_NAMES.map((name) => [name, { flag: `${flagName(name)} <dollars>`, help: HELPS[name] }]),
) as Record<keyof DollarPrice, { flag: `--${string} <dollars>`; help: ReturnType<typeof words> }>

/** @throws UsageError naming the flag */
export const parseUsd = (name: keyof DollarPrice, typed: string): number => parseDollarFlag(flagName(name), typed)

const LABELS: Record<keyof DollarPrice, ReturnType<typeof words>> = {
  input: words('Input'),
  output: words('Output'),
  cache_read: words('Cache read'),
  cache_write: words('Cache write'),
  cache_write_1h: words('Cache write for an hour'),
  image_input: words('Image input'),
  audio_input: words('Audio input'),
  audio_output: words('Audio output'),
  call: words('Each call'),
  video: words('Video'),
}

/** Returns the prices of a model by the names of their flags. */
export const listDollarFlags = ({ prices }: Pick<PriceRow, 'prices'>): DollarPrice =>
  Object.fromEntries(
    DOLLAR_PRICE_NAMES.flatMap((name) => {
      const line = prices.find((one) => one.component === name && one.label === undefined)
      return line ? [[name, line.usd]] : []
    }),
  )

/** Lists the prices that differ, before and after, in dollars; without `before`, those that are set. */
export function listPriceChanges(before: Pick<PriceRow, 'prices'> | undefined, after: Pick<PriceRow, 'prices'>): Words {
  const [was, is] = [before ? listDollarFlags(before) : {}, listDollarFlags(after)]
  const changed = DOLLAR_PRICE_NAMES.filter((name) => was[name] !== is[name])
  const formatPrice = (usd: number | undefined) => (usd === undefined ? '–' : `$${usd}`)
  const join = (language: keyof Words) =>
    changed
      .map((name) => `\n  ${LABELS[name][language]}: ${formatPrice(was[name])} → ${formatPrice(is[name])}`)
      .join('')
  return composeWords(join)
}

/** Returns one question for each price. */
export function buildPriceQuestions(row: PriceRow): FormQuestion[] {
  const now = listDollarFlags(row)
  return DOLLAR_PRICE_NAMES.map((name) => ({
    name,
    label: LABELS[name],
    kind: 'text',
    hint: HELPS[name],
    initial: now[name] === undefined ? '' : String(now[name]),
    check: (text) => (text === '' ? undefined : findFlagProblem(() => parseUsd(name, text))),
  }))
}
