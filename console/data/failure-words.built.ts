// The texts of every declared error, in both languages.
import { errors } from '../../core/errors.data.ts'

export const failureTextsByCode = Object.fromEntries(
  Object.entries(errors).map(([code, { en, zh }]) => [code, { en, zh }]),
)
