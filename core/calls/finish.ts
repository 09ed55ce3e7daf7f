// The end of a call: what its steps returned becomes the record. Pure, and the only place that makes one.
import { charge, NO_CHARGE, type Charge } from '../pricing/charge.ts'
import { computeTurnDebit, type RunningTotal } from '../pricing/session.ts'
import type { CallRequestFacts, CallRecord, CallResult, CallPath, ChargeTerms } from './call-record.ts'

export interface FinishedCall {
  call: CallRequestFacts
  terms: ChargeTerms
  course: CallPath
  came: CallResult
  /** Sums of the turns before this one of a session. */
  before?: RunningTotal
  /** The provider's price for the call, in quota units; undefined if it is unknown. */
  cost?: number
  /** Epoch ms. */
  ended_at: number
}

/**
 * Builds the record of a finished call. Usage is charged also if the call failed: it was cut short then. Not spread:
 * copying the parts cost 4 % of a plain call.
 */
export function buildCallRecord({ call, terms, course, came, before, cost, ended_at }: FinishedCall): CallRecord {
  const due = came.usage
    ? charge(terms.price, terms.group_ratio, came.usage, terms.quota_per_unit, call.started_at)
    : NO_CHARGE
  const session = before && addTurn(before, due)
  const { served, served_as, sent = served } = course
  return {
    id: call.id,
    request_id: call.request_id,
    payer: call.payer,
    language: call.language,
    operation: call.operation,
    dialect: call.dialect,
    requestedModel: call.requestedModel,
    stream: call.stream,
    effort: call.effort,
    trace: call.trace,
    models: {
      requested: call.requestedModel,
      served,
      sent,
      ...(served_as === call.requestedModel ? { renamed: true } : {}),
    },
    terms,
    attempts: course.attempts,
    first_content_ms: course.first_content_ms,
    affinity: course.affinity,
    cached: course.cached,
    status: came.status === 'failed' && came.usage ? 'cut_short' : came.status,
    usage: came.usage,
    reported: came.reported,
    failure: came.failure,
    spent: came.spent,
    clientLeft: came.clientLeft,
    task_id: came.task_id,
    charge: session ? { ...due, quota: session.debit } : due,
    cost,
    session,
    started_at: call.started_at,
    ended_at,
  }
}

function addTurn(before: RunningTotal, due: Charge) {
  const { debit, total } = computeTurnDebit(before, due)
  return { debit, before, after: total }
}
