// The models that are known to reason before they answer: most of them hide some of their reasoning, which is charged.
import { canReason, findModelFamily } from './model-fit.ts'

/** Models of vendors other than OpenAI that reason unless it is disabled. */
const THINKERS =
  /gemini-(?:2\.5|[3-9]|\d\d|(?:flash|flash-lite|pro)-latest)|deepseek-(?:r\d|reasoner|v4)|q[wv]q|thinking|reason|deep-research|grok-(?:3-mini|4|code|build)|magistral|kimi-k2\.[5-9]|glm-(?:4\.[5-9]|[5-9])|minimax-m\d|gpt-oss/i
const NON_REASONING = /non?-?(?:reasoning|thinking)/i

/** Does the model reason by default? `asked` is the caller's name for it. */
export const reasonsByDefault = (model: string, requestedModel: string = model): boolean =>
  canReason(findModelFamily(model, 'openai-responses', requestedModel)) ||
  [model, requestedModel].some((name) => THINKERS.test(name) && !NON_REASONING.test(name))
