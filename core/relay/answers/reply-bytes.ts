// Reading a provider's answer: whole, within bounds, or up to its first content.
import type { CallFailure } from '../../dialects/call-failure.ts'
import type { Piece } from '../../dialects/frame.ts'
import type { NamedObject } from '../../dialects/object-places.ts'
import type { Usage } from '../../dialects/usage.ts'
import type { Watcher } from '../../dialects/glance.ts'
import { fail } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ReplyBody, Runs, TakeRun } from '../../ports/upstream.ts'
import { AttemptError } from '../failure.ts'
import type { StreamAnswer } from './answer.ts'
import { readTrailingUsage, cancelBody, type UsageReaders } from './last-words.ts'

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
  if (!rest.atEnd) return false
  await new Promise<void>((resolve) => {
    const stop = clock.every(END_PAUSE_MS, () => {
      stop()
      resolve()
    })
  })
  return rest.atEnd()
}

/** Hands over what is still to come, run after run, until `take` has enough. */
export async function forEachRun(rest: Runs, take: TakeRun): Promise<void> {
  if (rest.pour) return rest.pour(take)
  for (;;) {
    const { done, value } = await rest.next()
    if (done || !(await take(value))) return
  }
}

const tooLong = (limit: number) => fail('upstream.unreadable', {}, { detail: `an answer of more than ${limit} bytes` })

/** @throws GatewayError upstream.unreadable when it is larger than `limit` bytes */
export async function readWholeBody(body: ReplyBody, limit: number): Promise<Uint8Array> {
  const here = body.here?.()
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
