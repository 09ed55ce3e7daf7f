// Flags and questions of a command, made from the declared fields of a form: `--budget-day <units>`, with its help.
import { z } from 'zod'
import { type Control, getControl } from '../core/contract/control.ts'
import { findField } from '../core/contract/field.ts'
import { fillTemplate, words, type Words } from '../core/errors.ts'
import { NEVER } from '../core/tokens/token.ts'
import { amountFlag } from './amount.ts'
import { UsageError } from './failure.ts'
import type { MoneyView } from './format.ts'
import type { Said } from './language.ts'
import type { Question } from './parts/form-state.ts'

// Values given on the command line, turned into what endpoints take; a wrong one names its flag.

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** A whole number. */
export function wholeNumber(flag: string, text: string): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isInteger(number))
    throw new UsageError(
      words(`${flag} must be a whole number, not "${text}".`, `${flag} 须为整数，而不是 "${text}"。`),
    )
  return number
}

/** A number, with a point and decimals or without. */
export function anyNumber(flag: string, text: string): number {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  throw new UsageError(words(`${flag} must be a number, not "${text}".`, `${flag} 须为数字，而不是 "${text}"。`))
}

/** The id of a row, as an argument. */
export const parseId = (text: string): number => {
  const id = Number(text)
  if (!Number.isInteger(id) || id < 1)
    throw new UsageError(
      words(`"${text}" is not an id: ids are whole numbers, see the list.`, `"${text}" 不是编号：编号是整数，见列表。`),
    )
  return id
}

/** Seconds of a text like `90s`, `15m`, `12h`, `7d`, `2w`; undefined for anything else. */
export function seconds(text: string): number | undefined {
  const found = /^(\d+)([smhdw])$/.exec(text.trim())
  return found ? Number(found[1]) * (UNITS[found[2] ?? ''] ?? 0) : undefined
}

/** A moment in epoch seconds: so long ago or ahead (`2h`), a date, or epoch seconds. `direction` -1 looks back. */
export function moment(flag: string, text: string, direction: 1 | -1, now = Date.now()): number {
  const distance = seconds(text)
  if (distance !== undefined) return Math.floor(now / 1000) + direction * distance
  if (/^\d{9,}$/.test(text)) return Number(text)
  const at = Date.parse(
    /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00` : text.replace(/^(\d{4}-\d\d-\d\d) /, '$1T'),
  )
  if (Number.isNaN(at))
    throw new UsageError(
      words(
        `${flag} takes a span like 2h or 7d, or a date like 2030-01-31 12:00, not "${text}".`,
        `${flag} 须为时间段（如 2h、7d）或日期（如 2030-01-31 12:00），而不是 "${text}"。`,
      ),
    )
  return Math.floor(at / 1000)
}

/** When something ends, in epoch seconds: `never` (also for nothing), a span, or a date. */
export const expiry = (flag: string, text: string | undefined): number =>
  text === undefined || text === '' || text === 'never' ? NEVER : moment(flag, text, 1)

/** The value itself, or standard input where it is `-`: so that a secret stands in no process list. */
export const valueOrInput = async (value: string | undefined, readInput: () => Promise<string>) =>
  value === '-' ? readInput() : value

/** Flags that are missing. @throws UsageError naming all of them */
export function need(given: Record<string, string | undefined>): void {
  const missing = Object.keys(given).filter((flag) => given[flag] === undefined)
  if (missing.length > 0)
    throw new UsageError(
      words(
        `${missing.join(' and ')} must be given: there is no terminal to ask on.`,
        `必须给出 ${missing.join(' 和 ')}：没有可以提问的终端。`,
      ),
    )
}

export interface DeclaredFlag {
  flag: `--${string} <${string}>`
  help: Words
  choices?: readonly string[]
}

/**
 * One flag for each field of a form, by its name, but for those that the command asks for in its own way.
 * `otherwise` is what the command takes for a field that was left out, where the form does not say.
 */
export const toFlags = <F extends z.ZodObject, W extends string = never>(
  form: F,
  without: readonly W[] = [],
  otherwise: Readonly<Record<string, Said>> = {},
) =>
  Object.fromEntries(
    plain(form, without).map((control): [string, DeclaredFlag] => {
      const choices = choicesOf(control)
      const listed = choices?.join('|') ?? ''
      const value = listed === '' || listed.length > MAX_LISTED_CHOICES ? VALUES[control.takes] : listed
      const flag = `${flagName(control)} <${value}>` as const
      const help = withMembers(helpOf(control, otherwise[control.name]), form.shape[control.name])
      return [control.name, { flag, help, ...(choices ? { choices } : {}) }]
    }),
  ) as Record<Exclude<keyof F['shape'] & string, W>, DeclaredFlag>

/** What was given for such flags, as the form takes it but for amounts: `inUnits` makes these. @throws UsageError naming the flag */
export const parseFlagValues = (
  form: z.ZodObject,
  given: object,
  without: readonly string[] = [],
): Record<string, unknown> =>
  Object.fromEntries(
    plain(form, without).flatMap((control) => {
      const text = (given as Record<string, unknown>)[control.name]
      return typeof text === 'string' ? [[control.name, valueOf(control, text)]] : []
    }),
  )

/** The values with their amounts in quota units; `money` is asked where there are some. @throws UsageError naming the flag */
export async function inUnits<V extends Record<string, unknown>>(
  values: V,
  money: () => Promise<MoneyView>,
): Promise<V> {
  const amounts = Object.entries(values).filter(([, value]) => typeof value === 'function')
  if (amounts.length === 0) return values
  const view = await money()
  return { ...values, ...Object.fromEntries(amounts.map(([name, amount]) => [name, (amount as Amount)(view)])) }
}

type Amount = ReturnType<typeof amountFlag>

/** The question for a field; `beside` is what the command knows more of it. */
export function questionOf(form: z.ZodObject, name: string, beside: Partial<Question> = {}): Question {
  const { takes, label, help } = getControl(form, name)
  return { name, label, kind: takes === 'secret' ? 'secret' : 'text', hint: lowered(help), ...beside }
}

const plain = (form: z.ZodObject, without: readonly string[]): Control[] =>
  Object.keys(form.shape)
    .filter((name) => {
      const declared = findField(form.shape[name] as z.ZodType)
      return declared && !declared.notIn?.terminal && !without.includes(name)
    })
    .map((name) => getControl(form, name))

const flagName = ({ name, flag }: Pick<Control, 'name' | 'flag'>) => `--${flag ?? name.replaceAll('_', '-')}` as const

/** Help of a field for a line of `--help`, with what is taken where the flag is left out. */
function helpOf(control: Control, otherwise?: Said): Words {
  const { initial, takes, zero } = control
  const help = takes === 'quota' ? inDollarsToo(control.help) : control.help
  const said = otherwise ?? (takes === 'switch' && initial !== undefined ? YES_NO[initial === 1 ? 0 : 1] : initial)
  const tells = said !== undefined && said !== null && said !== '' && !(said === 0 && zero)
  if (!tells) return lowered(help)
  const { en, zh } = fillTemplate(OTHERWISE, { help: lowered(help), said: isWords(said) ? said : String(said) })
  // A blank stands between Chinese and figures or Latin letters alone.
  return words(en, zh.replace(/默认 (?=\p{Script=Han})/u, '默认'))
}

/** A form takes quota units; a flag dollars as well. */
const inDollarsToo = ({ en, zh }: Words): Words =>
  words(
    en.replace('in quota units', "in dollars like '$5' or quota units"),
    zh.replace('额度', "额度（美元如 '$5'，或额度单位）"),
  )

/** With the names of what a JSON text may hold, where that is declared. */
function withMembers({ en, zh }: Words, field: unknown): Words {
  const inside = findField(field as z.ZodType)?.inside
  if (!(inside instanceof z.ZodObject)) return words(en, zh)
  const names = Object.keys(inside.shape).join(', ')
  return words(`${en}: ${names}`, `${zh}：${names}`)
}

const isWords = (said: unknown): said is Words => typeof said === 'object'

const OTHERWISE = words('{help} (otherwise {said})', '{help}（默认 {said}）')

/** As the other helps begin; names of firms stay as they are. */
const lowered = ({ en, zh }: Words): Words =>
  words(
    en.replace(/^[A-Z](?=[a-z]*\b(?!'|[A-Z]))/, (letter) => letter.toLowerCase()),
    zh,
  )

const YES_NO = ['yes', 'no']

function choicesOf({ takes, values, typed }: Control): readonly string[] | undefined {
  if (takes === 'flag' || takes === 'switch') return YES_NO
  return takes === 'choice' ? (typed ?? values) : undefined
}

/** Choices of more characters are listed in the help: commander breaks no flag, and none of the texts next to one so wide. */
const MAX_LISTED_CHOICES = 32

const VALUES: Record<Control['takes'], string> = {
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

function valueOf(control: Control, text: string): unknown {
  const { takes, values, nullable, whole } = control
  const flag = flagName(control)
  const choices = choicesOf(control)
  if (choices && !choices.includes(text))
    throw new UsageError(fillTemplate(ONE_OF, { flag, text, choices: choices.join(', ') }))
  if (takes === 'quota') return amountFlag(flag, text)
  if (takes === 'number') return whole ? wholeNumber(flag, text) : anyNumber(flag, text)
  if (takes === 'flag') return text === 'yes'
  if (takes === 'switch') return text === 'yes' ? 1 : 0
  if (takes === 'choice') return values[choices?.indexOf(text) ?? 0]
  if (takes === 'lines') return text.split(/[\s,]+/).join('\n')
  return nullable && text === '' ? null : text
}

const ONE_OF = words('{flag} must be one of {choices}, not "{text}".', '{flag} 须为 {choices} 之一，而不是 "{text}"。')
