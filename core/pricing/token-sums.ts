// Tokens of a call added up, by the table: each counter that is in no other one, so that none counts twice.
import type { Usage } from '../dialects/answers/usage.ts'
import type { PriceComponent } from './component.ts'
import { PRICE_COMPONENTS } from './components.ts'

/** Members of `Usage` with separate tokens: neither part of another member nor counted instead of one. */
const WHOLE = Object.values<PriceComponent>(PRICE_COMPONENTS).flatMap(({ unit, field, partOf, insteadOf, limit }) =>
  unit === 'token' && field && !partOf && !insteadOf ? [{ field, ofPrompt: limit.by === 'prompt' }] : [],
)
const ALL = WHOLE.map(({ field }) => field)
const PROMPT = WHOLE.filter(({ ofPrompt }) => ofPrompt).map(({ field }) => field)

/** All that a limit of tokens per minute counts. */
export function countAllTokens(usage: Usage): number {
  let sum = 0
  for (const field of ALL) sum += usage[field] ?? 0
  return sum
}

/** Returns the tokens of the prompt, including those read from a cache or written to one. */
export function countPromptTokens(usage: Usage): number {
  let sum = 0
  for (const field of PROMPT) sum += usage[field] ?? 0
  return sum
}
