// What a call is charged by: the provider's report as far as it can be true, else our own count of what was asked and said.
import type { CallResult } from '../calls/call-record.ts'
import { countsTokens } from '../dialects/buckets.ts'
import type { Usage } from '../dialects/usage.ts'
import type { Watcher } from '../dialects/glance.ts'
import type { RequestHead } from '../dialects/head.ts'
import { knownUsage } from '../dialects/passing.ts'
import type { Clock } from '../ports/clock.ts'
import type { Tokenizer } from '../ports/tokenizer.ts'
import { dearerAsked } from '../pricing/priced-words.ts'
import { isUsed } from '../pricing/rates.ts'
import { callsOfModel } from '../pricing/tool-price.ts'
import type { Admission } from './admission.ts'
import type { Call } from './call.ts'
import { countAnswer, countPrompt, countTexts } from './count-tokens.ts'
import { getMaxUsage } from './greatest-usage.ts'
import { estimateOutput, type OutputEstimate } from './said.ts'
import { clampUsage } from './usage-bounds.ts'

/** What is known of a call whose answer is over. */
export interface MeasureInput {
  call: Call
  /** Of the model that is charged. */
  head: RequestHead
  admission: Admission
  /** The name under which a provider answered. */
  sent: string | undefined
  status: CallResult['status']
  /** The last report, if there was one. */
  reported: Usage | undefined
  /** What its model is known to have thought without saying it, where its caller left. Unit: tokens. */
  thought?: number
  /** Has seen the answer. */
  watcher?: Watcher
  /** An answer that came in one piece. */
  body?: Uint8Array
  /** Of a session: all that passed so far, in bytes. */
  bytes?: number
}

type Used = Pick<CallResult, 'usage' | 'reported'>

interface Ports {
  clock: Clock
  tokenizer?: Tokenizer
}

/** The count of an answer that was cut waits no longer for its prompt. */
const CUT_PATIENCE_MS = 250

/** What is charged, with the tools that the model implies; what was reported in its place, where that cannot be true. */
export function measureUsage(measured: MeasureInput, ports: Ports): Used | Promise<Used> {
  const { head, watcher, sent = '' } = measured
  const reported = measured.reported && soFar(measured.reported, watcher)
  const told = reported && believed(reported, measured)
  // Tools alone say nothing of what was asked and answered.
  const known = told && isMeasured(told) ? told : withCalls(estimated(measured) ?? told ?? null, told?.calls)
  const whole = known && withThought(known, measured)
  const usage = withAsked(withCalls(whole, callsOfModel(head.model) ?? callsOfModel(sent)), measured)
  const used = told === reported ? { usage } : { usage, reported }
  if (usage?.source !== 'estimated') return used
  return counted(usage, measured, ports).then((exact) => ({ ...used, usage: exact }))
}

/** A report as far as the call can have used so much. */
function believed(reported: Usage, { call, head, bytes, watcher }: MeasureInput): Usage {
  const delivered = () => said(watcher).output
  return clampUsage(reported, {
    body: call.body,
    words: call.inbound.words,
    files: bytes ?? filesOf(call),
    head,
    delivered,
  })
}

/** Some report from the start on: what they said later than their last report is counted. */
function soFar(reported: Usage, watcher: Watcher | undefined): Usage {
  const later = watcher && isMeasured(reported) && !watcher.finished() ? estimateOutput(watcher) : NOTHING_SAID
  return later.output > reported.output
    ? { ...reported, ...later, source: 'estimated', estimated_by: 'answer_text' }
    : reported
}

/** Nobody reports what a model thought before its stream was cut: it is estimated upwards. */
function withThought(usage: Usage, { thought = 0, watcher, head }: MeasureInput): Usage {
  if (thought === 0 || usage.source === 'reported' || watcher?.finished()) return usage
  const output = Math.min(usage.output + thought, Math.max(usage.output, head.max_tokens ?? Infinity))
  return { ...usage, output, reasoning: usage.reasoning + output - usage.output }
}

const NOTHING_SAID: OutputEstimate = { output: 0 }

/** By our own count. */
const said = (watcher: Watcher | undefined): OutputEstimate => (watcher ? estimateOutput(watcher) : NOTHING_SAID)

/** What was delivered without a report is counted and marked as estimated; beside chat it is known from the request. */
function estimated({ call, head, admission, watcher }: MeasureInput): Usage | null {
  const answered = said(watcher)
  if (answered.output === 0) return null
  const mark = { source: 'estimated', estimated_by: 'text' } as const
  if (call.inbound.operation === 'chat') return knownUsage({ input: head.prompt_estimate, ...answered, ...mark })
  const asked = getMaxUsage(call, head, admission)
  const isAsAsked = call.inbound.operation === 'images' || asked.output === 0
  return knownUsage({ ...asked, ...(isAsAsked ? {} : { audio_out: 0, ...answered }), ...mark })
}

/** An exact count in place of an estimate, of what was asked and of a whole answer; an answer that was cut stays estimated. */
async function counted(usage: Usage, measured: MeasureInput, { tokenizer, clock }: Ports): Promise<Usage> {
  // What was reported before an answer broke is known better than we could count it.
  const counts = usage.estimated_by !== 'answer_text' && measured.admission.price.kind !== 'per_call'
  if (!tokenizer || !counts) return usage
  const isWhole = measured.status === 'complete'
  // Who waits for the end of what broke does not wait long, nor do the charges of the many who hang up at once.
  if (!isWhole && tokenizer.busy()) return usage
  const counting = exactly(usage, measured, tokenizer)
  if (isWhole) return counting
  return new Promise((resolve) => {
    const giveUp = clock.every(CUT_PATIENCE_MS, () => {
      giveUp()
      resolve(usage)
    })
    void counting.then(resolve).finally(giveUp)
  })
}

/** Never rejects: what cannot be read stays as it was estimated. */
async function exactly(
  usage: Usage,
  { call, head, sent, body: answer }: MeasureInput,
  tokenizer: Tokenizer,
): Promise<Usage> {
  const model = sent ?? head.model
  const { inbound, body, place } = call
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

/** Was anything counted by which a call is charged, beside tools? */
const isMeasured = (usage: Usage): boolean =>
  countsTokens(usage) || isUsed(usage.calls ? { ...usage, calls: undefined } : usage)

const withCalls = (usage: Usage | null, calls: Usage['calls']): Usage | null =>
  usage && calls ? { ...usage, calls: { ...calls, ...usage.calls } } : usage

/** Adds the dearer tier or place that was asked for, if the provider reports none. */
const withAsked = (usage: Usage | null, { head, admission }: MeasureInput): Usage | null =>
  usage && head.words ? { ...dearerAsked(head.words, admission.price), ...usage } : usage

/** Tokens of a prompt that are none of its texts. */
const mediaIn = ({ audio_in = 0, image_in = 0 }: Usage): number => audio_in + image_in

const filesOf = ({ place }: Call): number => place?.form?.files.reduce((sum, { size }) => sum + size, 0) ?? 0
