// The charge of a log row, worked out again from nothing but the row: its tokens and its `other`, in exact fractions.
import { fraction, type Fraction } from '../core/pricing/exact.ts'

/** The columns of a log row that a charge depends on. */
export interface Row {
  prompt_tokens: number
  completion_tokens: number
  quota: number
  other: string
}

const of = (value: unknown, otherwise = 0): Fraction => fraction(typeof value === 'number' ? value : otherwise)
const product = (...factors: (Fraction | number | string)[]): Fraction =>
  factors.map((one) => (typeof one === 'object' ? one : fraction(one))).reduce((a, b) => a.times(b))
const sum = (parts: Fraction[]): Fraction => parts.reduce((a, b) => a.plus(b), fraction(0))
const atLeastZero = (value: number): number => Math.max(0, value)

/** docs/billing.md, 4, 5 and 11.3. */
export function recomputed(row: Row): number {
  const other = JSON.parse(row.other) as Record<string, unknown>
  const number = (key: string): number => (typeof other[key] === 'number' ? other[key] : 0)
  const tiers = (other.tier_ratio ?? {}) as Record<string, number>
  const tier = (part: string) => of(tiers[part], 1)
  const group = of(other.group_ratio, 1)
  const dollar = group.times(of(other.quota_per_unit, 500_000))
  const model = of(other.model_ratio).times(group)
  const byCall = other.model_price !== -1

  const read = number('cache_tokens')
  const written = number('cache_creation_tokens')
  const lasting = number('cache_creation_tokens_1h')
  const heard = number('audio_input')
  const seen = number('image_input')
  const spoken = number('audio_output')
  const pictures = other.image_count as number | undefined
  const tokens =
    row.prompt_tokens - (other.claude ? 0 : read + written) === pictures && row.completion_tokens === 0
      ? 0
      : row.prompt_tokens
  const plain = atLeastZero(tokens - (other.claude ? 0 : read + written) - heard - seen)

  const parts: Fraction[] = []
  const rates: Fraction[] = []
  const add = (count: number, ...rate: (Fraction | number | string)[]) => {
    rates.push(product(...rate))
    parts.push(product(count, ...rate))
  }
  if (byCall && pictures === undefined) add(1, dollar, of(other.model_price), tier('input'))
  if (byCall && pictures !== undefined) add(pictures, dollar, of(other.model_price), tier('input'))
  if (!byCall) {
    add(plain, model, tier('input'))
    add(seen, model, of(other.image_ratio, 1), tier('input'))
    if (other.audio_input_seperate_price) {
      add(number('audio_input_token_count'), dollar, of(other.audio_input_price), '0.000001', tier('input'))
    } else add(heard, model, of(other.audio_ratio, 1), tier('input'))
    add(read, model, of(other.cache_ratio), tier('cache_read'))
    add(written - lasting, model, of(other.cache_creation_ratio), tier('cache_write'))
    add(lasting, model, of(other.cache_creation_ratio_1h), tier('cache_write'))
    add(atLeastZero(row.completion_tokens - spoken), model, of(other.completion_ratio), tier('output'))
    add(spoken, model, of(other.audio_ratio, 1), of(other.audio_completion_ratio, 1), tier('output'))
    if (row.completion_tokens === 0 && pictures) add(pictures, dollar, of(other.image_price), tier('input'))
  }
  const tools = (other.tools ?? []) as { calls: number; price: number }[]
  for (const { calls, price } of tools) add(calls, dollar, price, '0.001')

  const used = row.prompt_tokens + row.completion_tokens + read + written + (pictures ?? 0) + tools.length > 0
  if (!used) return 0
  const total = sum(parts)
  const least = rates.some((rate) => !rate.isZero()) ? 1 : 0
  const before = other.session_before as { exact: string; debited: number } | undefined
  const due = Number(total.plus(fraction(before?.exact ?? 0)).roundedHalfUp())
  return Math.max(due, least, before?.debited ?? 0) - (before?.debited ?? 0)
}
