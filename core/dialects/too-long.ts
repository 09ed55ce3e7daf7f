// A prompt longer than its model takes: OpenAI's format has a code for it, others say it in words, which clients look for.
import type { CallFailure } from './dialect.ts'

export const TOO_LONG = 'context_length_exceeded'

/** What Anthropic, Google and the common servers of open models say. */
const words =
  /prompt is too long|input token count .*exceeds the maximum|maximum context length|exceeds?\b.* context (?:window|limit|size|length)/i

/** A failure that is told in another format than it came in: with the code where it is such a prompt. */
export const recoded = (failure: CallFailure): CallFailure =>
  failure.status === 400 && words.test(failure.message) ? { ...failure, code: TOO_LONG } : failure
