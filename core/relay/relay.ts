// The conductor: admit, quote, hold, choose, attempt, stream, settle, record. Read this file first.
import type { ChannelIndex, RoutedChannel } from '../channels/channel-index.ts'
import { fail } from '../errors.ts'
import { callGroup } from '../groups/group.ts'
import type { Logger } from '../ports/logger.ts'
import type { RequestHead } from '../dialects/dialect.ts'
import type { Tokenizer } from '../ports/tokenizer.ts'
import { estimate } from '../pricing/estimate.ts'
import type { CallLedger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import { admit } from './admission.ts'
import type { Answer, StreamAnswer, WholeAnswer } from './attempt.ts'
import { Books } from './books.ts'
import type { Call, Head, Yield } from './call.ts'
import { AttemptError, failureOf, shownToCaller, withoutKey, withRequestId } from './failure.ts'
import { addFallback, answerOf, fallbackModels, Turns } from './fallback.ts'
import type { AnswerPorts } from './first-answer.ts'
import type { KeptResponses } from './kept-responses.ts'
import { reserve } from './reserve.ts'
import { WholeWatcher } from './reshape.ts'
import type { WordCheck } from './sensitive.ts'

export interface RelayPorts extends AnswerPorts {
  ledger: CallLedger
  channels: Pick<ChannelIndex, 'tiers' | 'find'>
  checkWords: WordCheck
  kept: KeptResponses
  logger: Logger
  /** Without one, what no provider counted is estimated. */
  tokenizer?: Tokenizer
  settings(): Settings
}

/**
 * One call. A failure before the head is thrown (AttemptError or GatewayError), one
 * after it is an error frame of the caller's dialect. Every way out settles or releases what is held.
 */
export type Relay = (call: Call) => AsyncGenerator<Yield, void, undefined>

export function createRelay(ports: RelayPorts): Relay {
  return async function* relay(call) {
    const settings = ports.settings()
    const asked = call.inbound.readHead(call.body, call.place)
    const nowSeconds = Math.floor(call.started_at / 1000)
    const surroundings = { settings, channels: ports.channels, nowSeconds, asked: call.inbound }
    const turns = new Turns({
      head: asked,
      fallbacks: () => fallbacksOf(call, asked, settings),
      admit: (head) => admit(call.caller, head, call.pin, surroundings),
    })
    const first = turns.first()
    const { head } = first
    const admission = head.continues ? await ports.kept.placed(call, head, first.admission) : first.admission
    ports.checkWords(call, settings)
    const estimated = estimate(admission.price, admission.group_ratio, head, settings, call.started_at)
    const who = { user: call.caller.user, token: call.caller.token, group: admission.group }
    const expected = { prompt: head.prompt_estimate, answer: head.max_tokens ?? 0 }
    const hold = await reserve(ports.ledger, who, estimated, expected, settings)
    const books = new Books(ports, { call, head, admission, hold, settings })
    let begun = false
    try {
      yield { admitted: { stream: head.stream, receipt: hold.id } }
      const { answer, model } = await answerOf(ports, {
        call,
        asked: asked.model,
        first: { head, admission },
        turns,
        books,
        hold,
        settings,
      })
      if (head.keeps) await ports.kept.keep(call, head, answer, books.outcome)
      if (answer.kind === 'whole') {
        await closeWhole(answer, call, books)
        const type = answer.content_type ?? 'application/json'
        yield { head: headOf({ 'content-type': type }, answer, asked.model, model), pieces: [answer.body] }
        return
      }
      const { content_type: type } = answer
      begun = type === undefined
      const headers = type === undefined ? { ...streamHeaders } : { 'content-type': type }
      const end = yield* pass(answer, books, headOf(headers, answer, asked.model, model))
      books.outcome.status = 'complete'
      // The end leaves after the charge is durable: who has seen the end sees the new balance.
      await books.close()
      if (end) yield { pieces: [end] }
    } catch (error) {
      const failure = withoutKey(failureOf(error), ...keysOf(ports.channels.find(books.outcome.channel_id)))
      if (!call.signal.aborted) books.outcome.failure ??= failure
      await books.close()
      if (!begun) throw error
      yield { pieces: [call.inbound.writeErrorFrame(withRequestId(shownToCaller(failure), call.caller.request_id))] }
    } finally {
      await books.close()
    }
  }
}

const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
}

/** The head of an answer: which model gave it, if another one, and what a translation lost. */
function headOf(headers: Record<string, string>, { dropped }: Answer, asked: string, served: string): Head {
  addFallback(headers, asked, served)
  if (dropped.length > 0) headers['x-weir-dropped'] = dropped.join(', ').replace(/[^ -~]/g, '?')
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

/** Passes a stream on, from its head; gives its end mark, which the conductor keeps back. */
async function* pass(answer: StreamAnswer, books: Books, head: Head): AsyncGenerator<Yield, Uint8Array | undefined> {
  const { watcher, rest } = answer
  const { outcome } = books
  books.watch(watcher)
  outcome.usage = answer.usage ?? null
  try {
    // Inside, so that whoever hangs up at the head lets the provider go too.
    yield { head }
    if (answer.pieces.length > 0) yield { pieces: answer.pieces }
    if (answer.failure) throw new AttemptError(answer.failure)
    let { ended, end } = answer
    while (!ended) {
      const { done, value } = await rest.next()
      const seen = done ? watcher.close() : watcher.look(value)
      if (seen.usage) outcome.usage = seen.usage
      if (seen.pass.length > 0) yield { pieces: seen.pass }
      if (seen.failure) throw new AttemptError(seen.failure)
      ;({ ended, end } = seen)
      if (done && !ended) fail('upstream.broken')
    }
    return end
  } finally {
    await rest.return?.()
  }
}

/** A whole answer is charged before its first byte leaves. */
function closeWhole({ body, usage }: WholeAnswer, { inbound }: Call, books: Books): Promise<void> {
  books.outcome.usage = usage ?? null
  books.outcome.status = 'complete'
  books.watch(new WholeWatcher(inbound, body), body)
  return books.close()
}
