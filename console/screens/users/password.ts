// Limits of the length of a password.
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../../core/users/user.ts'

export const isPasswordLength = ({ length }: string): boolean =>
  length >= MIN_PASSWORD_LENGTH && length <= MAX_PASSWORD_LENGTH
