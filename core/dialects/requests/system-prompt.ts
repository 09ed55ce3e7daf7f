// Prepends an operator's system prompt to the caller's.
import type { Message, ModelRequest } from '../model-request.ts'

/** `always`: also if the caller has a system prompt, which then comes second. */
export interface SystemPrompt {
  text: string
  always: boolean
}

const BETWEEN = '\n\n'

/** Prepends the operator's text to the caller's. */
export const prependPrompt = (text: string, callerText: string): string => `${text}${BETWEEN}${callerText}`

/** Returns a neutral request with this system prompt. */
export function withSystemPrompt(request: ModelRequest, prompt: SystemPrompt | undefined): ModelRequest {
  if (!prompt) return request
  const { messages } = request
  const at = messages.findIndex(({ role }) => role === 'system')
  const own = messages[at]
  const words = { type: 'text' as const, text: prompt.text }
  if (!own) return { ...request, messages: [{ role: 'system', content: [words] }, ...messages] }
  if (!prompt.always) return request
  const joined: Message = { ...own, content: [{ ...words, text: prependPrompt(prompt.text, '') }, ...own.content] }
  return { ...request, messages: messages.with(at, joined) }
}
