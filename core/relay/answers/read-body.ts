// Reading a provider's answer: whole, within bounds, or up to its first content.
import { hasAnswerContent } from '../../dialects/answered.ts'
import type { CallFailure } from '../../dialects/call-failure.ts'
import type { AnyDialect, Dialect, ProviderDialect } from '../../dialects/dialect.ts'
import type { Frame, Piece } from '../../dialects/frame.ts'
import { createFrameParser, encodeFrames, isWhole } from '../../dialects/frames.ts'
import type { StreamFinding, Watcher } from '../../dialects/glance.ts'
import type { RequestHead } from '../../dialects/head.ts'
import type { ModelEvent } from '../../dialects/model-event.ts'
import type { NamedObject } from '../../dialects/object-places.ts'
import { SILENCE, type Sound } from '../../dialects/sound.ts'
import type { Usage } from '../../dialects/usage.ts'
import { fail } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ReplyBody, Runs, TakeRun } from '../../ports/upstream.ts'
import { AttemptError, toCallFailure } from '../failure.ts'
import type { StreamAnswer } from './answer.ts'
import { cancelBody, readTrailingUsage, type UsageReaders } from './trailing-usage.ts'

/** A thought at the beginning waits this long for a possible end. Unit: ms. */
const END_PAUSE_MS = 10

/** An answer that is not streamed may be this large. */
export const MAX_WHOLE_BYTES: number = 256 * 1024 * 1024

/** As much is read of what a provider refuses with. */
export const MAX_ERROR_BYTES: number = 256 * 1024

/** Reads a stream up to its first content, its end, or its failure; what merely opens it is kept back until then. */
export async function readFirstContent(
  body: ReplyBody,
  watcher: Watcher,
  clock: Clock,
  behind?: UsageReaders['behind'],
): Promise<StreamAnswer> {
  const rest = body[Symbol.asyncIterator]()
  const pieces: Piece[] = []
  let usage: Usage | undefined
  let blocked: CallFailure | undefined
  let objects: NamedObject[] | undefined
  try {
    for (;;) {
      const { done, value } = await rest.next()
      const seen = done ? watcher.close() : watcher.look(value)
      usage = seen.usage ?? usage
      if (seen.failure && !seen.content) {
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
    // Whatever is wrong with it, also a frame without end: nobody reads on, so its connection is let go.
    cancelBody(rest)
    throw error
  }
}

/**
 * Has a stream that began with a thought ended already? Then the rest of it is read before its caller gets anything, since another
 * channel can answer in its place.
 */
async function endsSoon(rest: Runs, clock: Clock): Promise<boolean> {
  if (!rest.hasEndArrived) return false
  await new Promise<void>((resolve) => {
    const stop = clock.every(END_PAUSE_MS, () => {
      stop()
      resolve()
    })
  })
  return rest.hasEndArrived()
}

/** Hands over what is still to come, run after run, until `take` has enough. */
export async function forEachRun(rest: Runs, take: TakeRun): Promise<void> {
  if (rest.drainTo) return rest.drainTo(take)
  for (;;) {
    const { done, value } = await rest.next()
    if (done || !(await take(value))) return
  }
}

const tooLong = (limit: number) => fail('upstream.unreadable', {}, { detail: `an answer of more than ${limit} bytes` })

/** @throws GatewayError upstream.unreadable when it is larger than `limit` bytes */
export async function readWholeBody(body: ReplyBody, limit: number): Promise<Uint8Array> {
  const here = body.getArrivedBody?.()
  if (here) return here.length <= limit ? here : tooLong(limit)
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > limit) tooLong(limit)
    parts.push(part)
  }
  const only = parts[0]
  if (parts.length === 1 && only) return only
  const joined = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

// Gathers a provider's stream for a caller who asked for none.

/**
 * What it says, up to its end mark, and what was used.
 * @throws AttemptError where it says that something failed; GatewayError upstream.broken where it has no end
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
  const hear = (frame: Frame): void => {
    try {
      const said = read(frame)
      const failed = !end && said.some(({ type }) => type === 'failure')
      said.forEach(take)
      // What was counted at the start of an answer that then says nothing but this is no report of it.
      if (failed && events.every(({ type }) => type === 'start')) usage = usageInEvents(said)
    } catch (error) {
      // Behind the end a provider may say what it likes.
      if (!end) throw error
    }
  }
  try {
    while (!end) {
      const { done, value } = await rest.next()
      ;(done ? frames.end().filter(isWhole) : frames.push(value)).forEach(hear)
      if (done) break
    }
    usage = await readTrailingUsage(
      rest,
      usage,
      { in: (run) => usageInEvents(frames.push(run).flatMap(read)), behind },
      clock,
    )
  } finally {
    cancelBody(rest)
  }
  if (end) throwStreamedFailure([end], usage)
  if (!end && !events.some((event) => event.type === 'finish')) fail('upstream.broken')
  if (!events.some(hasAnswerContent)) fail('upstream.empty')
  const counted: ModelEvent[] = usage ? [{ type: 'usage', usage }] : []
  return { events: [...events, ...counted, { type: 'end' }], usage }
}

// What a whole answer says, and the same as a stream for a caller who wants one.

/** What was used is paid, also where the answer then cannot be said in the caller's format. */
export function withUsageOnFailure<T>(usage: Usage | undefined, say: () => T): T {
  try {
    return say()
  } catch (error) {
    throw error instanceof AttemptError ? error : new AttemptError(toCallFailure(error), error, usage)
  }
}

/**
 * What a whole answer says.
 * @throws AttemptError where it says that something failed
 */
export function readWholeAnswer(body: Uint8Array, dialect: ProviderDialect): ModelEvent[] {
  const events = dialect.readReply(body)
  throwStreamedFailure(events)
  return events
}

/** @throws AttemptError where something failed */
export function throwStreamedFailure(events: readonly ModelEvent[], usage = usageInEvents(events)): void {
  for (const event of events) if (event.type === 'failure') throw new AttemptError(event.failure, undefined, usage)
}

/** The last report among them. */
export const usageInEvents = (events: readonly ModelEvent[]): Usage | undefined =>
  events.findLast((event) => event.type === 'usage')?.usage

/** The same events, with the moment at which the answer came to its end (epoch seconds). */
export function endedAt(events: ModelEvent[], at: number): ModelEvent[] {
  const last = events.at(-1)
  if (last?.type === 'end') last.at = at
  return events
}

/** A whole answer as a stream; `known`: what watches it, and what was used. */
export function toStream(
  events: readonly ModelEvent[],
  to: Dialect,
  head: RequestHead,
  known: Pick<StreamAnswer, 'watcher' | 'usage' | 'blocked'>,
): StreamAnswer {
  const write = to.writer(head)
  const pieces: Piece[] = events.filter((event) => event.type !== 'end').flatMap((event) => write(event))
  const end = encodeFrames(write(events.findLast(({ type }) => type === 'end') ?? { type: 'end' }))
  return { kind: 'stream', pieces, ended: true, end, rest: nothing(), ...known }
}

/** Watches an answer that is over already. */
export class WholeWatcher implements Watcher {
  private readonly dialect: Pick<AnyDialect, 'outputEstimate'>
  private readonly body: Uint8Array

  constructor(dialect: Pick<AnyDialect, 'outputEstimate'>, body: Uint8Array) {
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
    return this.dialect.outputEstimate(this.body)
  }

  sound(): Readonly<Sound> {
    return SILENCE
  }

  answered(): boolean {
    return true
  }

  finished(): boolean {
    return true
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
