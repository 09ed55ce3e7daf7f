// One operator option: how it is stored, checked, shown and read. Stored values are texts, typed values are what code
// reads.
import { z } from 'zod'
import { cleanBaseUrl } from '../contract/url.ts'
import { describeWithZero } from '../contract/field.ts'
import { findFirstFault } from '../contract/validation.ts'
import { findRepeatedName, trimMemberNames } from '../dialects/json/json-text.ts'
import { parseJsonText } from '../dialects/requests/request-body.ts'
import type { ErrorCode, Parameters, Words } from '../errors.ts'
import { asGatewayError, fillTemplate, GatewayError, EMPTY_WORDS, words } from '../errors.ts'
import type { Card } from './cards.data.ts'

/** `kind` picks the form field; `schema` turns the stored text into the value and refuses bad texts. */
export interface SettingValue<T> {
  kind: 'flag' | 'count' | 'decimal' | 'text' | 'long_text' | 'choice' | 'json'
  /** Its messages are error codes; see `findTextRefusal`. */
  schema: z.ZodType<T, string>
  /** The type of the value, as the public status shows it. */
  type: z.ZodType<T>
  default: T
  encode(value: T): string
  /** True for a text that is kept without the slashes at its end. */
  isAddress?: true
  choices?: readonly string[]
  /** The labels of the choices, in their order; undefined to show the stored values. */
  choiceWords?: readonly Words[]
  /** Minimum and maximum of a number. */
  min?: number
  max?: number
  /** Returns why a new text is refused although the schema, which also reads stored texts, accepts it. */
  refuseText?(text: string, place: InstallationAddress): { code: ErrorCode; params: Parameters } | undefined
}

/** The place of an installation without a base path. */
export const ADDRESS_AT_ROOT: InstallationAddress = { basePaths: new Set(['']) }

/** The address at which this installation answers. */
export interface InstallationAddress {
  /** The base path of all addresses, such as `/ai`; empty if there is none. */
  basePaths: ReadonlySet<string>
}

/**
 * The role that may write a setting: an administrator; one who has reauthenticated recently (prices, credits,
 * registration); or the super administrator alone, after reauthentication (secrets, and addresses that receive secrets,
 * mail links or payments).
 */
export type SettingWriter = 'admin' | 'proven_admin' | 'root'

/** How everybody, such as a browser before it has signed in, sees a setting: as a member of the public status. */
export interface PublicMember<T, N extends string, P> {
  /** Its name in the status. */
  name: N
  /** Its position in the status, counted in tens; undefined for the end. */
  order?: number
  /** Its description in the API's document; undefined for the help of the setting. */
  meaning?: string
  /** Its example there; undefined for the default. */
  example?: NoInfer<P>
  /** The value in the console until the status is known; undefined for the default. */
  before?: NoInfer<P>
  /** The conversion to the value in the status; undefined if the value is shown as it is. */
  as?: { type: z.ZodType<P>; convert(value: NoInfer<T>, others: OtherSettings): NoInfer<P> }
}

/** A setting of type `T`. If it is public, `N` is its name in the status and `P` the type that it has there. */
export interface Setting<T, N extends string = string, P = unknown> {
  value: SettingValue<T>
  label: Words
  help: Words
  /** The card of the settings screen, and the position there, counted in tens. */
  card: Card
  order: number
  unit?: Words
  /**
   * The meaning of 0 if it is not an amount, such as `no limit`. It is shown in the help and for every invalid number.
   */
  zero?: Words
  /** Shown where other settings have these values; it counts all the same. */
  shownWhen?: Readonly<Record<string, unknown>>
  /** The warning in the confirmation of a change. */
  danger?: Words
  /** The value that is dangerous, where the others are not. */
  dangerAt?: NoInfer<T>
  /** The endpoint that tries out what is stored in its card. */
  test?: string
  /** Present if everybody may know it. */
  public?: PublicMember<T, N, P>
  /**
   * Can be written through every interface, and read through none; encrypted at rest. The status may at most show
   * whether it is set.
   */
  secret?: boolean
  /**
   * The settings with the address that a secret is sent to. When one of them changes, the secret must be entered again.
   */
  sentTo?: readonly string[]
  writer: SettingWriter
  /**
   * Returns why the value does not fit the other settings. It is stored all the same and reported as a warning, because
   * options that depend on each other come one call at a time, in any order.
   */
  conflict?(value: NoInfer<T>, others: OtherSettings): GatewayError | undefined
  /** True if the specification asks for the other setting first: until then the value is refused. */
  conflictRefused?: true
  /** Returns the value that counts while the stored one conflicts; absent, the stored one counts. */
  whileConflicting?(value: NoInfer<T>, others: OtherSettings): NoInfer<T>
}

/** The units of numbers. */
export const settingUnits = {
  seconds: words('seconds'),
  minutes: words('minutes'),
  hours: words('hours'),
  days: words('days'),
  kibibytes: words('KiB'),
  mebibytes: words('MiB'),
  tokens: words('tokens'),
  quota: words('quota units'),
} as const

/** The other settings by key, as typed values. */
export type OtherSettings = (key: string) => unknown

/** Declares a setting. */
export const setting = <T, const N extends string = never, P = T>(declaration: Setting<T, N, P>): Setting<T, N, P> => ({
  ...declaration,
  help: describeWithZero(declaration.help, declaration.zero),
})

/** A value that is true or not empty needs these other settings to be filled in. */
export const needsSettings =
  (keys: readonly string[], code: ErrorCode, parameters: Record<string, string> = {}) =>
  (value: unknown, others: OtherSettings): GatewayError | undefined =>
    isSet(value) && keys.some((key) => !isSet(others(key))) ? new GatewayError(code, parameters) : undefined

const isSet = (value: unknown): boolean => value !== undefined && value !== false && value !== ''

/** Why this text cannot be the setting's value, or undefined when it can. */
export function findTextRefusal<T>(
  name: string,
  { value, label, zero }: Setting<T>,
  text: string,
  place: InstallationAddress = ADDRESS_AT_ROOT,
): GatewayError | undefined {
  const { error } = value.schema.safeParse(text)
  if (!error) {
    const refused = value.refuseText?.(text, place)
    const key = fillTemplate(words('{label} ({name})'), { label, name })
    return refused && new GatewayError(refused.code, { key, ...refused.params })
  }
  const { path, own, reason } = findFirstFault(error, value.schema, text)
  const at = path.map(String).join('.')
  const key = fillTemplate(words('{label} ({name})'), { label, name })
  const field = at ? fillTemplate(words('{label} ({name}.{at})'), { label, name, at }) : key
  if (own)
    return new GatewayError(own.code, { key, at, field, zero: describeWithZero(EMPTY_WORDS, zero), ...own.params })
  return new GatewayError('setting.shape', {
    key,
    reason: reason(at ? fillTemplate(words('{path}'), { path: at }) : THE_JSON),
  })
}

const THE_JSON = words('the JSON')

/** A check whose refusal is this error code. */
export const failWithCode = (code: ErrorCode, params: Record<string, string | number> = {}) => ({ error: code, params })

/** True or false; the empty text is false too. */
export const flag = (initial: boolean): SettingValue<boolean> => ({
  kind: 'flag',
  schema: z
    .string()
    .refine((text) => ['true', 'false', ''].includes(text), failWithCode('setting.flag'))
    .transform((text) => text === 'true'),
  type: z.boolean(),
  default: initial,
  encode: String,
})

interface Bounds {
  min: number
  max: number
}

const numeric = ({ min, max }: Bounds, isFit: (value: number) => boolean, code: ErrorCode) =>
  z
    .string()
    .trim()
    .refine((text) => text !== '' && Number.isFinite(Number(text)), { ...failWithCode('setting.number'), abort: true })
    .transform(Number)
    .refine((value) => isFit(value) && value >= min && value <= max, failWithCode(code, { min, max })) as z.ZodType<
    number,
    string
  >

/** A whole number. */
export const count = (initial: number, { min = 0, max = Number.MAX_SAFE_INTEGER } = {}): SettingValue<number> => ({
  kind: 'count',
  min,
  max,
  schema: numeric({ min, max }, Number.isInteger, 'setting.count'),
  type: z.number(),
  default: initial,
  encode: String,
})

export const decimal = (initial: number, { min = 0, max = Number.MAX_SAFE_INTEGER } = {}): SettingValue<number> => ({
  kind: 'decimal',
  min,
  max,
  schema: numeric({ min, max }, () => true, 'setting.range'),
  type: z.number(),
  default: initial,
  encode: String,
})

/** One line of text. */
export const text = (initial = ''): SettingValue<string> => ({
  kind: 'text',
  schema: z.string(),
  type: z.string(),
  default: initial,
  encode: (value) => value,
})

/** Text of many lines. */
export const longText = (initial = ''): SettingValue<string> => ({ ...text(initial), kind: 'long_text' })

/** An http or https address, kept without trailing slashes; empty for none. */
export const address = (code: ErrorCode = 'setting.address'): SettingValue<string> => ({
  ...text(),
  isAddress: true,
  schema: z
    .string()
    .trim()
    .refine((url) => url === '' || isWebLink(url), failWithCode(code))
    .transform(cleanBaseUrl),
})

/** An address that paths are appended to: without a query and a fragment. */
export const baseAddress = (): SettingValue<string> => ({
  ...address(),
  refuseText: (url) => (hasQuery(url) ? { code: 'setting.base_address', params: {} } : undefined),
})

/** The paths of this server that operators paste with its address. */
const OWN_PATH = /\/api\/user\/(epay|stripe)\/notify$/

/** A public address of this server: the origin, and the base path if there is one. */
export const ownAddress = (): SettingValue<string> => {
  const base = baseAddress()
  return {
    ...base,
    schema: base.schema.transform((url) => url.replace(OWN_PATH, '')),
    refuseText(text, place) {
      const url = cleanBaseUrl(text).replace(OWN_PATH, '')
      const refused = base.refuseText?.(url, place)
      if (refused || url === '') return refused
      const { origin, pathname } = new URL(url)
      const path = pathname.replace(/\/+$/, '')
      if (place.basePaths.has(path)) return undefined
      const [basePath = ''] = place.basePaths
      return { code: 'setting.own_address', params: { path: path || '/', address: origin + basePath } }
    },
  }
}

const hasQuery = (url: string): boolean => /[?#]/.test(url)

/** A link that people follow, http or https; empty for none. With `path` also to a file of this site. */
export const link = ({ path = false } = {}): SettingValue<string> => ({
  ...text(),
  schema: z
    .string()
    .trim()
    .refine(
      (url) => url === '' || isWebLink(url) || (path && /^\/(?![/\\])/.test(url)),
      failWithCode('setting.address'),
    ),
})

const isWebLink = (url: string) => /^https?:\/\//i.test(url) && URL.canParse(url)

/** One of a few values; `choiceWords` are their labels. */
export const choice = <const C extends string>(
  choices: readonly [C, ...C[]],
  initial: C,
  choiceWords?: readonly Words[],
): SettingValue<C> => ({
  kind: 'choice',
  ...(choiceWords ? { choiceWords } : {}),
  schema: z
    .string()
    .refine(
      (word) => (choices as readonly string[]).includes(word),
      failWithCode('setting.choice', { choices: choices.join(', ') }),
    ) as unknown as z.ZodType<C, string>,
  type: z.string() as z.ZodType<string> as z.ZodType<C>,
  default: initial,
  encode: (value) => value,
  choices,
})

/** JSON text of a shape. */
export const json = <T>(shape: z.ZodType<T>, initial: T): SettingValue<T> => ({
  kind: 'json',
  schema: z
    .string()
    .transform((source, context): unknown => {
      try {
        return trimMemberNames(parseJsonText(source))
      } catch (error) {
        const { code, parameters } = asGatewayError(error)
        context.addIssue({ code: 'custom', message: code, params: parameters })
        return z.NEVER
      }
    })
    .pipe(shape as z.ZodType<T, unknown>) as z.ZodType<T, string>,
  type: shape,
  default: initial,
  encode: (value) => JSON.stringify(value, null, 2),
  refuseText(text) {
    const name = findRepeatedName(text)
    return name === undefined ? undefined : { code: 'json.repeated_name', params: { name } }
  },
})

/** A JSON map of name to a number of at least 0. */
export const ratios = (initial: Record<string, number>): SettingValue<Record<string, number>> =>
  json(
    z.record(z.string(), z.unknown().refine(RatioNumber, failWithCode('setting.ratio')) as z.ZodType<number>),
    initial,
  )

/** A number of at least 0. */
export const RatioNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value) && value >= 0
