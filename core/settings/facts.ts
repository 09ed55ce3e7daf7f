// The facts of a setting for screens and terminals: data, without the schema that reads its texts.
import type { Words } from '../errors.ts'
import type { Card } from './cards.data.ts'
import { settingUnits, type Setting, type SettingValue, type SettingWriter } from './setting.ts'

export interface SettingFacts {
  key: string
  label: Words
  help: Words
  card: Card
  /** The position in its card. */
  order: number
  unit?: Words
  /** True for an amount of quota, which may be typed in dollars. */
  isQuota?: true
  shownWhen?: Readonly<Record<string, unknown>>
  danger?: Words
  /** The text that is dangerous, where the others are not. */
  dangerAt?: string
  /** The endpoint that tries out what is stored in its card. */
  test?: string
  writer: SettingWriter
  secret: boolean
  kind: SettingValue<unknown>['kind']
  isAddress?: true
  choices: readonly string[]
  /** The labels of the choices, in their order; empty to show the stored values. */
  choiceWords: readonly Words[]
  min?: number
  max?: number
  /** The default as a stored text. */
  initial: string
}

/** Returns the facts of a declared setting. */
export function toSettingFacts(key: string, { value, ...setting }: Setting<unknown>): SettingFacts {
  const { label, help, card, order, unit, shownWhen, danger, dangerAt, test, writer, secret = false } = setting
  const { kind, isAddress, choices = [], choiceWords = [], min, max } = value
  return {
    key,
    label,
    help,
    card,
    order,
    ...(unit && { unit }),
    ...(unit === settingUnits.quota && { isQuota: true }),
    ...(shownWhen && { shownWhen }),
    ...(danger && { danger }),
    ...(dangerAt !== undefined && { dangerAt: value.encode(dangerAt) }),
    ...(test !== undefined && { test }),
    writer,
    secret,
    kind,
    ...(isAddress && { isAddress }),
    choices,
    choiceWords,
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    initial: value.encode(value.default),
  }
}
