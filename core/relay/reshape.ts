// A provider that streams when it was not asked to, or does not when it was: the answer in the shape the caller wants.
import type {
  Dialect,
  Frame,
  Glance,
  ModelEvent,
  Piece,
  ProviderDialect,
  RequestHead,
  Usage,
  Watcher,
} from '../dialects/dialect.ts'
import type { AnyDialect } from '../dialects/format.ts'
import { createFrameParser, encodeFrames } from '../dialects/frames.ts'
import { fail } from '../errors.ts'
import { AttemptError } from './failure.ts'

/**
 * What a whole answer says.
 * @throws AttemptError where it says that something failed
 */
export function eventsOf(body: Uint8Array, dialect: ProviderDialect): ModelEvent[] {
  const events = dialect.readReply(body)
  refuse(events)
  return events
}

function refuse(events: readonly ModelEvent[]): void {
  for (const event of events) if (event.type === 'failure') throw new AttemptError(event.failure)
}

/** A whole answer as a stream. */
export function spread(body: Uint8Array, from: ProviderDialect, to: Dialect, head: RequestHead, usage?: Usage) {
  const events = eventsOf(body, from)
  const write = to.writer(head)
  const pieces: Piece[] = events.filter((event) => event.type !== 'end').flatMap((event) => write(event))
  const end = encodeFrames(write({ type: 'end' }))
  const watcher = new WholeWatcher(from, body)
  return { kind: 'stream' as const, pieces, ended: true, end, watcher, usage, rest: nothing() }
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

  finished(): boolean {
    return true
  }
}

/** A stream as a whole answer. */
export async function gathered(
  body: AsyncIterable<Uint8Array>,
  from: ProviderDialect,
  to: Dialect,
  head: RequestHead,
): Promise<{ body: Uint8Array; usage: Usage | undefined }> {
  const frames = createFrameParser()
  const read = from.reader()
  const events: ModelEvent[] = []
  /** Behind it nothing counts, and a provider may wait for us to leave. */
  const over = () => ['end', 'failure'].includes(events.at(-1)?.type ?? '')
  const take = (frame: Frame) => {
    for (const event of read(frame)) if (!over()) events.push(event)
  }
  for await (const run of body) {
    frames.push(run).forEach(take)
    if (over()) break
  }
  frames.end().forEach(take)
  refuse(events)
  if (!events.some((event) => event.type === 'finish' || event.type === 'end')) fail('upstream.broken')
  const usage = events.findLast((event) => event.type === 'usage')?.usage
  return { body: to.writeReply(events, head), usage }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
