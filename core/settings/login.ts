// Settings of sign-in and registration: who may, and with which addresses.
import { z } from 'zod'
import { GatewayError, words } from '../errors.ts'
import { loginMethodSettings } from './login-methods.ts'
import {
  count,
  flag,
  needsSettings,
  failWithCode,
  setting,
  text,
  type OtherSettings,
  type Setting,
  type SettingValue,
  settingUnits,
} from './setting.ts'
import { signInServices } from './sign-in-services.ts'

const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i

/** A comma list of domains, each once. */
const domains = (initial: string): SettingValue<string> => ({
  ...text(initial),
  schema: z
    .string()
    .transform((list) =>
      list
        .split(',')
        .map((domain) => domain.trim().toLowerCase())
        .filter((domain) => domain !== ''),
    )
    .refine(
      (list) => list.every((domain) => DOMAIN.test(domain)),
      failWithCode('setting.domain', { host: 'example.com' }),
    )
    .refine((list) => new Set(list).size === list.length, failWithCode('setting.domain_listed'))
    .transform((list) => list.join(',')),
})

/** Without the password there must be another way to sign in that is on and complete. */
const closesEveryDoor = (byPassword: boolean, others: OtherSettings) => {
  const isOffered = ({ setting: key }: { setting: keyof typeof loginMethodSettings }) =>
    others(key) === true && !(loginMethodSettings[key] as Setting<unknown>).conflict?.(true, others)
  return byPassword || Object.values(signInServices).some(isOffered)
    ? undefined
    : new GatewayError('setting.last_login')
}

export const loginSettings = {
  PasswordLoginEnabled: setting({
    value: flag(true),
    label: words('Password login'),
    help: words('Users may sign in by password'),
    card: 'system.login',
    order: 10,
    public: { name: 'password_login', order: 150, meaning: 'May people sign in by password?' },
    danger: words('Disable password login? This may affect how users sign in.'),
    dangerAt: false,
    writer: 'proven_admin',
    conflict: closesEveryDoor,
    whileConflicting: () => true,
  }),
  PasswordRegisterEnabled: setting({
    value: flag(true),
    label: words('Password registration'),
    help: words('New users may register with a password'),
    card: 'system.login',
    order: 20,
    public: { name: 'password_register', order: 160, meaning: 'May people make accounts by password?', before: false },
    shownWhen: { RegisterEnabled: true },
    writer: 'proven_admin',
  }),
  RegisterEnabled: setting({
    value: flag(true),
    label: words('Registration'),
    help: words('New users may register at all'),
    card: 'system.login',
    order: 15,
    public: { name: 'register_enabled', order: 140, meaning: 'May people make accounts?', before: false },
    writer: 'proven_admin',
  }),
  StepUpMinutes: setting({
    value: count(15, { max: 1440 }),
    label: words('How long a proof of identity lasts'),
    help: words('Required again for money and secrets: roles, balances, codes, prices, bindings, secrets, accounts'),
    zero: words('asking never'),
    card: 'system.login',
    order: 40,
    unit: settingUnits.minutes,
    danger: words('With 0, no proof is required any more.'),
    dangerAt: 0,
    writer: 'root',
  }),
  EmailVerificationEnabled: setting({
    value: flag(false),
    label: words('E-mail verification'),
    help: words('New users give an e-mail address and the code that was sent to it. Needs a mail server'),
    card: 'system.login',
    order: 30,
    public: { name: 'email_verification', order: 230, meaning: 'Is an e-mail address proven when an account is made?' },
    writer: 'proven_admin',
    conflict: needsSettings(['SMTPServer'], 'mail.none'),
  }),
  EmailDomainRestrictionEnabled: setting<boolean>({
    value: flag(false),
    label: words('Only listed e-mail domains'),
    help: words('Verification codes are sent to addresses of the domains below only'),
    card: 'system.email',
    order: 10,
    writer: 'admin',
    conflict: needsSettings(['EmailDomainWhitelist'], 'setting.needs_domains'),
  }),
  EmailAliasRestrictionEnabled: setting({
    value: flag(false),
    label: words('No e-mail aliases'),
    help: words('Addresses with + or . before the @ are refused'),
    card: 'system.email',
    order: 30,
    writer: 'admin',
  }),
  EmailDomainWhitelist: setting({
    value: domains('gmail.com,163.com,126.com,qq.com,outlook.com,hotmail.com,icloud.com,yahoo.com,foxmail.com'),
    label: words('E-mail domains'),
    help: words('Comma list, matched exactly'),
    card: 'system.email',
    order: 20,
    shownWhen: { EmailDomainRestrictionEnabled: true },
    writer: 'admin',
  }),
}
