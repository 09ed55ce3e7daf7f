// What every declared failure says, in both languages.
import { errors } from '../../core/errors.data.ts'

export const failureWords = Object.fromEntries(Object.entries(errors).map(([code, { en, zh }]) => [code, { en, zh }]))
