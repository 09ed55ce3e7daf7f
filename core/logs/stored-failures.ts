// Translates failures that were stored as text, such as those of calls and channel tests, to the reader's language.
import { errors } from '../errors.data.ts'
import { createFailureTranslator, type TranslateFailure } from './sentence-matcher.ts'

/** Translates any declared failure. */
export const translateStoredFailure: TranslateFailure = createFailureTranslator(errors)
