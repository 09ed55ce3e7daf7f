// Values given on the command line, turned into what endpoints take; a wrong one names its flag.
import { words } from '../core/errors.ts'
import { NEVER } from '../core/tokens/token.ts'
import { UsageError } from './failure.ts'

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
