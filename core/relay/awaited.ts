// An answer that its provider gives later: it is asked about until it is there, as long as somebody waits for it.
import type { LaterAnswer, Look } from '../dialects/later-answer.ts'
import { parsedBytes } from '../dialects/json-value.ts'
import { fail } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Signal } from '../ports/signal.ts'
import type { ReplyBody, UpstreamReply } from '../ports/upstream.ts'
import { MAX_WHOLE_BYTES, readWholeBody } from './answers/reply-bytes.ts'
import { AttemptError } from './failure.ts'
import { createAbortSource } from './stop.ts'

interface Ports {
  clock: Clock
  /** Asks there, or says something. @throws GatewayError upstream.* */
  ask(at: Look, method: 'GET' | 'POST', signal: Signal): Promise<UpstreamReply>
  /** Longer is waited for no answer. */
  longest_ms: number
}

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 5_000
/** Looks in a row that are not answered, until nobody asks any more. */
const MOST_FAILURES = 10

/**
 * The answer, once it is there. A look that is not answered is asked again: the work goes on meanwhile.
 * @throws AttemptError why it failed; GatewayError upstream.*
 */
export async function pollForAnswer(
  first: UpstreamReply,
  later: LaterAnswer,
  signal: Signal,
  { clock, ask, longest_ms }: Ports,
): Promise<UpstreamReply> {
  const until = clock.now() + longest_ms
  let failures = 0
  let body = await readWholeBody(first.body, MAX_WHOLE_BYTES)
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const stands = later.stands(parsedBytes(body))
    if (!stands) return { ...first, status: 200, body: bytes(body) }
    if ('failure' in stands) throw new AttemptError(stands.failure)
    try {
      if (clock.now() > until) fail('upstream.slow', { seconds: longest_ms / 1000 })
      await clock.sleep(pause, signal)
    } catch (error) {
      const behind = later.cancel?.(parsedBytes(body))
      if (behind) await ask({ behind }, 'POST', createAbortSource().signal).catch(() => undefined)
      throw error
    }
    try {
      const reply = await ask(stands, 'GET', signal)
      const told = await readWholeBody(reply.body, MAX_WHOLE_BYTES)
      if (reply.status < 200 || reply.status > 299) fail('upstream.broken')
      body = told
      failures = 0
    } catch (error) {
      failures += 1
      if (signal.aborted || failures === MOST_FAILURES) throw error
    }
  }
}

const bytes = (body: Uint8Array): ReplyBody =>
  (async function* () {
    yield body
  })()
