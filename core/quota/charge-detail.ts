// The details of a charge, as its ledger entry stores them for good: the model, its usage, and the lines of the sum.
// Entries of earlier versions have none; their details are in the log as long as it is retained.
import { z } from 'zod'
import type { Usage } from '../dialects/usage.ts'
import { LOG_TYPE, type LogEntry } from '../calls/log-entry.ts'
import type { Price } from '../pricing/price.ts'
import { priceVersion } from '../pricing/price-version.ts'
import { parseCounts, listCounts } from '../pricing/usage-detail.ts'
import { parseCallDetail } from '../calls/detail.ts'
import { ExplainedLine } from '../pricing/charge-lines.ts'
import { getCallerId, type LedgerEntry } from './ledger-entry.ts'

const ChargeDetail = z.object({
  model: z.string(),
  operation: z.string().optional(),
  /** Identifies the prices, with their tiers, that were fixed when the call was admitted. */
  price_version: z.string().optional(),
  /** Tokens, seconds, images and characters by their names in the log. */
  usage: z.record(z.string(), z.number()),
  /** The method that estimated the usage, if the provider did not report it. */
  estimated_by: z.string().optional(),
  lines: z.array(ExplainedLine),
})
export type ChargeDetail = z.infer<typeof ChargeDetail>

interface Charged {
  model: string
  operation: string
  price: Price
  usage: Usage | null
  /** As the log counts them. */
  prompt_tokens: number
  /** JSON of the lines: the log row has the same text. */
  lines: string
}

/** Formats the detail of an entry as JSON text. */
export function formatChargeDetail({ model, operation, price, usage, prompt_tokens, lines }: Charged): string {
  const known = JSON.stringify({
    model,
    operation,
    price_version: priceVersion(price),
    usage: { prompt_tokens, completion_tokens: usage?.output ?? 0, ...(usage && listCounts(usage)) },
    estimated_by: usage?.estimated_by,
  })
  return `${known.slice(0, -1)},"lines":${lines}}`
}

const Reason = z.object({ reason: z.string() })

/** Formats the detail of a manual entry with its reason; null without a reason. */
export const formatReasonDetail = (reason: string): string | null => (reason === '' ? null : JSON.stringify({ reason }))

/** Returns the reason of a manual entry as its author wrote it, or an empty string. */
export function parseReason({ detail }: Pick<LedgerEntry, 'detail'>): string {
  const parsed = Reason.safeParse(detail === null ? null : JSON.parse(detail))
  return parsed.success ? parsed.data.reason : ''
}

/** Returns the charge details of an entry, or null if it has none. */
export function parseChargeDetail({ detail }: Pick<LedgerEntry, 'detail'>): ChargeDetail | null {
  if (detail === null) return null
  const parsed = ChargeDetail.safeParse(JSON.parse(detail))
  return parsed.success ? parsed.data : null
}

/**
 * Finds the log row of a charge by its hold. Rows of earlier versions have no hold id and are matched by their amount.
 */
export const findChargeLog = (rows: readonly LogEntry[], entry: LedgerEntry): LogEntry | undefined =>
  rows.find(({ hold_id }) => hold_id !== '' && hold_id === entry.hold_id) ??
  rows.find(
    ({ type, user_id, quota, hold_id }) =>
      hold_id === '' && type === LOG_TYPE.consumption && user_id === getCallerId(entry) && quota === 0 - entry.amount,
  )

/** Returns the details of a charge, from the entry or else from its log row; null if neither has them. */
export function findCharge(entry: LedgerEntry, log: LogEntry | undefined): ChargeDetail | null {
  const recorded = parseChargeDetail(entry)
  if (recorded || !log) return recorded
  const { lines = [], estimated_by, price_version, ...rest } = parseCallDetail(log.other)
  return {
    model: log.model_name,
    usage: { prompt_tokens: log.prompt_tokens, completion_tokens: log.completion_tokens, ...parseCounts(rest) },
    lines,
    ...(price_version === undefined ? {} : { price_version }),
    ...(estimated_by === undefined ? {} : { estimated_by }),
  }
}
