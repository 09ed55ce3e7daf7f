// Why a call cost what it did: its log row, the lines of its charge, and what they did to the balance.
import { z } from 'zod'
import { parseCallDetail, getDetailSchemas } from '../calls/detail.ts'
import { findCharge, findChargeLog, LedgerEntry } from '../quota/ledger-entry.ts'
import { getExplainedLine, sumChargeLines } from '../pricing/charge-lines.ts'
import { LOG_ROW_TYPE, LogEntry } from '../calls/log-entry.ts'

/** An attempt of the call, with the current name of its channel; empty if it was deleted. */
const ExplainedAttempt = z.object({
  ...getDetailSchemas().ChannelTry.shape,
  name: z.string(),
  type: z.number(),
  type_name: z.string(),
})

/** `log` is missing where logging was off or rows were deleted, `entry` where nothing was charged, or the row was brought from elsewhere. */
export const ChargeExplanation = z.object({
  request_id: z.string(),
  log: LogEntry.nullable(),
  lines: z.array(getExplainedLine()),
  /** The sum of the lines, and the amount that the single rounding added; decimal texts in quota units. */
  exact: z.string(),
  rounding: z.string(),
  group_ratio: z.number().nullable(),
  /** The requested name, if the row has another one: of the same model, or of a fallback. */
  asked_model: z.string().nullable(),
  /** Names the prices, with their tiers, that were fixed when the call was admitted. */
  price_version: z.string().nullable(),
  /** Went to the channel that had the prompt cached, and how much of it came from there. */
  affinity: z.boolean(),
  cache_tokens: z.number(),
  /** The charge in quota units; the amount in the row if it has no ledger entry. */
  quota: z.number(),
  /** The channels asked, in order; for administrators only. */
  channels: z.array(z.object({ id: z.number(), name: z.string() })),
  /** Each try in order, with its own times; for administrators only, and none of calls of earlier versions. */
  attempts: z.array(ExplainedAttempt),
  entry: LedgerEntry.nullable(),
  /** Later entries of the same call: the refund of a failed task, or the difference if a task used another amount. */
  followed: z.array(LedgerEntry),
  balance_before: z.number().nullable(),
  balance_after: z.number().nullable(),
})
z.globalRegistry.add(ChargeExplanation, { id: 'Explanation' })
export type ChargeExplanation = z.infer<typeof ChargeExplanation>

/**
 * Explains a call by the rows and entries that name it: of several charges the one of this hold, else the last; null if
 * there are none.
 */
export function explainCharge(
  request_id: string,
  allRows: readonly LogEntry[],
  entries: readonly LedgerEntry[],
  hold_id?: string,
): Omit<ChargeExplanation, 'channels' | 'attempts'> | null {
  const charges = entries.filter(({ kind }) => kind === 'charge')
  // Later rows of a task also name its call.
  const calls = allRows.filter(({ type }) => type !== LOG_ROW_TYPE.system)
  const rows = calls.length > 0 ? calls : allRows
  const entry = (hold_id ? charges.find((each) => each.hold_id === hold_id) : charges.at(-1)) ?? null
  if (hold_id && !entry) return null
  const log = (entry ? findChargeLog(rows, entry) : undefined) ?? rows.at(-1) ?? null
  if (!entry && !log) return null
  const detail = parseCallDetail(log?.other ?? '')
  const charged = entry && findCharge(entry, log ?? undefined)
  const lines = charged?.lines ?? detail.lines ?? []
  // An imported row has no ledger entry, so it alone states the charge.
  const quota = entry ? 0 - entry.amount : (log?.quota ?? 0)
  return {
    request_id,
    log,
    lines,
    ...sumChargeLines(lines, lines.length > 0 ? quota : 0),
    group_ratio: detail.group_ratio ?? null,
    asked_model: detail.fallback_from ?? detail.asked_model ?? null,
    price_version: charged?.price_version ?? detail.price_version ?? null,
    affinity: detail.affinity === true,
    cache_tokens: charged?.usage.cache_tokens ?? detail.cache_tokens ?? 0,
    quota,
    entry,
    followed: entries.filter(({ kind }) => kind !== 'charge'),
    balance_before: entry ? entry.balance_after - entry.amount : null,
    balance_after: entry?.balance_after ?? null,
  }
}
