// What people sign in with beside their password, in the order it is offered: a service is one entry here, its settings
// (`settings/login-methods.ts`) and its way of vouching (`methods/`). Services that the operator adds need no line of code.
import type { Words } from '../errors.ts'
import type { IDENTITY_FIELDS } from '../users/identity.ts'

interface SignInService {
  name: Words
  /** What the public status calls the flag that it is offered by. */
  shown: string
  /**
   * How the person comes back: the browser is sent off and returns with a code; they type a code that they were given there;
   * or a button of theirs sends the browser back with what they have signed.
   */
  way: 'redirect' | 'typed_code' | 'signed'
}

export const signInServices = {
  github: { name: { en: 'GitHub', zh: 'GitHub' }, shown: 'github_oauth', way: 'redirect' },
  oidc: { name: { en: 'OIDC', zh: 'OIDC' }, shown: 'oidc_enabled', way: 'redirect' },
  linuxdo: { name: { en: 'Linux DO', zh: 'Linux DO' }, shown: 'linuxdo_oauth', way: 'redirect' },
  wechat: { name: { en: 'WeChat', zh: '微信' }, shown: 'wechat_login', way: 'typed_code' },
  telegram: { name: { en: 'Telegram', zh: 'Telegram' }, shown: 'telegram_oauth', way: 'signed' },
} as const satisfies Record<keyof typeof IDENTITY_FIELDS, SignInService>

type Services = typeof signInServices

/** Services that send the browser back with a code. */
export type RedirectService = {
  [K in keyof Services]: Services[K]['way'] extends 'redirect' ? K : never
}[keyof Services]
