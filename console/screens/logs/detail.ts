// The JSON text in a log row's `other`, read with care: rows may be old, or written by nobody we know.
import { z } from 'zod'

const number = z.number().optional().catch(undefined)
const text = z.string().optional().catch(undefined)

/** One line of a charge: how many of what, at which price in quota units, makes how much. */
const Line = z.object({
  label: text,
  what: z.string(),
  count: z.number(),
  price: z.coerce.number(),
  quota: z.coerce.number(),
})
export type Line = z.infer<typeof Line>

const Detail = z.object({
  model_ratio: number,
  /** -1: not priced by the call. */
  model_price: number,
  group_ratio: number,
  completion_ratio: number,
  cache_tokens: number,
  cache_ratio: number,
  cache_creation_tokens: number,
  reasoning_tokens: number,
  reasoning_effort: text,
  /** Milliseconds to the first token. */
  frt: number,
  is_model_mapped: z.boolean().optional().catch(undefined),
  upstream_model_name: text,
  estimated: z.boolean().optional().catch(undefined),
  cut_short: text,
  /** It ended where the balance did. */
  balance_spent: z.boolean().optional().catch(undefined),
  /** Its caller left, and it was read on for its usage. */
  caller_left: z.boolean().optional().catch(undefined),
  error_type: text,
  error_code: z.union([z.string(), z.number()]).optional().catch(undefined),
  status_code: number,
  admin_info: z
    .object({ use_channel: z.array(z.union([z.string(), z.number()])) })
    .optional()
    .catch(undefined),
  lines: z.array(Line).optional().catch(undefined),
})
export type Detail = z.infer<typeof Detail>

export function detailOf(other: string): Detail {
  try {
    return Detail.parse(JSON.parse(other || '{}'))
  } catch {
    return {}
  }
}

export const isFixedPrice = ({ model_price }: Detail) => model_price !== undefined && model_price !== -1
