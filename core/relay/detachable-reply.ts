// Forwards an answer to its client. After a disconnect the answer may be read to its end, so that its usage is known.
import type { OutputPiece } from '../dialects/answers/frames.ts'
import { fail, GatewayError } from '../errors.ts'
import type { Clock, AbortSignalLike } from '../ports/clock.ts'
import { createAbortSource, type Head, type Reply } from './call.ts'

/** Maximum number of bytes to read after the client has disconnected. */
const MOST_BYTES = 64 * 1024 * 1024
/**
 * Time to wait for the usage of an answer whose finish reason has arrived: it follows at once or not at all. Unit: ms.
 */
const FINISHED_MS = 2000

/** The open answers of this process: those with a client, and those that are read on after a disconnect. */
export class ActiveReplies {
  /** Each reply stores its index: a Set keeps its outgrown tables until a full collection (30 µs a call). */
  private readonly connected: DetachableReply[] = []
  private readonly open = new Map<DetachableReply, () => void>()
  private closing = false
  private refusing = false

  /** Stops accepting new calls. */
  refuse(): void {
    this.refusing = true
  }

  /** @throws GatewayError server.stopping */
  mayBegin(): void {
    if (this.refusing) fail('server.stopping')
  }

  /** Number of answers with a client. */
  get calls(): number {
    return this.connected.length
  }

  /** Ends all open answers with `server.stopping`. The output so far is charged. */
  cutConnected(): void {
    for (const active of [...this.connected]) active.end(new GatewayError('server.stopping'))
  }

  onStarted(active: DetachableReply): void {
    active.place = this.connected.push(active) - 1
  }

  /** Registers an answer that is read on. False if the process is about to end. */
  admit(active: DetachableReply): boolean {
    if (!this.closing) this.open.set(active, () => undefined)
    return !this.closing
  }

  over(active: DetachableReply): void {
    const last = this.connected.pop()
    if (last && last !== active) {
      this.connected[active.place] = last
      last.place = active.place
    }
    this.open.get(active)?.()
    this.open.delete(active)
  }

  /** Cuts all answers that are read on; resolves once their usage is charged. */
  async close(): Promise<void> {
    this.closing = true
    await Promise.all(
      [...this.open.keys()].map((active) => {
        const done = new Promise<void>((resolve) => this.open.set(active, resolve))
        active.cut()
        return done
      }),
    )
  }
}

/** Forwards an answer as long as its client is connected. */
export class DetachableReply implements Reply {
  /** Index in the list of `ActiveReplies`, which alone sets it. */
  place = 0
  private readonly stop = createAbortSource()
  private readonly caller: AbortSignalLike
  private readonly reply: Reply
  private readonly background: ActiveReplies
  private readonly clock: Clock
  private stopWaiting: (() => void) | undefined
  private read = 0
  private finished = false
  private ended = false

  /**
   * @param readsOnMs called when the client disconnects: how long to read on, in ms; 0 cancels the upstream request at
   * once
   */
  constructor(caller: AbortSignalLike, reply: Reply, clock: Clock, background: ActiveReplies, readsOnMs: () => number) {
    this.caller = caller
    this.reply = reply
    this.clock = clock
    this.background = background
    background.onStarted(this)
    const onDisconnect = () => {
      if (this.ended) return
      const ms = this.finished ? FINISHED_MS : readsOnMs()
      if (ms === 0 || !background.admit(this)) return this.cut()
      this.readOn(ms)
    }
    if (caller.aborted) onDisconnect()
    else caller.addEventListener('abort', onDisconnect, { once: true })
  }

  /** Aborted when the provider should stop. */
  get provider(): AbortSignalLike {
    return this.stop.signal
  }

  /** Marks the answer as complete except for its usage, which is awaited only briefly after a disconnect. */
  finish(): void {
    if (this.finished) return
    this.finished = true
    if (this.stopWaiting) this.readOn(FINISHED_MS)
  }

  private readOn(ms: number): void {
    this.stopWaiting?.()
    this.stopWaiting = this.clock.every(ms, () => this.cut())
  }

  cut(): void {
    this.end(this.caller.reason ?? new GatewayError('upstream.broken'))
  }

  /** Cancels the upstream request with this reason. */
  end(reason: unknown): void {
    this.stopWaiting?.()
    this.stop.now(reason)
  }

  /** Ends the reply, once the call is charged. */
  over(): void {
    this.ended = true
    this.stopWaiting?.()
    this.background.over(this)
  }

  admitted(stream: boolean, receipt: string): void {
    this.reply.admitted(stream, receipt)
  }

  head(head: Head): void {
    if (!this.caller.aborted) this.reply.head(head)
  }

  write(pieces: OutputPiece[]): Promise<void> | undefined {
    if (this.caller.aborted) return this.countUnsent(pieces)
    return this.reply.write(pieces)?.catch((error: unknown) => {
      // The client disconnected during the write.
      if (!this.stopWaiting) throw error
    })
  }

  whole(head: Head, pieces: OutputPiece[]): void {
    if (!this.caller.aborted) this.reply.whole(head, pieces)
  }

  private countUnsent(pieces: OutputPiece[]): undefined {
    for (const piece of pieces) this.read += piece instanceof Uint8Array ? piece.length : piece.data.length
    if (this.read > MOST_BYTES) this.cut()
  }
}

// Counters of the calls in progress in this process.

export type UnderwayKind = 'whole' | 'stream' | 'session'

export class ActiveCallCounter {
  readonly counts: Record<UnderwayKind, number> = { whole: 0, stream: 0, session: 0 }

  /** Counts a call. The returned function must be called once at its end. */
  begin(kind: UnderwayKind): () => void {
    this.counts[kind] += 1
    return () => void (this.counts[kind] -= 1)
  }
}
