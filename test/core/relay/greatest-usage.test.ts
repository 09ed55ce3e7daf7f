// The longest answer that a call may be held for follows the facts of its model, refreshed ones first.
import { expect, it } from 'vitest'
import { openaiChat } from '../../../core/dialects/openai-chat/index.ts'
import { toJsonBytes } from '../../../core/dialects/json/json-bytes.ts'
import type { RefreshedFacts } from '../../../core/models/model-facts.ts'
import type { Price } from '../../../core/pricing/price.ts'
import { getMaxUsage } from '../../../core/relay/usage-bounds.ts'

const price: Price = {
  kind: 'per_usage',
  model_ratio: 1,
  completion_ratio: 5,
  cache_ratio: 1,
  create_cache_ratio: 1.25,
}

function longestAnswer(model: string, facts: RefreshedFacts, limit?: number): number {
  const body = toJsonBytes({ model, messages: [{ role: 'user', content: 'Hello' }], max_tokens: limit })
  return getMaxUsage({ inbound: openaiChat, body }, openaiChat.readRequestHead(body), {
    price,
    listedName: model,
    facts,
  }).output
}

it.each<[string, string, RefreshedFacts, number | undefined, number]>([
  ['the data file', 'claude-sonnet-4-6', {}, undefined, 128_000],
  [
    'what the operator has taken over',
    'claude-sonnet-4-6',
    { 'claude-sonnet-4-6': { output: 64_000 } },
    undefined,
    64_000,
  ],
  [
    'the limit of a caller, up to that',
    'claude-sonnet-4-6',
    { 'claude-sonnet-4-6': { output: 64_000 } },
    100_000,
    64_000,
  ],
  ['a model that only the operator knows', 'house-model', { 'house-model': { output: 2000 } }, undefined, 2000],
  ['a guess, where nobody knows', 'house-model', {}, undefined, 16_384],
])('by %s', (_, model, facts, limit, longest) => {
  expect(longestAnswer(model, facts, limit)).toBe(longest)
})
