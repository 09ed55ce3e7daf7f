// The immutable record of a finished call, which is passed to all sinks.
import type { UsageBuckets, Usage } from '../dialects/answers/usage.ts'
import type { CallFailure } from '../dialects/answers/call-failure.ts'
import type { Operation } from '../models/operation.ts'
import type { Language } from '../errors.ts'
import type { CallTrace } from '../ports/tracer.ts'
import type { Charge } from '../pricing/charge.ts'
import type { Price } from '../pricing/price.ts'
import type { RunningTotal } from '../pricing/session.ts'
import { getChargedPromptSize } from '../pricing/usage-detail.ts'
import { getFailureCode } from './failure-text.ts'

/** One try of a call on one channel. Times in ms. */
export interface Attempt {
  readonly channel_id: number
  /** The kind of channel, by its number. */
  readonly channel_type: number
  /** Fingerprint of the key; empty for the only one of a channel. */
  readonly key: string
  /** The place of the key among those of its channel, from 0. */
  readonly key_index: number
  /** The model of the attempt: the requested one, or a fallback. */
  readonly served: string
  /** The name that was sent upstream. */
  readonly model: string
  /** Epoch ms. */
  readonly began: number
  /** Until its answer was over, or until it failed. */
  readonly ms: number
  /** Time until the first content; null if there was none. */
  readonly first_content_ms: number | null
  /** `abandoned`: the client disconnected before a result. */
  readonly result: 'answered' | 'failed' | 'abandoned'
  readonly failure?: CallFailure
}

export interface CallPayer {
  readonly user_id: number
  readonly username: string
  /** 0 for a call without a token. */
  readonly token_id: number
  readonly token_name: string
}

/** The terms of a charge, fixed when the call was admitted. */
export interface ChargeTerms {
  readonly group: string
  readonly price: Price
  readonly group_ratio: number
  /** The group ratio is one for users of the caller's own group. */
  readonly special_ratio: boolean
  readonly quota_per_unit: number
}

/** The request of a call: client, model and time. */
export interface CallRequestFacts {
  /** The call's hold, which names its receipt. */
  readonly id: string
  readonly request_id: string
  readonly payer: CallPayer
  /** Language of its row in the log. */
  readonly language: Language
  readonly operation: Operation
  /** The format of the client. */
  readonly dialect: string
  /** The model that the client requested. */
  readonly requestedModel: string
  readonly stream: boolean
  /** Reasoning effort, if the client named one. */
  readonly effort?: string
  /** Epoch ms. */
  readonly started_at: number
  /** Its place in a trace, where calls are traced. */
  readonly trace?: CallTrace
}

/** The path of a call through the channels. */
export interface CallPath {
  /** In the order of the attempts; if a channel answered, it is the last one. */
  readonly attempts: readonly Attempt[]
  /** The model that is charged, by the name that channels list: the requested one, or a fallback. */
  readonly served: string
  /** The requested name, if it is another name of that model. */
  readonly served_as?: string
  /** The name used at the provider, if it differs. */
  readonly sent?: string
  /** Time from the call's start, in ms; null if there was no content. */
  readonly first_content_ms: number | null
  /** True if it was routed to the channel that has the prompt cached. */
  readonly affinity: boolean
  /** How the provider that answered counts cached tokens: inside the prompt, or in addition to it. */
  readonly cached?: UsageBuckets['cache_read']
}

export interface CallResult {
  /** `failed` if the provider did not finish; with a charge, the call was cut short. */
  readonly status: 'complete' | 'failed'
  /** The charged usage; null if nothing is charged. */
  readonly usage: Usage | null
  /** The usage that the provider reported, if it was too high for the call and was capped. */
  readonly reported?: Usage
  readonly failure?: CallFailure
  /** It ended where the balance did. */
  readonly spent?: boolean
  /** Its caller left, and it was read on for its usage. */
  readonly clientLeft?: boolean
  /** The task that came of it, as its caller knows it. */
  readonly task_id?: string
}

export interface CallRecord
  extends CallRequestFacts, Omit<CallPath, 'served' | 'served_as' | 'sent'>, Omit<CallResult, 'status'> {
  /**
   * `renamed`: the served model is the requested one, under the name that channels list; otherwise a different model is
   * a fallback.
   */
  readonly models: {
    readonly requested: string
    readonly served: string
    readonly sent: string
    readonly renamed?: boolean
  }
  readonly terms: ChargeTerms
  readonly status: 'complete' | 'cut_short' | 'failed'
  /** In quota units; for a turn of a session, the charge of the turn. */
  readonly charge: Charge
  /** The provider's price for the call, in quota units; undefined if it is unknown. */
  readonly cost?: number
  /** The sums before and after a turn of a session over a WebSocket. */
  readonly session?: { readonly before: RunningTotal; readonly after: RunningTotal }
  /** Epoch ms. */
  readonly ended_at: number
}

// Builds the access log entry of a finished call: numbers and names that operators chose, never content.

/** Times in ms, counts in tokens, `quota` in quota units. */
export interface AccessedCall {
  operation: string
  stream: boolean
  /** The requested model, and the fallback model if that one answered. */
  model: string
  served?: string
  group: string
  /** Channel of the last attempt; 0 for none. */
  channel_id: number
  attempts: number
  user_id: number
  /** 0 for a call without a token. */
  token_id: number
  status: CallRecord['status']
  first_content_ms: number | null
  prompt_tokens: number
  completion_tokens: number
  quota: number
  error?: string
}

export function toAccessLogEntry(record: CallRecord): AccessedCall {
  const { models, attempts, payer, usage, failure } = record
  const call: AccessedCall = {
    operation: record.operation,
    stream: record.stream,
    model: models.requested,
    group: record.terms.group,
    channel_id: attempts.at(-1)?.channel_id ?? 0,
    attempts: attempts.length,
    user_id: payer.user_id,
    token_id: payer.token_id,
    status: record.status,
    first_content_ms: record.first_content_ms,
    prompt_tokens: usage ? getChargedPromptSize(usage, record.cached) : 0,
    completion_tokens: usage?.output ?? 0,
    quota: record.charge.quota,
  }
  if (models.served !== models.requested) call.served = models.served
  if (failure) call.error = getFailureCode(failure)
  return call
}
