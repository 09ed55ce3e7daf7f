// The sign-in services other than the password, in their order on the page: a service is one entry here, its settings
// (`login-methods.ts`) and its method (`auth/methods/`). Services that the operator adds need no code.
import { words, type Words } from '../errors.ts'

interface SignInService {
  name: Words
  /** The setting that offers it. */
  setting: string
  /** The name of that flag in the public status. */
  shown: string
  /** The field of a user with their identity there. */
  field: string
  /**
   * How the user returns: the browser is redirected and returns with a code; the user types a code from the service; or
   * a widget sends the browser back with signed fields.
   */
  way: 'redirect' | 'typed_code' | 'signed'
}

export const signInServices = {
  github: {
    name: words('GitHub'),
    setting: 'GitHubOAuthEnabled',
    shown: 'github_oauth',
    field: 'github_id',
    way: 'redirect',
  },
  oidc: {
    name: words('OIDC'),
    setting: 'oidc.enabled',
    shown: 'oidc_enabled',
    field: 'oidc_id',
    way: 'redirect',
  },
  linuxdo: {
    name: words('LinuxDO'),
    setting: 'LinuxDOOAuthEnabled',
    shown: 'linuxdo_oauth',
    field: 'linux_do_id',
    way: 'redirect',
  },
  wechat: {
    name: words('WeChat'),
    setting: 'WeChatAuthEnabled',
    shown: 'wechat_login',
    field: 'wechat_id',
    way: 'typed_code',
  },
  telegram: {
    name: words('Telegram'),
    setting: 'TelegramOAuthEnabled',
    shown: 'telegram_oauth',
    field: 'telegram_id',
    way: 'signed',
  },
} as const satisfies Record<string, SignInService>

type Services = typeof signInServices
export type SignInServiceName = keyof Services

/** Services that send the browser back with a code. */
export type RedirectService = {
  [K in SignInServiceName]: Services[K]['way'] extends 'redirect' ? K : never
}[SignInServiceName]

/** Fields of a user that show who they are elsewhere. */
export type IdentityField = Services[SignInServiceName]['field']

/** The services as a list, each with its name. */
export const signInServiceList: readonly (SignInService & { type: SignInServiceName; field: IdentityField })[] =
  Object.entries(signInServices).map(([type, service]) => ({ type: type as SignInServiceName, ...service }))
