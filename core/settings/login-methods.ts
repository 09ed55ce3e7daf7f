// Settings of the sign-in methods other than the password, and of the human check. Only the super administrator may
// change identity providers, since a malicious one could impersonate any user.
import { fillTemplate, joinList, words, type Words, GatewayError } from '../errors.ts'
import type { Card } from './cards.data.ts'
import type { Setting, OtherSettings, SettingValue } from './setting.ts'
import {
  address,
  baseAddress,
  flag,
  link,
  needsSettings,
  setting,
  text,
  count,
  failWithCode,
  settingUnits,
} from './setting.ts'
import { signInServices, type SignInServiceName } from './sign-in-services.ts'
import { z } from 'zod'

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

type LoginMethodName = SignInServiceName | 'turnstile'
type Details<N extends string> = Pick<Setting<string, N, string>, 'label' | 'help' | 'order' | 'public' | 'sentTo'>

/** The fields of a sign-in method, on a separate card. */
const card = (method: LoginMethodName): Card => `system.${method}`
const id = <const N extends string = never>(method: LoginMethodName, details: Details<N>): Setting<string, N, string> =>
  setting({ value: text(), card: card(method), writer: 'root', ...details })
const secret = (method: LoginMethodName, details: Details<never>) => setting({ ...id(method, details), secret: true })
const endpointAddress = <const N extends string = never>(method: LoginMethodName, details: Details<N>) =>
  setting({ ...id(method, details), value: address() })
const hostAddress = (method: LoginMethodName, details: Details<never>) =>
  setting({ ...id(method, details), value: baseAddress() })
/** Whether it is offered: on the card of signing in. */
const offered = <const T extends SignInServiceName>(
  type: T,
  service: Words,
  keys: string[],
  order: number,
  place: number,
) =>
  setting({
    value: flag(false),
    label: fillTemplate(words('Sign in with {service}'), { service }),
    help: fillTemplate(words('Needs {keys}'), { keys: joinList(keys) }),
    card: 'system.login',
    order,
    public: {
      name: signInServices[type].shown as (typeof signInServices)[T]['shown'],
      order: place,
      meaning: `Can people sign in with ${service.en}?`,
    },
    writer: 'root',
    conflict: needsSettings(keys, 'setting.needs_provider', { provider: service.en }),
    whileConflicting: () => false,
  })

export const loginMethodSettings = {
  GitHubOAuthEnabled: offered('github', words('GitHub'), ['GitHubClientId'], 100, 240),
  GitHubClientId: id('github', {
    label: words('GitHub client id'),
    help: words('Of the OAuth app; its callback is SERVER/oauth/github'),
    order: 10,
    public: { name: 'github_client_id', order: 250, meaning: 'GitHub: Id of the OAuth app' },
  }),
  GitHubClientSecret: secret('github', {
    label: words('GitHub client secret'),
    help: words('Of the OAuth app'),
    order: 20,
  }),
  LinuxDOOAuthEnabled: offered('linuxdo', words('LinuxDO'), ['LinuxDOClientId'], 110, 290),
  LinuxDOClientId: id('linuxdo', {
    label: words('LinuxDO client id'),
    help: words('Its callback is SERVER/oauth/linuxdo'),
    order: 10,
    public: { name: 'linuxdo_client_id', order: 300, meaning: 'LinuxDO: Id of the application' },
  }),
  LinuxDOClientSecret: secret('linuxdo', {
    label: words('LinuxDO client secret'),
    help: words('Of the LinuxDO application'),
    order: 20,
  }),
  'oidc.enabled': offered('oidc', words('OIDC'), ['oidc.client_id'], 120, 260),
  'oidc.client_id': id('oidc', {
    label: words('OIDC client id'),
    help: words('Its callback is SERVER/oauth/oidc'),
    order: 20,
    public: { name: 'oidc_client_id', order: 270, meaning: 'OIDC: Id of the client' },
  }),
  'oidc.client_secret': secret('oidc', {
    label: words('OIDC client secret'),
    help: words('Of the OIDC client'),
    order: 30,
    sentTo: ['oidc.well_known', 'oidc.token_endpoint'],
  }),
  'oidc.well_known': setting({
    value: address('setting.well_known'),
    label: words('OIDC well-known URL'),
    help: words('The discovery document; the endpoints below are read from it'),
    card: 'system.oidc',
    order: 10,
    writer: 'root',
    test: 'settings.readWellKnown',
  }),
  'oidc.authorization_endpoint': endpointAddress('oidc', {
    label: words('OIDC authorization endpoint'),
    help: words('Address that users are sent to in order to sign in'),
    order: 40,
    public: {
      name: 'oidc_authorization_endpoint',
      order: 280,
      meaning: 'OIDC: Page on which signing in with it begins',
    },
  }),
  'oidc.token_endpoint': endpointAddress('oidc', {
    label: words('OIDC token endpoint'),
    help: words('Address at which codes are exchanged'),
    order: 50,
  }),
  'oidc.user_info_endpoint': endpointAddress('oidc', {
    label: words('OIDC user info endpoint'),
    help: words('Address at which user data is read'),
    order: 60,
  }),
  WeChatAuthEnabled: offered('wechat', words('WeChat'), ['WeChatServerAddress'], 130, 310),
  WeChatServerAddress: hostAddress('wechat', {
    label: words('WeChat server address'),
    help: words('The helper server of an official account'),
    order: 10,
  }),
  WeChatServerToken: secret('wechat', {
    label: words('WeChat server token'),
    help: words('Sent to the helper server as Authorization'),
    order: 20,
    sentTo: ['WeChatServerAddress'],
  }),
  WeChatAccountQRCodeImageURL: setting({
    value: link(),
    label: words('WeChat QR code'),
    help: words('Address of the image that users scan to follow the account'),
    card: 'system.wechat',
    order: 30,
    public: { name: 'wechat_qrcode', order: 320, meaning: 'WeChat: Picture of the QR code of the account' },
    writer: 'root',
  }),
  TelegramOAuthEnabled: offered('telegram', words('Telegram'), ['TelegramBotToken'], 140, 330),
  TelegramBotToken: secret('telegram', {
    label: words('Telegram bot token'),
    help: words('Signs what the login widget returns'),
    order: 10,
  }),
  TelegramBotName: id('telegram', {
    label: words('Telegram bot name'),
    help: words('Shown by the login widget'),
    order: 20,
    public: { name: 'telegram_bot_name', order: 340, meaning: 'Telegram: Name of the bot' },
  }),
  TurnstileCheckEnabled: setting({
    value: flag(false),
    label: words('Human check'),
    help: words('Login, registration and mails ask for a Turnstile check'),
    card: 'system.login',
    order: 50,
    public: { name: 'turnstile_check', order: 350, meaning: 'Are people asked to prove that they are people?' },
    writer: 'root',
    conflict: needsSettings(['TurnstileSiteKey', 'TurnstileSecretKey'], 'setting.needs_provider', {
      provider: 'Turnstile',
    }),
    // Without its keys the check would block every sign-in, even the one needed to add them.
    whileConflicting: () => false,
  }),
  TurnstileSiteKey: id('turnstile', {
    label: words('Turnstile site key'),
    help: words('Public; used by the browser'),
    order: 10,
    public: { name: 'turnstile_site_key', order: 360, meaning: 'Key of the Cloudflare widget' },
  }),
  TurnstileSecretKey: secret('turnstile', {
    label: words('Turnstile secret key'),
    help: words('Checks what the browser sends'),
    order: 20,
  }),
}
