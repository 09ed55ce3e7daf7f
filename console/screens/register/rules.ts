// Validates the form as it is filled in.
import { MAX_PASSWORD_LENGTH, MAX_USERNAME_LENGTH, MIN_PASSWORD_LENGTH } from '../../../core/users/user.ts'
import { type Translate } from '../../data/texts.tsx'

export const blankRegisterForm = { username: '', password: '', password2: '', email: '', verification_code: '' }
export type RegisterForm = typeof blankRegisterForm
export type RegisterField = keyof RegisterForm

type Wrong = Partial<Record<RegisterField, string>>

/** @param byMail an email address and the code sent to it are required */
export function findFieldError(form: RegisterForm, byMail: boolean, t: Translate): Wrong {
  const [name, password] = [form.username.trim(), form.password]
  return {
    ...first('username', [
      [name === '', t('enter a username')],
      [name.includes('@'), t('a username cannot contain @')],
      [
        isTooLong(form, 'username'),
        t('up to {max} characters: {count} now', { max: MAX_USERNAME_LENGTH, count: name.length }),
      ],
    ]),
    ...first('password', [
      [
        password.length < MIN_PASSWORD_LENGTH,
        t('password length cannot be less than {min}', { min: MIN_PASSWORD_LENGTH }),
      ],
      [
        isTooLong(form, 'password'),
        t('{min} to {max} characters: {count} now', {
          min: MIN_PASSWORD_LENGTH,
          max: MAX_PASSWORD_LENGTH,
          count: password.length,
        }),
      ],
    ]),
    ...first('password2', [[form.password2 !== password, t('the two passwords do not match')]]),
    ...(byMail && {
      ...first('email', [[form.email.trim() === '', t('enter the email address')]]),
      ...first('verification_code', [[form.verification_code.trim() === '', t('enter the email verification code')]]),
    }),
  }
}

/** Returns whether the text is too long, which is shown while the user is still typing. */
export function isTooLong({ username, password }: RegisterForm, name: RegisterField): boolean {
  if (name === 'username') return username.trim().length > MAX_USERNAME_LENGTH
  return name === 'password' && password.length > MAX_PASSWORD_LENGTH
}

const first = (name: RegisterField, rules: [broken: boolean, message: string][]): Wrong => {
  const broken = rules.find(([is]) => is)
  return broken ? { [name]: broken[1] } : {}
}

/** The field of each error code of the server. */
export const FIELD_BY_CODE: Readonly<Record<string, RegisterField>> = {
  'user.name_taken': 'username',
  'email.invalid': 'email',
  'email.domain': 'email',
  'email.alias': 'email',
  'email.taken': 'email',
  'verification.wrong': 'verification_code',
}
