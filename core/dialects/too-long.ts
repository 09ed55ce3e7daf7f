// A prompt longer than its model takes: OpenAI's format has a code for it, others say it in words, which clients look for.
import type { CallFailure } from './call-failure.ts'
import { codeOfStatus } from './error-code.ts'

export const TOO_LONG = 'context_length_exceeded'

/** What Anthropic, Google and the common servers of open models say. */
const words =
  /prompt is too long|input token count .*exceeds the maximum|maximum context length|exceeds?\b.* context (?:window|limit|size|length)/i

/** A failure that is told in another format than it came in: with the code of such a prompt, or that of its status. */
export function translateFailureCode(failure: CallFailure): CallFailure {
  if (failure.status === 400 && words.test(failure.message)) return { ...failure, code: TOO_LONG }
  return typeof failure.code === 'string' ? failure : { ...failure, code: codeOfStatus(failure.status) }
}
