// Numbers that filter a list. A value that is not an integer filters nothing; one that no column can hold is refused.
import { z } from 'zod'
import type { ErrorCode } from '../errors.ts'

const whole = z.coerce
  .number()
  .catch(0)
  .default(0)
  .transform((n) => (Number.isInteger(n) ? n : 0))

/** An id, or a time; 0 does not filter. */
export const filterByNumber = whole.pipe(z.number().int())

/** The number of a kind, as a column of 32 bits holds it; 0 does not filter. */
export const filterByKind = whole.pipe(z.number().int().max(2_147_483_647).min(-2_147_483_648))

const MOST_IDS = 1000

/** Ids separated by commas; none does not filter. */
export const filterByIds = z
  .string()
  .regex(/^(\d{1,15}(,\d{1,15})*)?$/)
  .default('')
  .transform((text) => (text === '' ? [] : text.split(',').map(Number)))
  .pipe(z.array(z.number().int()).max(MOST_IDS))

// Flags in an address: `?status_only=true`.

const YES = ['1', 't', 'true']
const NO = ['', '0', 'f', 'false']

/** A boolean query parameter, false by default. Any other text is refused. */
export const queryFlag = z
  .string()
  .default('')
  .refine((text) => [...YES, ...NO].includes(text.toLowerCase()), { error: 'request.flag' satisfies ErrorCode })
  .transform((text) => YES.includes(text.toLowerCase()))

// Limits for amounts of quota in inputs, and the text for a stored amount that cannot be read exactly.

/** The most quota units that one input may name: far below what a number holds exactly, so that many of them fit a balance. */
export const MAX_AMOUNT = 100_000_000_000_000

/** Quota units to credit, to allow or to price something at. */
export const QuotaAmount = z.number().int().min(0).max(MAX_AMOUNT)

/** The names of those fields whose stored numbers are too large to be exact: they show the nearest number that is. */
export const UnreadableFields = z.array(z.string()).optional()

/** Would the sum be exact, too? */
export const isExactSum = (balance: number, amount: number): boolean =>
  Number.isSafeInteger(balance) && Number.isSafeInteger(amount) && Number.isSafeInteger(balance + amount)
