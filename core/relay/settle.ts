// Ends the holds of a call once: charges them by its record, or releases them. The log row is written in the same
// transaction.
import type { CallRecord } from '../calls/call-record.ts'
import type { OwnedObject } from '../calls/owned-object.ts'
import { buildCallRow } from '../logs/call-row.ts'
import { countAllTokens } from '../pricing/token-sums.ts'
import { getChargedPromptSize } from '../pricing/usage-detail.ts'
import { formatChargeDetail } from '../quota/ledger-entry.ts'
import type { CallLedger } from '../quota/ledger.ts'
import type { TransactionHook } from '../quota/operation.ts'
import type { Settings } from '../settings/index.ts'
import type { CallHolds } from './holds.ts'

/** Writes in the transaction of the charge. */
interface ExtraWrites {
  inTransaction?: TransactionHook
  /** Objects in the answer that the provider stores. */
  objects?: readonly OwnedObject[] | undefined
}

/** Resolves once the charge is durable. */
export async function settleCall(
  ledger: CallLedger,
  holds: CallHolds,
  record: CallRecord,
  { LogConsumeEnabled }: Pick<Settings, 'LogConsumeEnabled'>,
  { inTransaction, objects }: ExtraWrites = {},
): Promise<void> {
  const lines = JSON.stringify(record.charge.lines)
  const log = LogConsumeEnabled ? buildCallRow(record, lines) : undefined
  try {
    if (record.status === 'failed') return await ledger.release(holds.end(), log)
    const { charge, usage, attempts, request_id, cost } = record
    const { quota, billable } = charge
    const channel_id = attempts.at(-1)?.channel_id ?? 0
    const tokens = usage ? countAllTokens(usage) : 0
    const detail = formatEntryDetail(record, lines)
    await ledger.settle(
      holds.end(),
      { quota, billable, tokens, channel_id, request_id, detail, cost, objects },
      log,
      inTransaction,
    )
  } finally {
    const released = holds.releaseExtraHolds()
    if (released) await released
  }
}

/** Builds the detail of the ledger entry. */
function formatEntryDetail({ models, operation, terms, usage, cached }: CallRecord, lines: string): string {
  const prompt_tokens = usage ? getChargedPromptSize(usage, cached) : 0
  return formatChargeDetail({ model: models.served, operation, price: terms.price, usage, prompt_tokens, lines })
}
