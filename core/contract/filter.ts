// Numbers that filter a list. A value that is not an integer filters nothing; one that no column can hold is refused.
import { z } from 'zod'

const whole = z.coerce
  .number()
  .catch(0)
  .default(0)
  .transform((n) => (Number.isInteger(n) ? n : 0))

/** An id, or a time; 0 does not filter. */
export const filterNumber = whole.pipe(z.number().int())

/** The number of a kind, as a column of 32 bits holds it; 0 does not filter. */
export const filterKind = whole.pipe(z.number().int().max(2_147_483_647).min(-2_147_483_648))

const MOST_IDS = 1000

/** Ids separated by commas; none does not filter. */
export const filterIds = z
  .string()
  .regex(/^(\d{1,15}(,\d{1,15})*)?$/)
  .default('')
  .transform((text) => (text === '' ? [] : text.split(',').map(Number)))
  .pipe(z.array(z.number().int()).max(MOST_IDS))
