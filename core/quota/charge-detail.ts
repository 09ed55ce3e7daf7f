// What was charged, as its entry in the ledger says it for good: the model, what was used of it, and the lines that make the
// sum. Charges of earlier versions say nothing; theirs stands in the log, as long as that is kept.
import { z } from 'zod'
import type { Usage } from '../dialects/usage.ts'
import { LOG_TYPE, type LogEntry } from '../calls/log-entry.ts'
import type { Price } from '../pricing/price.ts'
import { priceVersion } from '../pricing/price-version.ts'
import { countsIn, countsOf } from '../pricing/usage-detail.ts'
import { parseCallDetail } from '../calls/detail.ts'
import { ExplainedLine } from '../pricing/charge-lines.ts'
import { getCallerId, type LedgerEntry } from './ledger-entry.ts'

const ChargeDetail = z.object({
  model: z.string(),
  operation: z.string().optional(),
  /** Names the prices, with their tiers, that were fixed when the call was admitted. */
  price_version: z.string().optional(),
  /** Tokens, seconds, pictures and characters by their names in the log. */
  usage: z.record(z.string(), z.number()),
  /** How the usage was found where the provider did not report it. */
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

/** The detail of an entry, as JSON text. */
export function chargeDetail({ model, operation, price, usage, prompt_tokens, lines }: Charged): string {
  const known = JSON.stringify({
    model,
    operation,
    price_version: priceVersion(price),
    usage: { prompt_tokens, completion_tokens: usage?.output ?? 0, ...(usage && countsOf(usage)) },
    estimated_by: usage?.estimated_by,
  })
  return `${known.slice(0, -1)},"lines":${lines}}`
}

const Reason = z.object({ reason: z.string() })

/** The detail of an entry that somebody made, with why; null where they did not say. */
export const reasonDetail = (reason: string): string | null => (reason === '' ? null : JSON.stringify({ reason }))

/** Why somebody made an entry, in their words; empty where it does not say so. */
export function parseReason({ detail }: Pick<LedgerEntry, 'detail'>): string {
  const parsed = Reason.safeParse(detail === null ? null : JSON.parse(detail))
  return parsed.success ? parsed.data.reason : ''
}

/** What an entry says of its charge; null where it says nothing. */
export function parseChargeDetail({ detail }: Pick<LedgerEntry, 'detail'>): ChargeDetail | null {
  if (detail === null) return null
  const parsed = ChargeDetail.safeParse(JSON.parse(detail))
  return parsed.success ? parsed.data : null
}

/** The log row of a charge, by their hold; rows of earlier versions name none, and are told apart by their amount. */
export const findChargeLog = (rows: readonly LogEntry[], entry: LedgerEntry): LogEntry | undefined =>
  rows.find(({ hold_id }) => hold_id !== '' && hold_id === entry.hold_id) ??
  rows.find(
    ({ type, user_id, quota, hold_id }) =>
      hold_id === '' && type === LOG_TYPE.consumption && user_id === getCallerId(entry) && quota === 0 - entry.amount,
  )

/** What was charged, from the entry or else from the log row of its charge; null where neither says so. */
export function findCharge(entry: LedgerEntry, log: LogEntry | undefined): ChargeDetail | null {
  const told = parseChargeDetail(entry)
  if (told || !log) return told
  const { lines = [], estimated_by, price_version, ...rest } = parseCallDetail(log.other)
  return {
    model: log.model_name,
    usage: { prompt_tokens: log.prompt_tokens, completion_tokens: log.completion_tokens, ...countsIn(rest) },
    lines,
    ...(price_version === undefined ? {} : { price_version }),
    ...(estimated_by === undefined ? {} : { estimated_by }),
  }
}
