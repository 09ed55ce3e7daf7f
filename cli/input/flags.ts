// Flags and questions of a command, built from the declared fields of a form: `--budget-day <units>`, with its help.
import type { FormControl } from '../../core/contract/control.ts'
import { composeWords, fillTemplate, joinTexts, type Words } from '../../core/errors.ts'
import { NEVER_EXPIRES } from '../../core/tokens/token.ts'
import { parseMomentSeconds } from '../../core/usage/moment.ts'
import { parseQuotaFlag } from './amount.ts'
import type { CommandField, CommandForm } from './form.ts'
import { UsageError } from '../failure.ts'
import type { MoneyView } from '../output/format.ts'
import type { BilingualText } from '../language.ts'
import type { FormQuestion } from '../parts/form-state.ts'
import { words } from '../texts.ts'

// Values of the command line, converted into input of endpoints; an error names its flag.

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** Parses a whole number. */
export function parseWholeNumber(flag: string, text: string): number {
  const number = Number(text)
  if (!/^-?\d+$/.test(text.trim()) || !Number.isSafeInteger(number))
    throw new UsageError(fillTemplate(words('{flag} must be a whole number, not "{text}".'), { flag, text }))
  return number
}

/** Parses a whole number from 1 to `max`. */
export function parsePositiveNumber(flag: string, text: string, max?: number): number {
  const number = parseWholeNumber(flag, text)
  if (number < 1) throw new UsageError(fillTemplate(words('{flag} must be at least 1, not "{text}".'), { flag, text }))
  if (max !== undefined && number > max)
    throw new UsageError(fillTemplate(words('{flag} must be at most {max}, not "{text}".'), { flag, text, max }))
  return number
}

/** Parses a number, with or without decimals. */
export function parseDecimalNumber(flag: string, text: string): number {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  throw new UsageError(fillTemplate(words('{flag} must be a number, not "{text}".'), { flag, text }))
}

/** Parses the id of a row, as an argument. */
export const parseId = (text: string): number => {
  const id = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(id) || id < 1)
    throw new UsageError(fillTemplate(words('"{text}" is not an id: ids are whole numbers, see the list.'), { text }))
  return id
}

/** Parses a text like `90s`, `15m`, `12h`, `7d`, `2w` into seconds; undefined for anything else. */
export function parseDurationSeconds(text: string): number | undefined {
  const found = /^(\d+)([smhdw])$/.exec(text.trim())
  return found ? Number(found[1]) * (UNITS[found[2] ?? ''] ?? 0) : undefined
}

/**
 * Parses a moment into epoch seconds: a span before or after now (`2h`), a date, or epoch seconds. `direction` -1 means
 * before.
 */
export function parseMomentFlag(flag: string, text: string, direction: 1 | -1, now = Date.now()): number {
  const distance = parseDurationSeconds(text)
  if (distance !== undefined) return Math.floor(now / 1000) + direction * distance
  const at = parseMomentSeconds(text.trim(), getLocalOffset)
  if (at !== null) return at
  throw new UsageError(
    fillTemplate(words('{flag} accepts a span like 2h or 7d, or a date like 2030-01-31 12:00, not "{text}".'), {
      flag,
      text,
    }),
  )
}

/** Returns whether `parseMomentFlag` takes the text. */
export const isMoment = (text: string): boolean =>
  parseDurationSeconds(text) !== undefined || parseMomentSeconds(text.trim(), getLocalOffset) !== null

/** Returns the seconds that this machine's clock is before UTC, at a moment in epoch seconds. */
const getLocalOffset = (at: number): number => -60 * new Date(at * 1000).getTimezoneOffset()

/** Parses an expiry into epoch seconds: `never` (the default), a span, or a date. */
export const parseExpiryFlag = (flag: string, text: string | undefined): number =>
  text === undefined || text === '' || text === 'never' ? NEVER_EXPIRES : parseMomentFlag(flag, text, 1)

/** Returns the value itself, or standard input if it is `-`, so that a secret does not appear in a process list. */
export const readValueOrInput = async (value: string | undefined, readInput: () => Promise<string>) =>
  value === '-' ? readInput() : value

/** Checks for missing flags. @throws UsageError naming all of them */
export function requireFlags(given: Record<string, string | undefined>): void {
  const missing = Object.keys(given).filter((flag) => given[flag] === undefined)
  if (missing.length > 0)
    throw new UsageError(
      fillTemplate(words('{flags} is required: no terminal is available to ask on.'), { flags: joinFlags(missing) }),
    )
}

/** Joins names of flags: `--a and --b`. */
export const joinFlags = (flags: readonly string[]): Words => joinTexts(flags, words(' and ', { context: 'flags' }))

export interface DeclaredFlag {
  flag: `--${string} <${string}>`
  help: Words
  choices?: readonly string[]
}

/**
 * Returns one flag for each field of a form, by its name, except the fields that the command handles itself.
 * `otherwise` describes the default of an omitted field, if the form does not.
 */
export const toFlags = <N extends string, W extends string = never>(
  form: CommandForm<N>,
  without: readonly W[] = [],
  otherwise: Readonly<Record<string, BilingualText>> = {},
) =>
  Object.fromEntries(
    listFlagControls(form, without).map((control): [string, DeclaredFlag] => {
      const choices = listChoices(control)
      const choiceList = choices?.join('|') ?? ''
      const value = choiceList === '' || choiceList.length > MAX_LISTED_CHOICES ? VALUES[control.takes] : choiceList
      const flag = `${flagName(control)} <${value}>` as const
      const help = withMembers(formatHelp(control, otherwise[control.name]), control.members)
      return [control.name, { flag, help, ...(choices ? { choices } : {}) }]
    }),
  ) as Record<Exclude<N, W>, DeclaredFlag>

/**
 * Parses the values of such flags as the form takes them, except amounts, which `convertToUnits` converts.
 * @throws UsageError naming the flag
 */
export const parseFlagValues = (
  form: CommandForm,
  given: object,
  without: readonly string[] = [],
): Record<string, unknown> =>
  Object.fromEntries(
    listFlagControls(form, without).flatMap((control) => {
      const text = (given as Record<string, unknown>)[control.name]
      return typeof text === 'string' ? [[control.name, parseValue(control, text)]] : []
    }),
  )

/** Converts amounts into quota units; `money` is requested if there are any. @throws UsageError naming the flag */
export async function convertToUnits<V extends Record<string, unknown>>(
  values: V,
  money: () => Promise<MoneyView>,
): Promise<V> {
  const amounts = Object.entries(values).filter(([, value]) => typeof value === 'function')
  if (amounts.length === 0) return values
  const view = await money()
  return { ...values, ...Object.fromEntries(amounts.map(([name, amount]) => [name, (amount as Amount)(view)])) }
}

type Amount = ReturnType<typeof parseQuotaFlag>

/** Returns the question for a field, extended by the command's own properties. */
export function buildQuestion<N extends string>(
  form: CommandForm<N>,
  name: N,
  properties: Partial<FormQuestion> = {},
): FormQuestion {
  const { takes, label, help } = form[name]
  return { name, label, kind: takes === 'secret' ? 'secret' : 'text', hint: lowerFirst(help), ...properties }
}

/** Returns the fields of a form that have a flag. */
export const listFlagControls = (form: CommandForm, without: readonly string[]): CommandField[] =>
  Object.values(form).filter(({ name, notIn }) => !notIn?.terminal && !without.includes(name))

export const flagName = ({ name, flag }: Pick<FormControl, 'name' | 'flag'>) =>
  `--${flag ?? name.replaceAll('_', '-')}` as const

/** Returns the help of a field for `--help`, with the default of an omitted flag. */
function formatHelp(control: FormControl, otherwise?: BilingualText): Words {
  const { initial, takes, zero } = control
  const help = takes === 'quota' ? inDollarsToo(control.help) : control.help
  const defaultValue =
    otherwise ?? (takes === 'switch' && initial !== undefined ? YES_NO[initial === 1 ? 0 : 1] : initial)
  const hasDefault =
    defaultValue !== undefined && defaultValue !== null && defaultValue !== '' && !(defaultValue === 0 && zero)
  if (!hasDefault) return lowerFirst(help)
  const text = fillTemplate(OTHERWISE, {
    help: lowerFirst(help),
    value: isWords(defaultValue) ? defaultValue : String(defaultValue),
  })
  // Chinese needs a blank only before figures or Latin letters; the two characters mean `otherwise`.
  return composeWords((language) => text[language].replace(/(?<=\u9ed8\u8ba4) (?=\p{Script=Han})/u, ''))
}

/** Adds that a flag takes dollars in addition to quota units. */
const inDollarsToo = (help: Words): Words =>
  composeWords((language) => help[language].replace(QUOTA_UNITS[language], () => DOLLARS_OR_UNITS[language]))

const QUOTA_UNITS = words('in quota units')
const DOLLARS_OR_UNITS = words('in dollars like 5usd or quota units')

/** Adds the member names of a JSON text, if they are declared. */
const withMembers = (help: Words, members: readonly string[] | undefined): Words =>
  members ? fillTemplate(words('{help}: {names}'), { help, names: members.join(', ') }) : help

const isWords = (defaultValue: unknown): defaultValue is Words => typeof defaultValue === 'object'

const OTHERWISE = words('{help} (default: {value})')

/** Lowers the first letter, as in the other help texts; company names keep it. */
const lowerFirst = (text: Words): Words =>
  composeWords((language) =>
    language === 'en'
      ? text.en.replace(/^[A-Z](?=[a-z]*\b(?!'|[A-Z]))/, (letter) => letter.toLowerCase())
      : text[language],
  )

const YES_NO = ['yes', 'no']

/** Returns the values that a flag takes; undefined if it takes others, too. */
export function listChoices({ takes, values, typed }: FormControl): readonly string[] | undefined {
  if (takes === 'flag' || takes === 'switch') return YES_NO
  return takes === 'choice' ? (typed ?? values) : undefined
}

/**
 * Longest list of choices next to a flag, in characters; longer ones are listed in the help, because commander does not
 * wrap flags.
 */
const MAX_LISTED_CHOICES = 32

const VALUES: Record<FormControl['takes'], string> = {
  text: 'text',
  long_text: 'text',
  secret: 'text',
  number: 'number',
  quota: 'amount',
  json: 'json',
  list: 'list',
  lines: 'list',
  time: 'when',
  address: 'url',
  pairs: 'json',
  by_model: 'json',
  choice: 'word',
  flag: 'yes|no',
  switch: 'yes|no',
}

/** Parses the value of a flag; an amount becomes a function of the money view. @throws UsageError naming the flag */
export function parseValue(control: FormControl, text: string): unknown {
  const { takes, values, nullable, whole } = control
  const flag = flagName(control)
  const choices = listChoices(control)
  if (choices && !choices.includes(text))
    throw new UsageError(fillTemplate(ONE_OF, { flag, text, choices: choices.join(', ') }))
  if (takes === 'quota') return parseQuotaFlag(flag, text)
  if (takes === 'number') return whole ? parseWholeNumber(flag, text) : parseDecimalNumber(flag, text)
  if (takes === 'flag') return text === 'yes'
  if (takes === 'switch') return text === 'yes' ? 1 : 0
  if (takes === 'choice') return values[choices?.indexOf(text) ?? 0]
  if (takes === 'json' && text.trim() !== '' && !isJsonObject(text))
    throw new UsageError(fillTemplate(NOT_JSON, { flag, text }))
  if (takes === 'lines') return text.split(/[\s,]+/).join('\n')
  return nullable && text === '' ? null : text
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

const NOT_JSON = words('{flag} must be a JSON object, not "{text}".')
const ONE_OF = words('{flag} must be one of {choices}, not "{text}".')
