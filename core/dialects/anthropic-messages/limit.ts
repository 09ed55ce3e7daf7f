// The default output limit, used if neither the caller nor the operator sets one: this format requires a limit.
import { findModelFacts, type RefreshedFacts } from '../../models/model-facts.ts'

/** Limit for unknown models, in tokens. */
const OF_UNKNOWN = 8192
/** Factor by which a prompt may exceed its estimate. */
const MISCOUNT = 1.5

/**
 * Returns the model's own limit, in tokens. Models before 4.5 reject a limit that does not fit into their context after
 * the prompt, so long prompts leave less.
 * @param prompt estimated prompt tokens; 0 if unknown
 * @param refreshed model facts that operators have adopted
 */
export function getDefaultTokenLimit(model: string, prompt = 0, refreshed?: RefreshedFacts): number {
  const facts = findModelFacts(model, refreshed)
  if (!facts || facts.output === 0) return OF_UNKNOWN
  const room = Math.floor(facts.context - prompt * MISCOUNT)
  return Math.min(facts.output, Math.max(room, OF_UNKNOWN))
}
