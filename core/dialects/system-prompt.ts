// An operator's words to the model, put before what the caller says.
import type { Message, ModelRequest } from './model-request.ts'

/** `always`: also where the caller has such words of its own, which then come second. */
export interface SystemPrompt {
  text: string
  always: boolean
}

const BETWEEN = '\n\n'

/** The operator's words before the caller's. */
export const before = (text: string, theirs: string): string => `${text}${BETWEEN}${theirs}`

/** A request of the neutral form with these words. */
export function withSystemPrompt(request: ModelRequest, prompt: SystemPrompt | undefined): ModelRequest {
  if (!prompt) return request
  const { messages } = request
  const at = messages.findIndex(({ role }) => role === 'system')
  const own = messages[at]
  const words = { type: 'text' as const, text: prompt.text }
  if (!own) return { ...request, messages: [{ role: 'system', content: [words] }, ...messages] }
  if (!prompt.always) return request
  const joined: Message = { ...own, content: [{ ...words, text: before(prompt.text, '') }, ...own.content] }
  return { ...request, messages: messages.with(at, joined) }
}
