// Flags of `prices set`, and the questions of its form.
import { words, type Words } from '../../core/errors.ts'
import { DOLLARS, type Dollars } from '../../core/prices/dollars.ts'
import { parseDollarFlag } from '../amount.ts'
import type { Question } from '../parts/form-state.ts'
import type { PriceRow } from './price.ts'
import { problemOf } from './questions.ts'

/** Returns the flag for a price in dollars: `--cache-read <dollars>`. */
const flagName = (name: string) => `--${name.replaceAll('_', '-')}`
const HELPS: Record<keyof Dollars, ReturnType<typeof words>> = {
  input: words('dollars per 1M tokens of the prompt', '每 100 万输入 token 的美元价格'),
  output: words('dollars per 1M tokens of the answer', '每 100 万输出 token 的美元价格'),
  cache_read: words('dollars per 1M tokens read from a cache', '每 100 万缓存读取 token 的美元价格'),
  cache_write: words('dollars per 1M tokens written to a cache', '每 100 万缓存写入 token 的美元价格'),
  cache_write_1h: words('the same for an hour', '同上，缓存一小时'),
  image_input: words('dollars per 1M tokens of pictures', '每 100 万图片 token 的美元价格'),
  audio_input: words('dollars per 1M tokens of audio input', '每 100 万音频输入 token 的美元价格'),
  audio_output: words('dollars per 1M tokens of sound spoken', '每 100 万音频输出 token 的美元价格'),
  call: words('dollars per call or picture, in place of tokens', '每次调用或每张图片的美元价格，代替按 token 计价'),
  video: words('dollars per second of video', '每秒视频的美元价格'),
}
export const dollarFlags = Object.fromEntries(
  DOLLARS.map((name) => [name, { flag: `${flagName(name)} <dollars>`, help: HELPS[name] }]),
) as Record<keyof Dollars, { flag: `--${string} <dollars>`; help: ReturnType<typeof words> }>

/** @throws UsageError naming the flag */
export const parseUsd = (name: keyof Dollars, typed: string): number => parseDollarFlag(flagName(name), typed)

const LABELS: Record<keyof Dollars, ReturnType<typeof words>> = {
  input: words('Input', '输入'),
  output: words('Output', '输出'),
  cache_read: words('Cache read', '缓存读取'),
  cache_write: words('Cache write', '缓存写入'),
  cache_write_1h: words('Cache write for an hour', '缓存写入（一小时）'),
  image_input: words('Pictures', '图片输入'),
  audio_input: words('Audio input', '音频输入'),
  audio_output: words('Sound spoken', '音频输出'),
  call: words('Each call', '每次调用'),
  video: words('Video', '视频'),
}

/** Prices that the form offers even if they are not set yet; the others must first be set by their flags. */
const OFFERED_PRICES: readonly string[] = ['input', 'output', 'cache_read', 'cache_write', 'call']

/** Returns the prices of a model by the names of their flags. */
export const dollarsOf = ({ prices }: Pick<PriceRow, 'prices'>): Dollars =>
  Object.fromEntries(
    DOLLARS.flatMap((name) => {
      const line = prices.find((one) => one.component === name && one.label === undefined)
      return line ? [[name, line.usd]] : []
    }),
  )

/** Lists the prices that differ, before and after, in dollars; without `before`, those that are set. */
export function listPriceChanges(before: Pick<PriceRow, 'prices'> | undefined, after: Pick<PriceRow, 'prices'>): Words {
  const [was, is] = [before ? dollarsOf(before) : {}, dollarsOf(after)]
  const changed = DOLLARS.filter((name) => was[name] !== is[name])
  const textOf = (usd: number | undefined) => (usd === undefined ? '–' : `$${usd}`)
  const join = (language: keyof Words) =>
    changed.map((name) => `\n  ${LABELS[name][language]}: ${textOf(was[name])} → ${textOf(is[name])}`).join('')
  return { en: join('en'), zh: join('zh') }
}

/** Returns one question for each price that the model has or usually has. */
export function priceQuestions(row: PriceRow): Question[] {
  const now = dollarsOf(row)
  return DOLLARS.filter((name) => now[name] !== undefined || OFFERED_PRICES.includes(name)).map((name) => ({
    name,
    label: LABELS[name],
    kind: 'text',
    hint: HELPS[name],
    initial: now[name] === undefined ? '' : String(now[name]),
    check: (text) => (text === '' ? undefined : problemOf(() => parseUsd(name, text))),
  }))
}
