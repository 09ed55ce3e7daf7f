// One operator option: how it is stored, checked, shown and read. Stored values are texts, typed values are what code reads.
import { z } from 'zod'

/** `kind` picks the form field; `schema` turns the stored text into the value and refuses bad texts. */
export interface Value<T> {
  kind: 'flag' | 'count' | 'decimal' | 'text' | 'long_text' | 'choice' | 'json'
  schema: z.ZodType<T, string>
  default: T
  encode(value: T): string
  choices?: readonly string[]
}

export interface Setting<T> {
  value: Value<T>
  label: string
  help: string
  /** The block of the settings screen it stands in. */
  section: string
  unit?: string
  /** Written through every face, read through none; encrypted at rest. */
  secret?: boolean
  /** Only the super administrator may change it. */
  rootOnly?: boolean
}

/** Declares a setting; the identity function, there for its types. */
export const setting = <T>(declaration: Setting<T>): Setting<T> => declaration

/** True or false; anything but `true` is false. */
export const flag = (initial: boolean): Value<boolean> => ({
  kind: 'flag',
  schema: z.string().transform((text) => text === 'true'),
  default: initial,
  encode: String,
})

const numeric = (check: z.ZodNumber): z.ZodType<number, string> =>
  z
    .string()
    .trim()
    .refine((text) => text !== '' && Number.isFinite(Number(text)), { error: 'Please enter a number', abort: true })
    .transform(Number)
    .pipe(check)

/** A whole number. */
export const count = (initial: number, { min = 0, max = Number.MAX_SAFE_INTEGER } = {}): Value<number> => ({
  kind: 'count',
  schema: numeric(z.number().int().min(min).max(max)),
  default: initial,
  encode: String,
})

/** A number with decimals. */
export const decimal = (initial: number, { min = 0, max = Number.MAX_SAFE_INTEGER } = {}): Value<number> => ({
  kind: 'decimal',
  schema: numeric(z.number().min(min).max(max)),
  default: initial,
  encode: String,
})

/** One line of text. */
export const text = (initial = ''): Value<string> => ({
  kind: 'text',
  schema: z.string(),
  default: initial,
  encode: (value) => value,
})

/** Text of many lines. */
export const longText = (initial = ''): Value<string> => ({ ...text(initial), kind: 'long_text' })

/** One of a few words. */
export const choice = <C extends string>(choices: readonly [C, ...C[]], initial: C): Value<C> => ({
  kind: 'choice',
  schema: z.string().pipe(z.enum(choices)) as z.ZodType<C, string>,
  default: initial,
  encode: (value) => value,
  choices,
})

/** JSON text of a shape. */
export const json = <T>(shape: z.ZodType<T>, initial: T): Value<T> => ({
  kind: 'json',
  schema: z
    .string()
    .transform((source, context): unknown => {
      try {
        return JSON.parse(source)
      } catch {
        context.addIssue({ code: 'custom', message: 'Not a valid JSON string' })
        return z.NEVER
      }
    })
    .pipe(shape as z.ZodType<T, unknown>) as z.ZodType<T, string>,
  default: initial,
  encode: (value) => JSON.stringify(value, null, 2),
})

/** A JSON map of name to a number of at least 0. */
export const ratios = (initial: Record<string, number>): Value<Record<string, number>> =>
  json(z.record(z.string(), z.number().min(0)), initial)
