// Which models think before they answer, so far as is known: most of them keep some of it to themselves, and are paid for it.
import { findModelFamily, canReason } from './families.ts'

/** Models of other vendors than OpenAI that think unless they are told not to. */
const THINKERS =
  /gemini-(?:2\.5|[3-9]|\d\d|(?:flash|flash-lite|pro)-latest)|deepseek-(?:r\d|reasoner|v4)|q[wv]q|thinking|reason|deep-research|grok-(?:3-mini|4|code|build)|magistral|kimi-k2\.[5-9]|glm-(?:4\.[5-9]|[5-9])|minimax-m\d|gpt-oss/i
const TOLD_NOT_TO = /non?-?(?:reasoning|thinking)/i

/** Does it think where nobody says anything of it? `asked` is the caller's name for it. */
export const reasonsByDefault = (model: string, asked: string = model): boolean =>
  canReason(findModelFamily(model, 'openai-responses', asked)) ||
  [model, asked].some((name) => THINKERS.test(name) && !TOLD_NOT_TO.test(name))
