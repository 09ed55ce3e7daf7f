// Flags in an address: `?status_only=true`.
import { z } from 'zod'
import type { ErrorCode } from '../errors.ts'

const YES = ['1', 't', 'true']
const NO = ['', '0', 'f', 'false']

/** A boolean query parameter, false by default. Any other text is refused. */
export const queryFlag = z
  .string()
  .default('')
  .refine((text) => [...YES, ...NO].includes(text.toLowerCase()), { error: 'request.flag' satisfies ErrorCode })
  .transform((text) => YES.includes(text.toLowerCase()))
