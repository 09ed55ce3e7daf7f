// Reads the body of a provider's answer: whole, within bounds, or up to its first content.
import { hasAnswerContent } from '../../dialects/answers/event-content.ts'
import type { CallFailure } from '../../dialects/answers/call-failure.ts'
import type { CallerDialect, Dialect, ProviderDialect } from '../../dialects/dialect.ts'
import type { SseFrame, OutputPiece } from '../../dialects/answers/frames.ts'
import { createFrameParser, encodeEventFrames, isWhole } from '../../dialects/answers/frames.ts'
import type { StreamFinding, PassthroughWatcher } from '../../dialects/answers/stream-watcher.ts'
import { joinByteArrays } from '../../dialects/json/json-bytes.ts'
import type { RequestHead } from '../../dialects/requests/head.ts'
import type { ModelEvent } from '../../dialects/answers/model-event.ts'
import type { ProviderObject } from '../../dialects/requests/object-places.ts'
import { NO_SOUND, type SoundBytes } from '../../dialects/media/sound.ts'
import type { Usage } from '../../dialects/answers/usage.ts'
import { fail } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ReplyBody, RemainingRuns, ReceiveBytes } from '../../ports/upstream.ts'
import { AttemptError, toCallFailure } from '../failure.ts'
import { cancelProviderBody, readTrailingUsage, type StreamedAnswer, type UsageReaders } from './answer.ts'

/** Time that reasoning at the beginning of an answer waits for a possible end. Unit: ms. */
const END_PAUSE_MS = 10

/** Maximum size of an answer that is not streamed, in bytes. */
export const MAX_WHOLE_BYTES: number = 256 * 1024 * 1024

/** Maximum size that is read of a refusal, in bytes. */
export const MAX_ERROR_BYTES: number = 256 * 1024

/** Reads a stream up to its first content, its end or its failure. The opening events are held back until then. */
export async function readFirstContent(
  body: ReplyBody,
  watcher: PassthroughWatcher,
  clock: Clock,
  behind?: UsageReaders['behind'],
): Promise<StreamedAnswer> {
  const rest = body[Symbol.asyncIterator]()
  const pieces: OutputPiece[] = []
  let usage: Usage | undefined
  let blocked: CallFailure | undefined
  let objects: ProviderObject[] | undefined
  try {
    for (;;) {
      const { done, value } = await rest.next()
      const seen = done ? watcher.close() : watcher.look(value)
      usage = seen.usage ?? usage
      // Reasoning that is still held back does not count: the client has received nothing, and another channel can answer.
      if (seen.failure && !(seen.content && watcher.answered())) {
        const reported = await readTrailingUsage(
          rest,
          seen.usage,
          { in: (run) => watcher.look(run).usage, behind },
          clock,
        )
        throw new AttemptError(seen.failure, undefined, reported)
      }
      if (seen.ended && !watcher.answered()) fail('upstream.empty')
      pieces.push(...seen.pass)
      blocked = seen.blocked ?? blocked
      if (seen.objects) (objects ??= []).push(...seen.objects)
      if (seen.content && !watcher.answered() && (await endsSoon(rest, clock))) continue
      if (seen.content || seen.ended) {
        const { ended, end, failure } = seen
        return { kind: 'stream', pieces, ended, end, watcher, usage, rest, behind, failure, blocked, objects }
      }
      if (done) fail('upstream.broken')
    }
  } catch (error) {
    // Any failure, even a frame without end: the rest is not read, so the connection is released.
    cancelProviderBody(rest)
    throw error
  }
}

/**
 * Checks whether a stream that began with reasoning has already ended. If so the rest is read before the caller gets
 * anything, since another channel can still answer.
 */
async function endsSoon(rest: RemainingRuns, clock: Clock): Promise<boolean> {
  if (!rest.hasEndArrived) return false
  await new Promise<void>((resolve) => {
    const stop = clock.every(END_PAUSE_MS, () => {
      stop()
      resolve()
    })
  })
  return rest.hasEndArrived()
}

/** Passes the remaining runs to `take` until it returns false. */
export async function forEachRun(rest: RemainingRuns, take: ReceiveBytes): Promise<void> {
  if (rest.drainTo) return rest.drainTo(take)
  for (;;) {
    const { done, value } = await rest.next()
    if (done || !(await take(value))) return
  }
}

const failTooLong = (limit: number) =>
  fail('upstream.unreadable', {}, { detail: `an answer of more than ${limit} bytes` })

/** @throws GatewayError upstream.unreadable if the body is larger than `limit` bytes */
export async function readWholeBody(body: ReplyBody, limit: number): Promise<Uint8Array> {
  const arrived = body.getArrivedBody?.()
  if (arrived) return arrived.length <= limit ? arrived : failTooLong(limit)
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > limit) failTooLong(limit)
    parts.push(part)
  }
  const only = parts[0]
  if (parts.length === 1 && only) return only
  return joinByteArrays(parts)
}

/**
 * Collects the events of a stream up to its end mark, and its usage, for a caller who did not ask for a stream.
 * @throws AttemptError if the stream reports a failure; GatewayError upstream.broken if it has no end
 */
export async function collectStream(
  body: ReplyBody,
  from: ProviderDialect,
  clock: Clock,
  behind?: UsageReaders['behind'],
): Promise<{ events: ModelEvent[]; usage: Usage | undefined }> {
  const rest = body[Symbol.asyncIterator]()
  const frames = createFrameParser()
  const read = from.reader()
  const events: ModelEvent[] = []
  let usage: Usage | undefined
  let end: ModelEvent | undefined
  const take = (event: ModelEvent): void => {
    if (event.type === 'usage') usage = event.usage
    else if (end) return
    else if (event.type === 'end' || event.type === 'failure') end = event
    else events.push(event)
  }
  const takeFrame = (frame: SseFrame): void => {
    try {
      const frameEvents = read(frame)
      const failed = !end && frameEvents.some(({ type }) => type === 'failure')
      frameEvents.forEach(take)
      // A count in the start event of an answer that only fails is not a usage report.
      if (failed && events.every(({ type }) => type === 'start')) usage = findLastUsage(frameEvents)
    } catch (error) {
      // Invalid data after the end is ignored.
      if (!end) throw error
    }
  }
  try {
    while (!end) {
      const { done, value } = await rest.next()
      ;(done ? frames.end().filter(isWhole) : frames.push(value)).forEach(takeFrame)
      if (done) break
    }
    usage = await readTrailingUsage(
      rest,
      usage,
      { in: (run) => findLastUsage(frames.push(run).flatMap(read)), behind },
      clock,
    )
  } finally {
    cancelProviderBody(rest)
  }
  if (end) throwStreamedFailure([end], usage)
  if (!end && !events.some((event) => event.type === 'finish')) fail('upstream.broken')
  if (!events.some(hasAnswerContent)) fail('upstream.empty')
  const counted: ModelEvent[] = usage ? [{ type: 'usage', usage }] : []
  return { events: [...events, ...counted, { type: 'end' }], usage }
}

// Whole answers as events, and as a stream for a caller who asked for one.

/**
 * Attaches the usage to any error, so that it is charged even if the answer cannot be written in the caller's format.
 */
export function withUsageOnFailure<T>(usage: Usage | undefined, run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw error instanceof AttemptError ? error : new AttemptError(toCallFailure(error), error, usage)
  }
}

/**
 * Parses a whole answer into events.
 * @throws AttemptError if the answer reports a failure
 */
export function readWholeAnswer(body: Uint8Array, dialect: ProviderDialect): ModelEvent[] {
  const events = dialect.readWholeReply(body)
  throwStreamedFailure(events)
  return events
}

/** @throws AttemptError if one of the events is a failure */
export function throwStreamedFailure(events: readonly ModelEvent[], usage = findLastUsage(events)): void {
  for (const event of events) if (event.type === 'failure') throw new AttemptError(event.failure, undefined, usage)
}

/** Returns the last usage report among the events. */
export const findLastUsage = (events: readonly ModelEvent[]): Usage | undefined =>
  events.findLast((event) => event.type === 'usage')?.usage

/** Sets the end time of the answer (epoch seconds) in its end event. Returns the same events. */
export function setEndTime(events: ModelEvent[], at: number): ModelEvent[] {
  const last = events.at(-1)
  if (last?.type === 'end') last.at = at
  return events
}

/** Writes a whole answer as a stream. `known` is its watcher and its usage. */
export function writeAnswerStream(
  events: readonly ModelEvent[],
  to: Dialect,
  head: RequestHead,
  known: Pick<StreamedAnswer, 'watcher' | 'usage' | 'blocked'>,
): StreamedAnswer {
  const write = to.writer(head)
  const pieces: OutputPiece[] = events.filter((event) => event.type !== 'end').flatMap((event) => write(event))
  const end = encodeEventFrames(write(events.findLast(({ type }) => type === 'end') ?? { type: 'end' }))
  return { kind: 'stream', pieces, ended: true, end, rest: emptyRuns(), ...known }
}

/** The watcher of an answer that is already complete. */
export class WholeWatcher implements PassthroughWatcher {
  private readonly dialect: Pick<CallerDialect, 'estimateOutputTokens'>
  private readonly body: Uint8Array

  constructor(dialect: Pick<CallerDialect, 'estimateOutputTokens'>, body: Uint8Array) {
    this.dialect = dialect
    this.body = body
  }

  look(): StreamFinding {
    return { pass: [], content: false, ended: true }
  }

  close(): StreamFinding {
    return this.look()
  }

  outputEstimate(): number {
    return this.dialect.estimateOutputTokens(this.body)
  }

  sound(): Readonly<SoundBytes> {
    return NO_SOUND
  }

  answered(): boolean {
    return true
  }

  finished(): boolean {
    return true
  }
}

async function* emptyRuns(): AsyncGenerator<Uint8Array> {}
