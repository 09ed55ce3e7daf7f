// The worked cases of charges, which lie beside the repository, and what they say in our words.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Usage } from '../../../core/dialects/answers/usage.ts'
import type { Price } from '../../../core/pricing/price.ts'
import type { TopUpRequest } from '../../../core/pricing/topup-amount.ts'

const file = fileURLToPath(new URL('../../../../shared/reference/billing-cases.json', import.meta.url))

type Counts = Record<string, number>
type Turn = Record<'text_input' | 'text_output' | 'audio_input' | 'audio_output', number>
type Balances = Record<'quota' | 'used_quota' | 'request_count' | 'remain_quota', number>

interface Pricing {
  mode: 'ratio' | 'fixed'
  model_ratio: number
  model_price: number
  completion_ratio?: number
  cache_ratio?: number
  create_cache_ratio?: number
  image_ratio?: number
  audio_ratio?: number
  audio_completion_ratio?: number
  audio_input_usd_per_1m?: number
  size_multiplier?: number
  quality_multiplier?: number
}

/** Every field that some kind of case gives: a check reads those of its kind. */
export interface Given extends TopUpRequest {
  pricing: Pricing
  usage: Partial<Counts & Turn> & { semantic?: string }
  tools?: { name: string; calls: number; price_per_1k: number }[]
  request?: { n: number; size: string; quality: string }
  turns: Turn[]
  upstream_ok: boolean
  group_ratio: number
  quota_per_unit: number
  prompt_tokens_estimate: number
  max_tokens: number
  pre_consumed_quota_option: number
  user_quota: number
  token: Balances & { unlimited: boolean }
  user: Balances
  channel: Balances
  /** Of gateways that let calls of some users pass without a hold. */
  trust_policy?: { kind: string }
  hold: number
  actual_quota: number
  outcome: 'success' | 'failure'
  playground: boolean
  input_usd_per_1m: number
  output_usd_per_1m: number
  cached_usd_per_1m: number
  cache_write_usd_per_1m: number
  group_ratio_map: Counts
  special_ratio_map: Record<string, Counts>
  usable_groups: Record<string, string>
  user_group: string
  token_group: string
  model: string
  configured_completion_ratio: number | null
  self_use_mode: boolean
  accept_unset_model_ratio_model: boolean
  width: number
  height: number
  detail: string
  format: string
  bytes: number
  direction: 'input' | 'output'
}

/** Every result that some kind of case expects. */
export interface Expected {
  quota: number
  usd: string
  tokens: number
  tool_quota?: number
  estimate: number
  result: 'accept' | 'reject'
  error: string
  http_status: number
  hold: number
  user_quota_after: number
  token_remain_after?: number
  user: Balances
  token: Balances
  channel: Balances
  consume_log_rows: number
  consume_log_quota?: number
  model_ratio: number
  completion_ratio: number
  cache_ratio?: number
  create_cache_ratio?: number
  quota_per_1m_input: number
  quota_per_1m_output: number
  using_group: string
  ratio: number
  special: boolean
  code: string
  debits: number[]
  seconds: string
}

export interface Case {
  name: string
  kind: string
  given: Given
  expect: Expected
}

/** Every case; none where the reference is not at hand. */
export const cases: Case[] = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Case[]) : []

export const QUOTA_PER_UNIT = 500_000

export const nothing: Usage = {
  input: 0,
  cache_read: 0,
  cache_write: 0,
  cache_write_1h: 0,
  output: 0,
  reasoning: 0,
  source: 'reported',
}

export function priceOf({ pricing, tools = [], request }: Pick<Given, 'pricing' | 'tools' | 'request'>): Price {
  const extras = { tools: Object.fromEntries(tools.map((tool) => [tool.name, tool.price_per_1k])) }
  if (pricing.mode === 'fixed') {
    const { size_multiplier = 1, quality_multiplier = 1 } = pricing
    const { size = '', quality = '' } = request ?? {}
    return {
      ...extras,
      kind: 'per_call',
      model_price: pricing.model_price,
      image_multipliers: { [size]: size_multiplier, [quality]: quality_multiplier },
    }
  }
  const { model_ratio, completion_ratio = 1, cache_ratio = 1, create_cache_ratio = 1.25, image_ratio } = pricing
  const { audio_ratio, audio_completion_ratio, audio_input_usd_per_1m: audio_input_price } = pricing
  return {
    ...extras,
    kind: 'per_usage',
    model_ratio,
    completion_ratio,
    cache_ratio,
    create_cache_ratio,
    image_ratio,
    audio_ratio,
    audio_completion_ratio,
    audio_input_price,
  }
}

/** The buckets of the reference, which are what is left after normalising, as usage. */
export function usageOf({ usage, tools, request, upstream_ok }: Given): Usage {
  const calls = tools && Object.fromEntries(tools.map((t) => [t.name, t.calls]))
  if (request) return { ...nothing, images: { ...(request as object), n: upstream_ok ? request.n : 0 } }
  const of = (key: string): number => (usage as Counts)[key] ?? 0
  if ('characters' in usage || 'audio_seconds' in usage) {
    return { ...nothing, characters: of('characters'), seconds: of('audio_seconds') }
  }
  if ('text_input' in usage) return turnUsage(usage as Turn)
  const cache_read = of('cached_tokens') + of('cache_read_tokens')
  const cache_write = of('cache_write_tokens') + of('cache_write_5m_tokens')
  const image_in = of('image_tokens')
  const prompt = of('prompt_tokens') + of('total_tokens')
  return {
    ...nothing,
    input: usage.semantic === 'anthropic' ? of('input_tokens') : Math.max(0, prompt - cache_read - cache_write),
    cache_read,
    cache_write,
    cache_write_1h: of('cache_write_1h_tokens'),
    output: of('completion_tokens') + of('output_tokens'),
    reasoning: of('reasoning_tokens'),
    image_in,
    audio_in: of('audio_tokens'),
    ...(calls ? { calls } : {}),
  }
}

export const turnUsage = (turn: Turn): Usage => ({
  ...nothing,
  input: turn.text_input + turn.audio_input,
  audio_in: turn.audio_input,
  output: turn.text_output + turn.audio_output,
  audio_out: turn.audio_output,
})

/** Weir holds for everybody: it has no rule that lets calls pass without. */
export const isOffered = ({ given }: Case): boolean => (given.trust_policy?.kind ?? 'off') === 'off'
