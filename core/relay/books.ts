// What is known of a call while it runs, closed once: charge, settle or release, log row. The one home of settlement.
import { countsTokens } from '../dialects/buckets.ts'
import type { RequestHead, Usage, Watcher } from '../dialects/dialect.ts'
import { knownUsage } from '../dialects/passing.ts'
import type { Clock } from '../ports/clock.ts'
import type { Tokenizer } from '../ports/tokenizer.ts'
import type { NewLogEntry } from '../logs/log.ts'
import { charge, NOTHING, type Charge } from '../pricing/charge.ts'
import type { RunningTotal } from '../pricing/session.ts'
import { callsOfModel } from '../pricing/tool-price.ts'
import { chargeDetail } from '../quota/charge-detail.ts'
import type { Hold } from '../quota/hold.ts'
import type { CallLedger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import type { Admission } from './admission.ts'
import type { Call, Outcome } from './call.ts'
import { countAnswer, countPrompt, countTexts } from './count-tokens.ts'
import { hungUp } from './failure.ts'
import { greatestUsage } from './greatest-usage.ts'
import { logEntry, promptTokens } from './record.ts'
import { saidBy, type Said } from './said.ts'
import { bounded } from './usage-bounds.ts'

/** A call that is one of several charges of a session. */
export interface InSession {
  /** What this charge takes, in quota units, beside those before it. */
  debit(charge: Charge): { debit: number; before: RunningTotal }
  /** All that passed so far, in bytes: what it may have used. */
  bytes(): number
}

/** The count of an answer that was cut waits no longer for its prompt. */
const CUT_PATIENCE_MS = 250

interface Ports {
  ledger: CallLedger
  clock: Clock
  tokenizer?: Tokenizer
}

/** What is known when they are opened. */
interface Opened {
  call: Call
  head: RequestHead
  admission: Admission
  hold: Hold
  settings: Settings
  session?: InSession
}

/** The books of one call for which quota is held. */
export class Books {
  readonly outcome: Outcome = { status: 'failed', channel_id: 0, tried: [], usage: null, first_content_ms: null }
  private readonly ports: Ports
  private readonly opened: Opened
  private head: RequestHead
  private admission: Admission
  private extras: Hold[] | undefined
  private watcher: Watcher | undefined
  private answer: Uint8Array | undefined
  private closing: Promise<void> | undefined

  constructor(ports: Ports, opened: Opened) {
    this.ports = ports
    this.opened = opened
    this.head = opened.head
    this.admission = opened.admission
  }

  /** The stream whose output counts when the provider reports no usage; `whole` is an answer that came in one piece. */
  watch(watcher: Watcher, whole?: Uint8Array): void {
    this.watcher = watcher
    this.answer = whole
  }

  /** What the call comes to with such an answer, in quota units. */
  costOf(said: Said): number {
    const { call, settings } = this.opened
    const input = Math.max(this.outcome.usage?.input ?? 0, this.head.prompt_estimate)
    const usage = knownUsage({ ...this.outcome.usage, input, ...said, source: 'estimated' })
    return charge(this.admission.price, this.admission.group_ratio, usage, settings.QuotaPerUnit, call.started_at).quota
  }

  /** So much more is held. */
  hold(extra: Hold): void {
    this.extras = [...(this.extras ?? []), extra]
  }

  /** Another model answers in place of the one asked for; `extra` is what was held beside the first hold for it. */
  serve({ head, admission }: { head: RequestHead; admission: Admission }, extra?: Hold): void {
    this.head = head
    this.admission = admission
    if (extra) this.hold(extra)
  }

  /** Settles or releases, once; a second call does nothing. Resolves when it is durable. */
  close(): Promise<void> {
    return (this.closing ??= this.extras ? this.closeAll(this.extras) : this.settle())
  }

  private async closeAll(extras: Hold[]): Promise<void> {
    try {
      await this.settle()
    } finally {
      await Promise.all(extras.map((extra) => this.ports.ledger.release(extra)))
    }
  }

  private async settle(): Promise<void> {
    const { outcome, admission, ports } = this
    const { call, hold, settings, session } = this.opened
    outcome.usage = this.usageToCharge()
    if (outcome.status === 'complete' && call.signal.aborted) outcome.unheard = true
    if (outcome.usage?.source === 'estimated') outcome.usage = await this.counted(outcome.usage)
    if (outcome.usage && outcome.status === 'failed') outcome.status = 'cut_short'
    if (outcome.status === 'failed' && call.signal.aborted) {
      outcome.failure ??= hungUp(ports.clock.now() - call.started_at)
    }
    const due = outcome.usage
      ? charge(admission.price, admission.group_ratio, outcome.usage, settings.QuotaPerUnit, call.started_at)
      : NOTHING
    const turn = session?.debit(due)
    const charged = turn ? { ...due, quota: turn.debit } : due
    const log = settings.LogConsumeEnabled ? this.entry(charged, turn?.before) : undefined
    if (outcome.status === 'failed') return ports.ledger.release(hold, log)
    const { quota, billable } = charged
    const { request_id } = call.caller
    const detail = this.detail(charged)
    const tokens = outcome.usage ? tokensOf(outcome.usage) : 0
    return ports.ledger.settle(
      hold,
      { quota, billable, tokens, channel_id: outcome.channel_id, request_id, detail },
      log,
    )
  }

  private detail({ lines }: Charge): string {
    const { outcome, admission, head } = this
    const { usage, cached } = outcome
    const prompt_tokens = usage ? promptTokens(usage, cached) : 0
    const { operation } = this.opened.call.inbound
    return chargeDetail({ model: head.model, operation, price: admission.price, usage, prompt_tokens, lines })
  }

  private entry(charge: Charge, before: RunningTotal | undefined): NewLogEntry {
    const { outcome, admission, head } = this
    const { call, settings, hold } = this.opened
    const { caller, started_at } = call
    const hold_id = hold.id
    const quota_per_unit = settings.QuotaPerUnit
    const { model, stream: is_stream } = head
    const now = this.ports.clock.now()
    return logEntry({
      caller,
      model,
      is_stream,
      admission,
      outcome,
      charge,
      quota_per_unit,
      hold_id,
      before,
      started_at,
      now,
    })
  }

  /** What is charged: the report as far as it can be true, or our own count; with the tools that the model implies. */
  private usageToCharge(): Usage | null {
    const { outcome, head } = this
    const { call, session } = this.opened
    const reported = outcome.usage && this.sofar(outcome.usage)
    const told =
      reported &&
      bounded(reported, {
        body: call.body,
        words: call.inbound.words,
        files: session?.bytes() ?? filesOf(call),
        head,
        delivered: () => this.said().output,
      })
    if (told !== reported) outcome.reported = reported ?? undefined
    // Tools alone say nothing of what was asked and answered.
    const usage = told && isMeasured(told) ? told : withCalls(this.estimatedUsage() ?? told, told?.calls)
    const whole = usage && this.withThought(usage)
    return withCalls(whole, callsOfModel(head.model) ?? callsOfModel(outcome.upstream_model ?? ''))
  }

  /** Nobody reports what a model thought before its stream was cut: it is estimated upwards. */
  private withThought(usage: Usage): Usage {
    const { thought = 0 } = this.outcome
    if (thought === 0 || usage.source === 'reported' || this.watcher?.finished()) return usage
    const output = Math.min(usage.output + thought, Math.max(usage.output, this.head.max_tokens ?? Infinity))
    return { ...usage, output, reasoning: usage.reasoning + output - usage.output }
  }

  /** By our own count. */
  private said(): Said {
    return this.watcher ? saidBy(this.watcher) : { output: 0 }
  }

  /** What was delivered without a report is counted and marked as estimated; beside chat it is known from the request. */
  private estimatedUsage(): Usage | null {
    const said = this.said()
    if (said.output === 0) return null
    const estimated = { source: 'estimated', estimated_by: 'text' } as const
    const { head } = this
    const { call } = this.opened
    if (call.inbound.operation === 'chat') return knownUsage({ input: head.prompt_estimate, ...said, ...estimated })
    const asked = greatestUsage(call, head, this.admission)
    const isAsAsked = call.inbound.operation === 'images' || asked.output === 0
    return knownUsage({ ...asked, ...(isAsAsked ? {} : { audio_out: 0, ...said }), ...estimated })
  }

  /** Some report from the start on: what they said later than their last report is counted. */
  private sofar(reported: Usage): Usage {
    const { watcher } = this
    const said = watcher && isMeasured(reported) && !watcher.finished() ? saidBy(watcher) : { output: 0 }
    return said.output > reported.output
      ? { ...reported, ...said, source: 'estimated', estimated_by: 'answer_text' }
      : reported
  }

  /** An exact count in place of an estimate, of what was asked and of a whole answer; an answer that was cut stays estimated. */
  private async counted(usage: Usage): Promise<Usage> {
    const { tokenizer, clock } = this.ports
    // What was reported before an answer broke is known better than we could count it.
    const counts = usage.estimated_by !== 'answer_text' && this.admission.price.kind !== 'per_call'
    if (!tokenizer || !counts) return usage
    if (this.outcome.status === 'complete') return this.exactly(usage, tokenizer)
    // Who waits for the end of what broke does not wait long, nor do the charges of the many who hang up at once.
    if (tokenizer.busy()) return usage
    return new Promise((resolve) => {
      const stop = clock.every(CUT_PATIENCE_MS, () => {
        stop()
        resolve(usage)
      })
      void this.exactly(usage, tokenizer).then(resolve).finally(stop)
    })
  }

  /** Never rejects: what cannot be read stays as it was estimated. */
  private async exactly(usage: Usage, tokenizer: Tokenizer): Promise<Usage> {
    const { outcome, answer } = this
    const model = outcome.upstream_model ?? this.head.model
    const { inbound, body, place } = this.opened.call
    try {
      if (inbound.operation !== 'chat') {
        const texts = usage.input > 0 ? inbound.texts(body) : []
        return texts.length > 0
          ? { ...usage, input: (await countTexts(texts, model, tokenizer)) + mediaIn(usage), estimated_by: 'tokenizer' }
          : usage
      }
      const input = await countPrompt({ ...inbound.readRequest(body, place), model }, tokenizer)
      const output = answer ? await countAnswer(inbound, answer, model, tokenizer) : usage.output
      return { ...usage, input, output, estimated_by: 'tokenizer' }
    } catch {
      return usage
    }
  }
}

/** Was anything counted by which a call is charged, beside tools? */
const isMeasured = (usage: Usage): boolean =>
  countsTokens(usage) || Boolean(usage.characters || usage.seconds || usage.images)

const withCalls = (usage: Usage | null, calls: Usage['calls']): Usage | null =>
  usage && calls ? { ...usage, calls: { ...calls, ...usage.calls } } : usage

/** Tokens of a prompt that are none of its texts. */
const mediaIn = ({ audio_in = 0, image_in = 0 }: Usage): number => audio_in + image_in

const filesOf = ({ place }: Call): number => place?.form?.files.reduce((sum, { size }) => sum + size, 0) ?? 0

/** All that a limit of tokens per minute counts. */
const tokensOf = ({ input, cache_read, cache_write, cache_write_1h, output }: Usage): number =>
  input + cache_read + cache_write + cache_write_1h + output
