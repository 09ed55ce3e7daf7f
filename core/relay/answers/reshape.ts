// A provider that streams when it was not asked to, or does not when it was: the answer in the shape the caller wants.
import type { Frame, Piece } from '../../dialects/frame.ts'
import type { Usage } from '../../dialects/usage.ts'
import type { Glance, Watcher } from '../../dialects/glance.ts'
import type { RequestHead } from '../../dialects/head.ts'
import type { ModelEvent } from '../../dialects/model-event.ts'
import type { Dialect, ProviderDialect, AnyDialect } from '../../dialects/dialect.ts'
import { createFrameParser, encodeFrames, isWhole } from '../../dialects/frames.ts'
import { fail } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ReplyBody } from '../../ports/upstream.ts'
import { withheldIn } from '../../dialects/blocked.ts'
import { SILENCE, type Sound } from '../../dialects/sound.ts'
import type { WholeAnswer } from './answer.ts'
import { AttemptError, settling } from '../failure.ts'
import { lastWords, letGo } from './last-words.ts'
import { usageBehind } from './trailers.ts'

/**
 * What a whole answer says.
 * @throws AttemptError where it says that something failed
 */
export function eventsOf(body: Uint8Array, dialect: ProviderDialect): ModelEvent[] {
  const events = dialect.readReply(body)
  refuse(events)
  return events
}

function refuse(events: readonly ModelEvent[], usage = usageInEvents(events)): void {
  for (const event of events) if (event.type === 'failure') throw new AttemptError(event.failure, undefined, usage)
}

/** The last report among them. */
export const usageInEvents = (events: readonly ModelEvent[]): Usage | undefined =>
  events.findLast((event) => event.type === 'usage')?.usage

/** A whole answer as a stream. */
export function spread(body: Uint8Array, from: ProviderDialect, to: Dialect, head: RequestHead, usage?: Usage) {
  const events = eventsOf(body, from)
  const write = to.writer(head)
  const pieces: Piece[] = events.filter((event) => event.type !== 'end').flatMap((event) => write(event))
  const end = encodeFrames(write({ type: 'end' }))
  const watcher = new WholeWatcher(from, body)
  const blocked = withheldIn(events)
  return { kind: 'stream' as const, pieces, ended: true, end, watcher, usage, rest: nothing(), blocked }
}

/** Watches an answer that is over already. */
export class WholeWatcher implements Watcher {
  private readonly dialect: Pick<AnyDialect, 'outputEstimate'>
  private readonly body: Uint8Array

  constructor(dialect: Pick<AnyDialect, 'outputEstimate'>, body: Uint8Array) {
    this.dialect = dialect
    this.body = body
  }

  look(): Glance {
    return { pass: [], content: false, ended: true }
  }

  close(): Glance {
    return this.look()
  }

  outputEstimate(): number {
    return this.dialect.outputEstimate(this.body)
  }

  sound(): Readonly<Sound> {
    return SILENCE
  }

  finished(): boolean {
    return true
  }
}

/** A stream as a whole answer. */
export async function gathered(
  body: ReplyBody,
  from: ProviderDialect,
  to: Dialect,
  head: RequestHead,
  clock: Clock,
): Promise<Pick<WholeAnswer, 'body' | 'usage' | 'blocked'>> {
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
    usage = await lastWords(
      rest,
      usage,
      { in: (run) => usageInEvents(frames.push(run).flatMap(read)), behind: (trailed) => usageBehind(trailed, from) },
      clock,
    )
  } finally {
    letGo(rest)
  }
  if (end) refuse([end], usage)
  if (!end && !events.some((event) => event.type === 'finish')) fail('upstream.broken')
  const counted: ModelEvent[] = usage ? [{ type: 'usage', usage }] : []
  const whole = settling(usage, () => to.writeReply([...events, ...counted, { type: 'end' }], head))
  return { body: whole, usage, blocked: withheldIn(events) }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
