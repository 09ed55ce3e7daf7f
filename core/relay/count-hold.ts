// Admits calls that count the tokens of a prompt. They cost nothing, but need a balance above 0, count as requests in the
// limits of token, user and group, and leave a row in the log.
import { LOG_ROW_TYPE, type NewLogEntry } from '../calls/log-entry.ts'
import { buildCallLimits } from '../limits/call-limits.ts'
import { formatLogText } from '../logs/event-texts.ts'
import { buildEventLog } from '../logs/log.ts'
import { estimateCost } from '../pricing/estimate.ts'
import type { Hold } from '../quota/hold.ts'
import type { CallLedger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import { getUserLanguage } from '../users/user-language.ts'
import type { RequestHead } from '../dialects/requests/head.ts'
import type { Admission } from './admission.ts'
import type { Call } from './call.ts'
import { reserveQuota } from './holds.ts'

/**
 * Holds nothing for a count or an estimate, but counts it as a request. A count needs a balance above 0 unless its
 * model costs nothing; with `free` it needs none.
 * @throws GatewayError limit.*, budget.*, quota.insufficient, quota.token_insufficient, key.exhausted
 */
export function holdForCount(
  ledger: CallLedger,
  { caller, started_at }: Call,
  { head, admission }: { head: RequestHead; admission: Admission },
  settings: Settings,
  { free }: { free: boolean } = estimateCost(admission.price, admission.group_ratio, head, settings, started_at),
): Promise<Hold> {
  const owner = { user: caller.user, token: caller.token, group: admission.group }
  // A count uses no tokens, so the token limits do not apply.
  const limits = buildCallLimits(owner, { prompt: 0, answer: 0 }, settings)?.filter(({ kind }) => kind !== 'tokens')
  return reserveQuota(ledger, owner, { quota: 0, free }, limits)
}

/** Builds the row of a count, a note of 0 quota. `tokens` is 0 if the provider's answer has no number. */
export function buildCountRow(
  { caller, inbound, started_at }: Call,
  { head, group, tokens = 0, now }: { head: RequestHead; group: string; tokens?: number; now: number },
): NewLogEntry {
  const language = getUserLanguage(caller.user, caller.language)
  return {
    ...buildEventLog(
      caller.user,
      LOG_ROW_TYPE.system,
      Math.floor(now / 1000),
      formatLogText('count', { tokens }, language),
    ),
    token_id: caller.token?.id ?? 0,
    token_name: caller.token?.name ?? '',
    group,
    model_name: head.model,
    operation: inbound.operation,
    prompt_tokens: tokens,
    use_time: Math.round((now - started_at) / 1000),
    other: JSON.stringify({ count: true, asked_model: head.requestedModel }),
    request_id: caller.request_id,
  }
}
