// How hard to think: some formats name an effort, others a number of tokens.
import type { ImpliedWords, ModelRequest } from './model-request.ts'

/** Unit: tokens. The least that a name stands for. */
const budgets: readonly [effort: string, tokens: number][] = [
  ['none', 0],
  ['minimal', 512],
  ['low', 1024],
  ['medium', 8192],
  ['high', 16_384],
  ['xhigh', 32_768],
  ['max', 65_536],
]

/** The effort that comes nearest to a budget from below; undefined where the model decides (-1). */
export function toReasoningEffort(budget: number): string | undefined {
  if (budget < 0) return undefined
  return budgets.findLast(([, tokens]) => tokens <= budget)?.[0]
}

/** The budget an effort stands for, in tokens; undefined for a name nobody knows. */
export const toReasoningBudget = (effort: string): number | undefined => budgets.find(([name]) => name === effort)?.[1]

/** The request with the words its model's name stands for; what the caller says itself counts more. */
export function withImplied(
  request: ModelRequest,
  { modalities, max_tokens, ...thinking }: ImpliedWords = {},
): ModelRequest {
  const says = request.reasoning_effort !== undefined || request.reasoning_budget !== undefined
  const plain = { ...(modalities ? { modalities } : {}), ...(max_tokens ? { max_tokens } : {}) }
  return { ...plain, ...(says ? {} : thinking), ...request }
}
