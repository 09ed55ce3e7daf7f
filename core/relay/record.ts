// The record of a call or of a turn: what was used is measured, and all that its steps returned is put together.
import type { AskedCall, CallRecord, CallResult, ChargeTerms } from '../calls/call-record.ts'
import { buildCallRecord } from '../calls/finish.ts'
import type { Usage } from '../dialects/usage.ts'
import type { Watcher } from '../dialects/glance.ts'
import type { RequestHead } from '../dialects/head.ts'
import type { Language } from '../errors.ts'
import { languageFor } from '../users/user-language.ts'
import type { Clock } from '../ports/clock.ts'
import type { Tokenizer } from '../ports/tokenizer.ts'
import { purchaseCost } from '../pricing/purchase.ts'
import type { RunningTotal } from '../pricing/session.ts'
import type { Settings } from '../settings/index.ts'
import type { Answer } from './answers/answer.ts'
import type { Call, CallCaller } from './call.ts'
import { buildDisconnectFailure } from './failure.ts'
import { measureUsage } from './measure.ts'
import { toCallPath, type RouteResult } from './route.ts'

/** What is known of a call whose answer is over. */
export interface RecordInput {
  call: Call
  /** What its caller asked for. */
  asked: RequestHead
  /** The hold that names its receipt. */
  id: string
  routed: RouteResult<Pick<Answer, 'upstream_model'> & Partial<Pick<Answer, 'cached'>>>
  watcher?: Watcher
  /** An answer that came in one piece. */
  body?: Uint8Array
  settings: Settings
  session?: SessionTotals
}

/** What came of it, as far as the steps know. */
export interface CallOutcome extends Pick<CallResult, 'status' | 'failure' | 'spent' | 'task_id'> {
  /** The last report. */
  usage: Usage | undefined
  /** What its model thought without saying it, where its caller left. Unit: tokens. */
  thought?: number
}

/** What passed in a session, and what it has been charged, when its turn is over. */
export interface SessionTotals {
  /** All that passed, in bytes. */
  bytes(): number
  /** What its turns came to before this one. */
  total(): RunningTotal
  /** And with it. */
  keep(after: RunningTotal): void
}

export interface RecordPorts {
  clock: Clock
  tokenizer?: Tokenizer
}

export async function recordCall(ports: RecordPorts, over: RecordInput, came: CallOutcome): Promise<CallRecord> {
  const { call, routed, watcher, body, settings, session } = over
  const asked = askedCall(over)
  const terms = termsOf(over)
  const { head, admission } = routed.turn
  const { status, usage: reported, thought, failure, spent, task_id } = came
  const sent = routed.answering?.answer.upstream_model
  const bytes = session?.bytes()
  const known = { call, head, admission, sent, status, reported, thought, watcher, body, bytes }
  const measuring = measureUsage(known, ports)
  const used = measuring instanceof Promise ? await measuring : measuring
  const ended_at = ports.clock.now()
  const left = call.signal.aborted
  const course = toCallPath(call, routed, ended_at)
  const { usage } = used
  const last = course.attempts.at(-1)
  const { served: model } = course
  const at = call.started_at
  let cost: number | undefined
  if (usage && last?.result === 'answered') {
    // Written out: spreading what is known of it took 3 % of a plain call.
    const { channel_id, channel_type } = last
    cost = purchaseCost({ channel_id, channel_type, model, usage, at }, settings)
  }
  const record = buildCallRecord({
    call: asked,
    terms,
    course,
    came: {
      status,
      usage,
      reported: used.reported,
      failure:
        failure ??
        (left && status === 'failed' && !usage ? buildDisconnectFailure(ended_at - call.started_at) : undefined),
      spent,
      unheard: left && status === 'complete',
      task_id,
    },
    before: session?.total(),
    cost,
    ended_at,
  })
  if (session && record.session) session.keep(record.session.after)
  return record
}

function termsOf({ routed: { turn }, settings }: RecordInput): ChargeTerms {
  const { group, price, group_ratio, special_ratio } = turn.admission
  return { group, price, group_ratio, special_ratio, quota_per_unit: settings.QuotaPerUnit }
}

function askedCall({ call, asked, id, routed }: RecordInput): AskedCall {
  const { caller, inbound, started_at, trace } = call
  const { user, token, request_id } = caller
  return {
    id,
    request_id,
    payer: {
      user_id: user.id,
      username: user.username,
      token_id: token?.id ?? 0,
      token_name: token?.name ?? `playground-${routed.turn.admission.group}`,
    },
    language: languageOf(caller),
    operation: inbound.operation,
    dialect: inbound.name,
    asked: asked.model,
    stream: asked.stream,
    effort: asked.effort,
    started_at,
    trace,
  }
}

/** As the call asked; one that names no language is taken for English, and then its reader's own comes first. */
const languageOf = ({ user, language }: CallCaller): Language =>
  language === 'en' ? languageFor(user, 'en') : language
