// A prompt longer than its model's context: OpenAI's format has a code for it, others only a message, which clients
// check.
import type { CallFailure } from './call-failure.ts'
import { codeOfStatus } from './error-code.ts'

export const TOO_LONG = 'context_length_exceeded'

/** The messages of Anthropic, Google and common servers of open models. */
const words =
  /prompt is too long|input token count .*exceeds the maximum|maximum context length|exceeds?\b.* context (?:window|limit|size|length)/i

/** Translates the code of a failure for another format: the code of such a prompt, or that of its status. */
export function translateFailureCode(failure: CallFailure): CallFailure {
  if (failure.status === 400 && words.test(failure.message)) return { ...failure, code: TOO_LONG }
  return typeof failure.code === 'string' ? failure : { ...failure, code: codeOfStatus(failure.status) }
}
