// Converts the amount of reasoning: some formats have an effort, others a number of tokens.
import type { ModelNameSuffixes, ModelRequest } from '../model-request.ts'

/** Smallest budget of each effort, in tokens. */
const budgets: readonly [effort: string, tokens: number][] = [
  ['none', 0],
  ['minimal', 512],
  ['low', 1024],
  ['medium', 8192],
  ['high', 16_384],
  ['xhigh', 32_768],
  ['max', 65_536],
]

/** Returns the highest effort within a budget; undefined if the model decides (-1). */
export function toReasoningEffort(budget: number): string | undefined {
  if (budget < 0) return undefined
  return budgets.findLast(([, tokens]) => tokens <= budget)?.[0]
}

/** Returns the budget of an effort, in tokens; undefined for an unknown name. */
export const toReasoningBudget = (effort: string): number | undefined => budgets.find(([name]) => name === effort)?.[1]

/** Adds the fields that the model's name implies to the request; the caller's own take precedence. */
export function addImpliedFields(
  request: ModelRequest,
  { modalities, max_tokens, ...thinking }: ModelNameSuffixes = {},
): ModelRequest {
  const hasReasoning = request.reasoning_effort !== undefined || request.reasoning_budget !== undefined
  const plain = { ...(modalities ? { modalities } : {}), ...(max_tokens ? { max_tokens } : {}) }
  return { ...plain, ...(hasReasoning ? {} : thinking), ...request }
}
