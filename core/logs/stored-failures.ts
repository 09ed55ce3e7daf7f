// Failures that were stored as they were told, such as those of calls and channel tests, in the language of who reads them.
import { errors } from '../errors.data.ts'
import { failureTeller, type TranslateFailure } from './retelling.ts'

/** Of every failure that is declared. */
export const retoldFailure: TranslateFailure = failureTeller(errors)
