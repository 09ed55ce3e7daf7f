// Settings of sign-in and registration.
import { flag, setting } from './setting.ts'

const section = 'login'

export const login = {
  PasswordLoginEnabled: setting({
    value: flag(true),
    label: 'Password login',
    help: 'Users may sign in by password',
    section,
  }),
  PasswordRegisterEnabled: setting({
    value: flag(true),
    label: 'Password registration',
    help: 'New users may register with a password',
    section,
  }),
  RegisterEnabled: setting({
    value: flag(true),
    label: 'Registration',
    help: 'New users may register at all',
    section,
  }),
}
