// Limits of the length of a password.
import { MAX_PASSWORD, MIN_PASSWORD } from '../../../core/users/user.ts'

export const isPasswordLength = ({ length }: string): boolean => length >= MIN_PASSWORD && length <= MAX_PASSWORD
