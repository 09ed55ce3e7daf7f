// What a whole answer says, and the same as a stream for a caller who wants one.
import type { Dialect, ProviderDialect, AnyDialect } from '../../dialects/dialect.ts'
import type { StreamFinding, Watcher } from '../../dialects/glance.ts'
import type { ModelEvent } from '../../dialects/model-event.ts'
import type { Piece } from '../../dialects/frame.ts'
import type { RequestHead } from '../../dialects/head.ts'
import type { Usage } from '../../dialects/usage.ts'
import { encodeFrames } from '../../dialects/frames.ts'
import { SILENCE, type Sound } from '../../dialects/sound.ts'
import { AttemptError, toCallFailure } from '../failure.ts'
import type { StreamAnswer } from './answer.ts'

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
