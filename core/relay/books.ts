// What is known of a call while it runs, closed once: charge, settle or release, log row. The one home of settlement.
import type { RequestHead, Usage, Watcher } from '../dialects/dialect.ts'
import type { Clock } from '../ports/clock.ts'
import type { Tokenizer } from '../ports/tokenizer.ts'
import { charge, NOTHING, type Charge } from '../pricing/charge.ts'
import { callsOfModel } from '../pricing/tool-price.ts'
import type { Hold } from '../quota/hold.ts'
import type { CallLedger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import type { Admission } from './admission.ts'
import type { Call, Outcome } from './call.ts'
import { countAnswer, countPrompt, countTexts } from './count-tokens.ts'
import { logEntry } from './record.ts'
import { bounded } from './usage-bounds.ts'

export interface Books {
  outcome: Outcome
  /** The stream whose output counts when the provider reports no usage; `whole` is an answer that came in one piece. */
  watch(watcher: Watcher, whole?: Uint8Array): void
  /** Another model answers in place of the one asked for; `extra` is what was held beside the first hold for it. */
  serve(turn: { head: RequestHead; admission: Admission }, extra?: Hold): void
  /** Settles or releases, once; a second call does nothing. Resolves when it is durable. */
  close(): Promise<void>
}

/** A call that is one of several charges of a session. */
export interface InSession {
  /** What this charge takes, in quota units, beside those before it. */
  debit(charge: Charge): number
  /** All that passed so far, in bytes: what it may have used. */
  bytes(): number
}

/** Opens the books of a call for which quota is held. */
export function openBooks(
  { ledger, clock, tokenizer }: { ledger: CallLedger; clock: Clock; tokenizer?: Tokenizer },
  opened: { call: Call; head: RequestHead; admission: Admission; hold: Hold; settings: Settings; session?: InSession },
): Books {
  const { call, hold, settings, session } = opened
  let { head, admission } = opened
  const extras: Hold[] = []
  const outcome: Outcome = { status: 'failed', channel_id: 0, tried: [], usage: null, first_content_ms: null }
  let watcher: Watcher | undefined
  let answer: Uint8Array | undefined
  let closing: Promise<void> | undefined

  /** What was delivered without a report is counted and marked as estimated. */
  function estimatedUsage(): Usage | null {
    const output = watcher?.outputEstimate() ?? 0
    if (output === 0) return null
    const none = { cache_read: 0, cache_write: 0, cache_write_1h: 0, reasoning: 0 }
    return { ...none, input: head.prompt_estimate, output, source: 'estimated' }
  }

  /** Some report from the start on: what they said later than their last report is counted. */
  function sofar(reported: Usage): Usage {
    const output = watcher && !watcher.finished() ? watcher.outputEstimate() : 0
    return output > reported.output ? { ...reported, output, source: 'estimated' } : reported
  }

  /** What is charged: the report as far as it can be true, or our own count; with the tools that the model implies. */
  function usageToCharge(): Usage | null {
    const reported = outcome.usage && sofar(outcome.usage)
    const usage = reported
      ? bounded(reported, {
          body: call.body,
          files: session?.bytes() ?? filesOf(call),
          head,
          delivered: () => watcher?.outputEstimate() ?? 0,
        })
      : estimatedUsage()
    if (reported && usage !== reported) outcome.reported = reported
    const calls = usage && (callsOfModel(head.model) ?? callsOfModel(outcome.upstream_model ?? ''))
    return calls ? { ...usage, calls: { ...calls, ...usage.calls } } : usage
  }

  /** An exact count in place of an estimate, of what was asked and of a whole answer; an answer that was cut stays estimated. */
  async function counted(usage: Usage): Promise<Usage> {
    if (!tokenizer || outcome.status !== 'complete' || admission.price.kind === 'per_call') return usage
    const model = outcome.upstream_model ?? head.model
    const { inbound } = call
    if (inbound.operation !== 'chat') {
      const texts = usage.input > 0 ? inbound.texts(call.body) : []
      return texts.length > 0 ? { ...usage, input: await countTexts(texts, model, tokenizer) } : usage
    }
    try {
      const input = await countPrompt({ ...inbound.readRequest(call.body, call.place), model }, tokenizer)
      const output = answer ? await countAnswer(inbound, answer, model, tokenizer) : usage.output
      return { ...usage, input, output }
    } catch {
      return usage // not to be read as a chat: the estimate stands
    }
  }

  async function settle(): Promise<void> {
    const now = clock.now()
    outcome.usage = usageToCharge()
    if (outcome.usage?.source === 'estimated') outcome.usage = await counted(outcome.usage)
    if (outcome.usage && outcome.status === 'failed') outcome.status = 'cut_short'
    const due = outcome.usage
      ? charge(admission.price, admission.group_ratio, outcome.usage, settings.QuotaPerUnit, call.started_at)
      : NOTHING
    const charged = session ? { ...due, quota: session.debit(due) } : due
    const entry = () =>
      logEntry({
        caller: call.caller,
        model: head.model,
        is_stream: head.stream,
        admission,
        outcome,
        charge: charged,
        started_at: call.started_at,
        now,
      })
    const log = settings.LogConsumeEnabled ? entry() : undefined
    if (outcome.status === 'failed') await ledger.release(hold, log)
    else {
      const { quota, billable } = charged
      const { request_id } = call.caller
      const tokens = outcome.usage ? tokensOf(outcome.usage) : 0
      const settlement = { quota, billable, tokens, channel_id: outcome.channel_id, request_id }
      await ledger.settle(hold, settlement, log)
    }
  }

  async function closeAll(): Promise<void> {
    try {
      await settle()
    } finally {
      if (extras.length > 0) await Promise.all(extras.map((extra) => ledger.release(extra)))
    }
  }

  return {
    outcome,
    watch(stream, whole) {
      watcher = stream
      answer = whole
    },
    serve(turn, extra) {
      ;({ head, admission } = turn)
      if (extra) extras.push(extra)
    },
    close: () => (closing ??= closeAll()),
  }
}

const filesOf = ({ place }: Call): number => (place?.form?.files ?? []).reduce((sum, { size }) => sum + size, 0)

/** All that a limit of tokens per minute counts. */
const tokensOf = ({ input, cache_read, cache_write, cache_write_1h, output }: Usage): number =>
  input + cache_read + cache_write + cache_write_1h + output
