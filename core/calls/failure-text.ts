// The text of a failure, by its reader.
import type { CallFailure } from '../dialects/call-failure.ts'
import type { Language } from '../errors.ts'

/** The message in the language of who reads it; a provider's own stays as it is. */
export const getFailureMessage = ({ message, zh = message }: CallFailure, language: Language): string =>
  language === 'zh' ? zh : message

/** Why, in a word: the code that provider or gateway gave it, else its type, else its status. */
export const getFailureCode = ({ code, type, status }: CallFailure): string => String(code ?? (type || status))
