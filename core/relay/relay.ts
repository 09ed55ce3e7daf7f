// The conductor: admit, quote, hold, choose, attempt, stream, settle, record. Read this file first.
import type { RoutedChannel } from '../channels/channel-index.ts'
import { fail } from '../errors.ts'
import { callGroup } from '../groups/group.ts'
import type { Clock } from '../ports/clock.ts'
import type { Later } from '../ports/later.ts'
import type { Logger } from '../ports/logger.ts'
import { isBlocked } from '../dialects/blocked.ts'
import { withBlankLine } from '../dialects/frames.ts'
import type { Glance, RequestHead } from '../dialects/dialect.ts'
import type { Tokenizer } from '../ports/tokenizer.ts'
import type { CallLedger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import { admit, type Serving } from './admission.ts'
import type { Answer, StreamAnswer, WholeAnswer } from './attempt.ts'
import { Books } from './books.ts'
import type { Call, Head, Reply } from './call.ts'
import { AttemptError, failureOf, shownToCaller, withoutKey, withRequestId } from './failure.ts'
import { Audience, type Background } from './audience.ts'
import { addFallback, answerOf, fallbackModels, Turns } from './fallback.ts'
import type { AnswerPorts } from './first-answer.ts'
import { readsOnMs, thoughtUnseen } from './hang-up.ts'
import type { KeepEnd, KeptResponses } from './kept-responses.ts'
import { greatestCost } from './greatest-cost.ts'
import { lastWords, letGo } from './last-words.ts'
import { poured } from './reply-bytes.ts'
import { reserve } from './reserve.ts'
import { saidBy } from './said.ts'
import { Allowance, expectedCost, firstStep, linesOf } from './strict-hold.ts'
import { WholeWatcher } from './reshape.ts'
import type { WordCheck } from './sensitive.ts'

export interface RelayPorts extends AnswerPorts {
  ledger: CallLedger
  channels: Serving
  checkWords: WordCheck
  kept: KeptResponses
  logger: Logger
  /** Without one, what no provider counted is estimated. */
  tokenizer?: Tokenizer
  later?: Later
  /** Where answers are read on whose callers have gone. */
  background: Background
  settings(): Settings
}

/**
 * One call, answered into `reply`. A failure before the head is thrown (AttemptError or GatewayError), one after it is
 * an error frame of the caller's dialect. Every way out settles or releases what is held.
 */
export type Relay = (call: Call, reply: Reply) => Promise<void>

export function createRelay(ports: RelayPorts): Relay {
  return async function relay(given, door) {
    const settings = ports.settings()
    const read = given.inbound.readHead(given.body, given.place)
    const resumed = read.continues || read.refers ? await ports.kept.resumed(given, read) : undefined
    const { call, head: asked } = resumed ?? { call: given, head: read }
    if (asked.keeps) asked.kept_as = ports.kept.nameFor(call, settings)
    const turns = turnsOf(call, asked, ports, settings)
    const first = turns.first()
    const { head } = first
    const admission =
      resumed && head.continues ? ports.kept.placed(resumed, first.admission, settings) : first.admission
    ports.checkWords(call, settings)
    const estimated = expectedCost(call, head, admission, settings)
    const who = { user: call.caller.user, token: call.caller.token, group: admission.group }
    const expected = { prompt: head.prompt_estimate, answer: head.max_tokens ?? 0 }
    const stepped = settings.StrictHold && head.stream && call.inbound.operation === 'chat'
    const greatest = () => (stepped ? firstStep : greatestCost)(call, head, admission, settings)
    const hold = await reserve(ports.ledger, who, estimated, expected, settings, greatest)
    const books = new Books(ports, { call, head, admission, hold, settings })
    const { outcome } = books
    const readsOn = () => readsOnMs(call, head, ports.channels.find(outcome.channel_id), outcome, settings)
    const reply = new Audience(call.signal, door, ports.clock, ports.background, readsOn)
    let begun = false
    try {
      reply.admitted(head.stream, hold.id)
      const bounded = stepped && hold.amount < estimated.quota
      const allowance = bounded ? new Allowance(ports.ledger, call, books, hold.amount) : undefined
      const { answer, model } = await answerOf(ports, {
        call,
        provider: reply.provider,
        bounded,
        asked: asked.model,
        first: admission === first.admission ? first : { head, admission },
        turns,
        books,
        outcome,
        hold,
        settings,
      })
      const keepEnd = head.keeps ? await ports.kept.keep(call, head, answer, outcome) : undefined
      const top = headOf(answer, asked.model, model)
      if (answer.kind === 'whole') {
        const closed = closeWhole(answer, call, books)
        await (keepEnd ? Promise.all([closed, keepEnd(answer.body)]) : closed)
        return reply.whole(top, [answer.body])
      }
      begun = answer.content_type === undefined
      await pass(answer, books, top, reply, ports.clock, keepEnd, allowance)
    } catch (error) {
      if (call.signal.aborted) {
        // Thousands may hang up at once: first all their providers are told, then they are charged.
        if (ports.later) await ports.later()
        if (error instanceof AttemptError) outcome.usage ??= error.usage ?? null
        outcome.thought = thoughtUnseen(call, head, ports.channels.find(outcome.channel_id), outcome)
        await books.close()
        throw error
      }
      const failure = withoutKey(failureOf(error), ...keysOf(ports.channels.find(outcome.channel_id)))
      outcome.failure ??= failure
      if (error instanceof AttemptError) outcome.usage ??= error.usage ?? null
      if (isBlocked(failure)) outcome.status = 'complete'
      await books.close()
      if (!begun) throw error
      await reply.write([call.inbound.writeErrorFrame(withRequestId(shownToCaller(failure), call.caller))])
    } finally {
      reply.over()
    }
  }
}

/** What the call may try: the model asked for, and what to fall back on. */
function turnsOf(call: Call, asked: RequestHead, { channels }: RelayPorts, settings: Settings): Turns {
  const nowSeconds = Math.floor(call.started_at / 1000)
  const surroundings = { settings, channels, nowSeconds, asked: call.inbound }
  return new Turns({
    head: asked,
    fallbacks: () => fallbacksOf(call, asked, settings),
    admit: (head) => admit(call.caller, head, call.pin, surroundings),
  })
}

const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
}

/** The head of an answer: its type, which model gave it, if another one, and what a translation lost. */
function headOf(answer: Answer, asked: string, served: string): Head {
  const { content_type = answer.kind === 'whole' ? 'application/json' : undefined, dropped } = answer
  const headers = content_type === undefined ? { ...streamHeaders } : { 'content-type': content_type }
  addFallback(headers, asked, served)
  if (dropped.length > 0) Object.assign(headers, { 'x-weir-dropped': dropped.join(', ').replace(/[^ -~]/g, '?') })
  return { status: 200, headers }
}

/** Models to fall back on; a channel that was asked for by name has none. */
function fallbacksOf({ caller, pin }: Call, { model, continues }: RequestHead, settings: Settings): string[] {
  if (pin !== undefined || continues) return []
  const { user, token, group = '' } = caller
  return fallbackModels(model, callGroup(user.group, token?.group ?? group, settings), token, settings)
}

/** The texts that no caller may read, whichever of the channel's keys was used. */
const keysOf = (channel: RoutedChannel | undefined): string[] => channel?.keys.map(({ channel: { key } }) => key) ?? []

/**
 * Passes a stream on, from its head. Its end leaves after the charge is durable, and the answer kept: who has seen the
 * end sees the new balance, and can go on. What has come to its end already leaves whole, like any whole answer.
 */
async function pass(
  answer: StreamAnswer,
  books: Books,
  head: Head,
  reply: Reply,
  clock: Clock,
  keepEnd?: KeepEnd,
  allowance?: Allowance,
): Promise<void> {
  const { watcher, rest, behind, pieces } = answer
  const { outcome } = books
  books.watch(watcher)
  outcome.usage = answer.usage ?? null
  if (answer.blocked) outcome.failure = answer.blocked
  let { ended, end, failure } = answer
  const atOnce = ended && !failure
  /** Passes on what a look has found; false at the end. */
  const passOn = (seen: Glance): boolean | Promise<boolean> => {
    if (seen.usage) outcome.usage = seen.usage
    if (seen.blocked) outcome.failure = seen.blocked
    ;({ ended, end, failure } = seen)
    const full = seen.pass.length > 0 ? reply.write(seen.pass) : undefined
    const go = () => !ended && !failure
    return full ? full.then(go) : go()
  }
  let spent = false
  /** The same, as far as the balance goes: there the answer ends as one that is too long. */
  const passPaid = async (run: Uint8Array, paid: Allowance): Promise<boolean> => {
    for (const line of linesOf(run)) {
      if (!(await passOn(watcher.look(line)))) return false
      if (!watcher.cut || (await paid.covers(saidBy(watcher)))) continue
      spent = outcome.spent = true
      return passOn(watcher.cut())
    }
    return true
  }
  try {
    // Inside, so that whoever hangs up at the head lets the provider go too.
    if (!atOnce) {
      reply.head(head)
      if (pieces.length > 0) await reply.write(pieces)
    }
    if (!ended && !failure)
      await poured(rest, (run) => (allowance ? passPaid(run, allowance) : passOn(watcher.look(run))))
    if (!ended && !failure) await passOn(watcher.close())
    if (!ended && !failure) fail('upstream.broken')
    const hearing = { in: (run: Uint8Array) => watcher.look(run).usage, behind }
    if (!spent) outcome.usage = (await lastWords(rest, outcome.usage ?? undefined, hearing, clock)) ?? null
    if (failure) throw new AttemptError(failure)
    const last = watcher.close()
    outcome.usage = last.usage ?? outcome.usage
    end = last.end ?? end
    if (atOnce) pieces.push(...last.pass)
    else if (last.pass.length > 0) await reply.write(last.pass)
  } finally {
    letGo(rest)
  }
  outcome.status = 'complete'
  await (keepEnd ? Promise.all([books.close(), keepEnd(end)]) : books.close())
  // Whatever ends a stream is a whole event, also where its provider left the blank line out.
  const closing = end && end.length > 0 ? [withBlankLine(end)] : []
  if (atOnce) reply.whole(head, [...pieces, ...closing])
  else if (closing.length > 0) await reply.write(closing)
}

/** A whole answer is charged before its first byte leaves. */
function closeWhole({ body, usage, blocked }: WholeAnswer, { inbound }: Call, books: Books): Promise<void> {
  books.outcome.usage = usage ?? null
  if (blocked) books.outcome.failure = blocked
  books.outcome.status = 'complete'
  books.watch(new WholeWatcher(inbound, body), body)
  return books.close()
}
