// All settings, and the type that code reads.
import { channelSettings } from './channels.ts'
import { limitSettings, sensitiveWordSettings } from './limits.ts'
import { loginMethodSettings, loginSettings } from './login-methods.ts'
import { logSettings } from './logs.ts'
import { mailSettings } from './mail.ts'
import { claudeSettings, geminiSettings, modelSettings } from './models.ts'
import { networkSettings } from './network.ts'
import { paymentSettings } from './payment.ts'
import { pricingSettings } from './pricing.ts'
import { quotaSettings } from './quota.ts'
import { objectSettings, relaySettings } from './relay.ts'
import type { Setting } from './setting.ts'
import { drawingSettings, taskSettings } from './tasks.ts'
import { siteSettings } from './site.ts'

export const declaredSettings = {
  ...siteSettings,
  ...loginSettings,
  ...loginMethodSettings,
  ...mailSettings,
  ...networkSettings,
  ...paymentSettings,
  ...quotaSettings,
  ...pricingSettings,
  ...modelSettings,
  ...channelSettings,
  ...relaySettings,
  ...objectSettings,
  ...taskSettings,
  ...logSettings,
  ...limitSettings,
  ...sensitiveWordSettings,
  ...drawingSettings,
  ...geminiSettings,
  ...claudeSettings,
}

export type SettingKey = keyof typeof declaredSettings

/** `settings.RetryTimes` is a number, `settings.GroupRatio` a map. */
export type Settings = {
  readonly [K in SettingKey]: (typeof declaredSettings)[K] extends Setting<infer T, infer _N, infer _P> ? T : never
}

/** Returns the declaration of a key; undefined if there is none. */
export const findDeclaration = (key: string): Setting<unknown> | undefined =>
  Object.hasOwn(declaredSettings, key) ? (declaredSettings[key as SettingKey] as Setting<unknown>) : undefined
