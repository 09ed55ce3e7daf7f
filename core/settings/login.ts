// Settings of sign-in and registration: who may, and with which addresses.
import { z } from 'zod'
import { GatewayError } from '../errors.ts'
import { count, flag, needs, refused, setting, text, type Others, type Value } from './setting.ts'

const section = 'login'

const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i

/** A comma list of domains, each once. */
const domains = (initial: string): Value<string> => ({
  ...text(initial),
  schema: z
    .string()
    .transform((list) =>
      list
        .split(',')
        .map((domain) => domain.trim().toLowerCase())
        .filter((domain) => domain !== ''),
    )
    .refine((list) => list.every((domain) => DOMAIN.test(domain)), refused('setting.domain', { host: 'example.com' }))
    .refine((list) => new Set(list).size === list.length, refused('setting.domain_listed'))
    .transform((list) => list.join(',')),
})

/** The other ways to sign in. */
const METHODS = [
  'GitHubOAuthEnabled',
  'oidc.enabled',
  'LinuxDOOAuthEnabled',
  'WeChatAuthEnabled',
  'TelegramOAuthEnabled',
]

const closesEveryDoor = (byPassword: boolean, others: Others) =>
  byPassword || METHODS.some((method) => others(method) === true) ? undefined : new GatewayError('setting.last_login')

export const login = {
  PasswordLoginEnabled: setting({
    value: flag(true),
    label: 'Password login',
    help: 'Users may sign in by password',
    section,
    writer: 'proven_admin',
    conflict: closesEveryDoor,
  }),
  PasswordRegisterEnabled: setting({
    value: flag(true),
    label: 'Password registration',
    help: 'New users may register with a password',
    section,
    writer: 'proven_admin',
  }),
  RegisterEnabled: setting({
    value: flag(true),
    label: 'Registration',
    help: 'New users may register at all',
    section,
    writer: 'proven_admin',
  }),
  StepUpMinutes: setting({
    value: count(15, { max: 1440 }),
    label: 'How long a proof of identity lasts',
    help: 'Whatever moves money or secrets asks for it again: roles, balances, codes, prices, bindings, secrets, accounts; 0: nothing asks',
    section,
    writer: 'root',
    unit: 'minutes',
  }),
  EmailVerificationEnabled: setting<boolean>({
    value: flag(false),
    label: 'E-mail verification',
    help: 'New users give an e-mail address and the code that was sent to it. Needs a mail server',
    section,
    writer: 'proven_admin',
    conflict: needs(['SMTPServer'], 'mail.none'),
  }),
  EmailDomainRestrictionEnabled: setting<boolean>({
    value: flag(false),
    label: 'Only listed e-mail domains',
    help: 'Verification codes are sent to addresses of the domains below only',
    section,
    writer: 'admin',
    conflict: needs(['EmailDomainWhitelist'], 'setting.needs_domains'),
  }),
  EmailAliasRestrictionEnabled: setting({
    value: flag(false),
    label: 'No e-mail aliases',
    help: 'Addresses with + or . before the @ are refused',
    section,
    writer: 'admin',
  }),
  EmailDomainWhitelist: setting({
    value: domains('gmail.com,163.com,126.com,qq.com,outlook.com,hotmail.com,icloud.com,yahoo.com,foxmail.com'),
    label: 'E-mail domains',
    help: 'Comma list, matched exactly',
    section,
    writer: 'admin',
  }),
}
