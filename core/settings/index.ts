// All settings, and the type that code reads.
import { channelSettings } from './channels.ts'
import { claude } from './claude.ts'
import { drawing } from './drawing.ts'
import { geminiSettings } from './gemini.ts'
import { limits } from './limits.ts'
import { loginMethods } from './login-methods.ts'
import { login } from './login.ts'
import { logSettings } from './logs.ts'
import { mailSettings } from './mail.ts'
import { modelSettings } from './models.ts'
import { network } from './network.ts'
import { objectSettings } from './objects.ts'
import { payment } from './payment.ts'
import { pricingSettings } from './pricing.ts'
import { quotaSettings } from './quota.ts'
import { relay } from './relay.ts'
import { sensitive } from './sensitive.ts'
import type { Setting } from './setting.ts'
import { taskSettings } from './tasks.ts'
import { siteSettings } from './site.ts'

export const declaredSettings = {
  ...siteSettings,
  ...login,
  ...loginMethods,
  ...mailSettings,
  ...network,
  ...payment,
  ...quotaSettings,
  ...pricingSettings,
  ...modelSettings,
  ...channelSettings,
  ...relay,
  ...objectSettings,
  ...taskSettings,
  ...logSettings,
  ...limits,
  ...sensitive,
  ...drawing,
  ...geminiSettings,
  ...claude,
}

export type SettingKey = keyof typeof declaredSettings

/** `settings.RetryTimes` is a number, `settings.GroupRatio` a map. */
export type Settings = {
  readonly [K in SettingKey]: (typeof declaredSettings)[K] extends Setting<infer T, infer _N, infer _P> ? T : never
}

/** Returns the declaration of a key; undefined if there is none. */
export const findDeclaration = (key: string): Setting<unknown> | undefined =>
  Object.hasOwn(declaredSettings, key) ? (declaredSettings[key as SettingKey] as Setting<unknown>) : undefined
