// Translates failures that were stored as text, such as those of calls and channel tests, to the reader's language.
import { errors } from '../errors.data.ts'
import type { ErrorCode } from '../errors.ts'
import type { TemplateFilling, TranslateFailure } from './sentence-matcher.ts'
import { createFailureTranslator, createSentenceMatcher } from './sentence-matcher.ts'

/** Placeholders of errors that are often empty: additions to the sentence. */
const ADDITIONS = new Set(['at', 'fits', 'last', 'zero'])
const getFilling = (name: string): TemplateFilling => (ADDITIONS.has(name) ? 'text or nothing' : 'text')

/** Translates any declared failure. */
export const translateStoredFailure: TranslateFailure = createFailureTranslator(errors, getFilling)

const matchError = createSentenceMatcher(errors, { fillings: getFilling, mayHaveReason: true })

/** Returns the code of the declared error that a text is, in either language; undefined for other texts. */
export const findFailureCode = (text: string): ErrorCode | undefined => matchError(text)?.name
