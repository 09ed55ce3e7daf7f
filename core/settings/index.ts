// All settings, and the type that code reads.
import { channels } from './channels.ts'
import { claude } from './claude.ts'
import { drawing } from './drawing.ts'
import { gemini } from './gemini.ts'
import { limits } from './limits.ts'
import { loginMethods } from './login-methods.ts'
import { login } from './login.ts'
import { logs } from './logs.ts'
import { mail } from './mail.ts'
import { network } from './network.ts'
import { payment } from './payment.ts'
import { pricing } from './pricing.ts'
import { quota } from './quota.ts'
import { relay } from './relay.ts'
import { sensitive } from './sensitive.ts'
import type { Setting } from './setting.ts'
import { site } from './site.ts'

export const declaredSettings = {
  ...site,
  ...login,
  ...loginMethods,
  ...mail,
  ...network,
  ...payment,
  ...quota,
  ...pricing,
  ...channels,
  ...relay,
  ...logs,
  ...limits,
  ...sensitive,
  ...drawing,
  ...gemini,
  ...claude,
}

export type SettingKey = keyof typeof declaredSettings

/** `settings.RetryTimes` is a number, `settings.GroupRatio` a map. */
export type Settings = {
  readonly [K in SettingKey]: (typeof declaredSettings)[K] extends Setting<infer T> ? T : never
}

/** The declaration of a key, or undefined where there is none. */
export const declarationOf = (key: string): Setting<unknown> | undefined =>
  Object.hasOwn(declaredSettings, key) ? (declaredSettings[key as SettingKey] as Setting<unknown>) : undefined
