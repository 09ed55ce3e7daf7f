// The text of a failure, by its reader.
import type { CallFailure } from '../dialects/answers/call-failure.ts'
import type { Language } from '../errors.ts'

/** Returns the message in the reader's language. A provider's message is not translated. */
export const getFailureMessage = ({ message, zh = message }: CallFailure, language: Language): string =>
  language === 'zh' ? zh : message

/** Why, in a word: the code that provider or gateway gave it, else its type, else its status. */
export const getFailureCode = ({ code, type, status }: CallFailure): string => String(code ?? (type || status))
