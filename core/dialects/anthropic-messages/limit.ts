// How long an answer may be where neither caller nor operator says so: this format requires a limit.
import { factsOf, type RefreshedFacts } from '../../models/model-facts.ts'

/** Of models nobody has declared. Unit: tokens. */
const OF_UNKNOWN = 8192
/** A prompt may be so much longer than it was estimated. */
const MISCOUNT = 1.5

/**
 * The model's own limit, in tokens. Models before 4.5 refuse a limit that does not fit behind the prompt into their
 * context, so that long prompts leave less.
 * @param prompt roughly, in tokens; 0 where it is not known
 * @param refreshed the facts of models that operators have taken over
 */
export function defaultLimit(model: string, prompt = 0, refreshed?: RefreshedFacts): number {
  const facts = factsOf(model, refreshed)
  if (!facts || facts.output === 0) return OF_UNKNOWN
  const room = Math.floor(facts.context - prompt * MISCOUNT)
  return Math.min(facts.output, Math.max(room, OF_UNKNOWN))
}
