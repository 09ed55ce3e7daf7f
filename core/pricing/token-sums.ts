// Tokens of a call added up, by the table: each counter that is in no other one, so that none counts twice.
import type { Usage } from '../dialects/usage.ts'
import type { Component } from './component.ts'
import { COMPONENTS } from './components.ts'

/** Members of `Usage` that hold tokens of their own: neither a part of another, nor in its place. */
const WHOLE = Object.values<Component>(COMPONENTS).flatMap(({ unit, field, partOf, insteadOf, limit }) =>
  unit === 'token' && field && !partOf && !insteadOf ? [{ field, ofPrompt: limit.by === 'prompt' }] : [],
)
const ALL = WHOLE.map(({ field }) => field)
const PROMPT = WHOLE.filter(({ ofPrompt }) => ofPrompt).map(({ field }) => field)

/** All that a limit of tokens per minute counts. */
export function allTokens(usage: Usage): number {
  let sum = 0
  for (const field of ALL) sum += usage[field] ?? 0
  return sum
}

/** What was asked, with what was read from a cache or written to one. */
export function wholePrompt(usage: Usage): number {
  let sum = 0
  for (const field of PROMPT) sum += usage[field] ?? 0
  return sum
}
