// Limits for amounts of quota in inputs, and the text for a stored amount that cannot be read exactly.
import { z } from 'zod'

/** The most quota units that one input may name: far below what a number holds exactly, so that many of them fit a balance. */
export const LARGEST_AMOUNT = 100_000_000_000_000

/** Quota units to credit, to allow or to price something at. */
export const Amount = z.number().int().min(0).max(LARGEST_AMOUNT)

/** The names of those fields whose stored numbers are too large to be exact: they show the nearest number that is. */
export const Unreadable = z.array(z.string()).optional()

/** Would the sum be exact, too? */
export const isExactSum = (balance: number, amount: number): boolean =>
  Number.isSafeInteger(balance) && Number.isSafeInteger(amount) && Number.isSafeInteger(balance + amount)
