// The conductor: admit, quote, hold, choose, attempt, stream, settle, record. Read this file first.
import type { ChannelIndex, RoutedChannel } from '../channels/channel-index.ts'
import { choose } from '../channels/routing.ts'
import type { CallFailure, RequestHead } from '../dialects/dialect.ts'
import { fail } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { Upstream } from '../ports/upstream.ts'
import { estimate } from '../pricing/estimate.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import { maskKey } from '../tokens/token.ts'
import { admit, type Admission } from './admission.ts'
import { attempt, type Answer, type StreamAnswer } from './attempt.ts'
import { openBooks, type Books } from './books.ts'
import type { Call, Yield } from './call.ts'
import { AttemptError, failureOf, shownToCaller, withoutKey, withRequestId } from './failure.ts'
import { mayRetry } from './retry.ts'

export interface RelayPorts {
  upstream: Upstream
  clock: Clock
  random: Random
  ledger: Ledger
  channels: ChannelIndex
  settings(): Settings
  /** Told of every failed attempt: may switch the channel off. */
  onFailure(channel: RoutedChannel, failure: CallFailure): void
}

/**
 * One call. A failure before the head is thrown (AttemptError or GatewayError), one
 * after it is an error frame of the caller's dialect. Every way out settles or releases what is held.
 */
export type Relay = (call: Call) => AsyncGenerator<Yield, void, undefined>

export function createRelay(ports: RelayPorts): Relay {
  return async function* relay(call) {
    const settings = ports.settings()
    const head = call.inbound.readHead(call.body)
    const nowSeconds = Math.floor(call.started_at / 1000)
    const admission = admit(call.caller, head, call.pin, { settings, channels: ports.channels, nowSeconds })
    const { quota, free } = estimate(admission.price, admission.group_ratio, head, settings, call.started_at)
    const { user, token } = call.caller
    const payer = { user_id: user.id, token: { id: token.id, mask: maskKey(token.key) } }
    const hold = await ports.ledger.hold(payer, quota, { free })
    const books = openBooks(ports, { call, head, admission, hold, settings })
    let begun = false
    try {
      yield { admitted: { stream: head.stream, receipt: hold.id } }
      const answer = await firstAnswer(ports, call, head, admission, books, settings)
      if (answer.kind === 'whole') {
        await closeWhole(answer, call, books)
        yield { head: { status: 200, headers: { 'content-type': 'application/json' } } }
        yield { pieces: [answer.body] }
        return
      }
      begun = true
      const end = yield* pass(answer, books)
      books.outcome.status = 'complete'
      // The end leaves after the charge is durable: who has seen the end sees the new balance.
      await books.close()
      yield { pieces: end ? [end] : call.inbound.writer(head)({ type: 'end' }) }
    } catch (error) {
      const failure = withoutKey(failureOf(error), ports.channels.find(books.outcome.channel_id)?.key)
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

/** Tries channel after channel until one begins to answer. */
async function firstAnswer(
  ports: RelayPorts,
  call: Call,
  head: RequestHead,
  admission: Admission,
  books: Books,
  settings: Settings,
): Promise<Answer> {
  const request = { dialect: call.inbound, head, body: call.body, signal: call.signal }
  const tried = new Set<number>()
  const tries = admission.pinned ? 1 : settings.RetryTimes + 1
  let failed: AttemptError | undefined
  while (tried.size < tries) {
    const channel = choose(admission.candidates, tried, head.prompt_estimate, ports.random.number())
    if (!channel) break
    tried.add(channel.id)
    books.outcome.tried.push(channel.id)
    books.outcome.channel_id = channel.id
    try {
      const answer = await attempt(request, channel, { upstream: ports.upstream, clock: ports.clock, settings })
      if (answer.upstream_model !== head.model) books.outcome.upstream_model = answer.upstream_model
      books.outcome.first_content_ms = ports.clock.now() - call.started_at
      return answer
    } catch (error) {
      if (call.signal.aborted || !(error instanceof AttemptError)) throw error
      failed = error
      ports.onFailure(channel, error.failure)
      if (!mayRetry(error.failure, channel.type)) break
    }
  }
  if (!failed) fail('model.no_channel', { model: head.model, group: admission.group })
  books.outcome.failure = failed.failure
  throw new AttemptError(shownToCaller(failed.failure), failed)
}

/** Passes a stream on, from its head; gives its end mark, which the conductor keeps back. */
async function* pass(answer: StreamAnswer, books: Books): AsyncGenerator<Yield, Uint8Array | undefined> {
  const { watcher, rest } = answer
  const { outcome } = books
  books.watch(watcher)
  outcome.usage = answer.usage ?? null
  try {
    // Inside, so that whoever hangs up at the head lets the provider go too.
    yield { head: { status: 200, headers: streamHeaders } }
    if (answer.pieces.length > 0) yield { pieces: answer.pieces }
    if (answer.failure) throw new AttemptError(answer.failure)
    let ended = answer.ended
    let end: Uint8Array | undefined
    while (!ended) {
      const { done, value } = await rest.next()
      if (done) break
      const seen = watcher.look(value)
      if (seen.usage) outcome.usage = seen.usage
      if (seen.pass.length > 0) yield { pieces: seen.pass }
      if (seen.failure) throw new AttemptError(seen.failure)
      ended = seen.ended
      end = seen.end
    }
    if (!ended && !watcher.finished()) fail('upstream.broken')
    return end
  } finally {
    await rest.return?.()
  }
}

/** A whole answer is charged before its first byte leaves. */
async function closeWhole(answer: Answer & { kind: 'whole' }, call: Call, books: Books): Promise<void> {
  const { body, usage } = answer
  const { outcome } = books
  outcome.usage = usage ?? null
  books.watch({
    look: () => ({ pass: [], content: false, ended: true }),
    outputEstimate: () => call.inbound.outputEstimate(body),
    finished: () => true,
  })
  outcome.status = 'complete'
  await books.close()
}
