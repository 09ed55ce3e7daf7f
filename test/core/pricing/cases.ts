// Worked billing cases that lie beside the repository; tests that use them are skipped where they are absent.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Usage } from '../../../core/dialects/dialect.ts'
import type { Price } from '../../../core/pricing/price.ts'

const file = fileURLToPath(new URL('../../../../shared/reference/billing-cases.json', import.meta.url))

export const present = existsSync(file)

type Given = Record<string, unknown>

export interface Case {
  name: string
  kind: string
  given: Given
  expect: Record<string, unknown>
}

/** Every case of these kinds. */
export const casesOf = (...kinds: string[]): Case[] =>
  present ? (JSON.parse(readFileSync(file, 'utf8')) as Case[]).filter(({ kind }) => kinds.includes(kind)) : []

const number = (value: unknown, otherwise = 0): number => (typeof value === 'number' ? value : otherwise)
const part = (given: Given, name: string): Given => (given[name] ?? {}) as Given

/** Prices whose image or audio parts we do not charge apart yet. */
export const needsMore = ({ given }: Case): boolean =>
  part(given, 'pricing').image_ratio !== undefined && part(given, 'usage').image_tokens !== undefined
    ? true
    : part(given, 'pricing').audio_input_usd_per_1m !== undefined

export function priceIn(given: Given): Price {
  const pricing = part(given, 'pricing')
  if (pricing.mode === 'fixed') return { kind: 'per_call', model_price: number(pricing.model_price) }
  return {
    kind: 'per_usage',
    model_ratio: number(pricing.model_ratio),
    completion_ratio: number(pricing.completion_ratio, 1),
    cache_ratio: number(pricing.cache_ratio, 1),
    create_cache_ratio: number(pricing.create_cache_ratio, 1.25),
  }
}

/** Disjoint counters from a case's usage, as section 4.1 and 4.3 name them. */
export function usageIn(given: Given): Usage {
  const usage = part(given, 'usage')
  const none = { cache_read: 0, cache_write: 0, cache_write_1h: 0, reasoning: 0, source: 'reported' as const }
  if (usage.semantic === 'anthropic') {
    return {
      ...none,
      input: number(usage.input_tokens),
      cache_read: number(usage.cache_read_tokens),
      cache_write: number(usage.cache_write_tokens) + number(usage.cache_write_5m_tokens),
      cache_write_1h: number(usage.cache_write_1h_tokens),
      output: number(usage.output_tokens),
    }
  }
  const cached = number(usage.cached_tokens)
  const written = number(usage.cache_write_tokens)
  return {
    ...none,
    input: Math.max(0, number(usage.prompt_tokens, number(usage.total_tokens)) - cached - written),
    cache_read: cached,
    cache_write: written,
    output: number(usage.completion_tokens),
    reasoning: number(usage.reasoning_tokens),
  }
}

export const groupRatioIn = (given: Given): number => number(given.group_ratio, 1)
export const quotaPerUnitIn = (given: Given): number => number(given.quota_per_unit, 500_000)
