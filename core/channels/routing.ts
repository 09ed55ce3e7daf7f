// Which channel a call goes to next: highest priority first, by weight within one priority, none twice in a call.

/** Added to every weight, so that a channel of weight 0 still gets calls. */
const WEIGHT_FLOOR = 10

interface Candidate {
  id: number
  priority: number
  weight: number
  max_input_tokens: number
}

/**
 * Chooses among candidates. A priority tier is used up before the next is tried.
 * `chance` is a number of at least 0 and below 1; `promptTokens` rules out channels that take only shorter prompts.
 */
export function choose<C extends Candidate>(
  candidates: readonly C[],
  tried: ReadonlySet<number>,
  promptTokens: number,
  chance: number,
): C | undefined {
  const left = candidates.filter(
    (each) => !tried.has(each.id) && (each.max_input_tokens <= 0 || each.max_input_tokens >= promptTokens),
  )
  if (left.length === 0) return undefined
  const best = Math.max(...left.map((each) => each.priority))
  const tier = left.filter((each) => each.priority === best)
  const total = tier.reduce((sum, each) => sum + each.weight + WEIGHT_FLOOR, 0)
  let mark = chance * total
  for (const each of tier) {
    mark -= each.weight + WEIGHT_FLOOR
    if (mark < 0) return each
  }
  return tier[tier.length - 1]
}
