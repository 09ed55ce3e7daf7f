// Who listens to an answer: its caller, until that one leaves; then nobody, where the answer is read on for its usage.
import type { Piece } from '../dialects/frame.ts'
import { fail, GatewayError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Signal } from '../ports/signal.ts'
import { createAbortSource, type Head, type Reply } from './call.ts'

/** More than this is not read for nobody. */
const MOST_BYTES = 64 * 1024 * 1024
/** An answer whose finish was seen lacks its usage alone, which comes at once or not at all. Unit: ms. */
const FINISHED_MS = 2000

/** Answers under way in this process: those that somebody hears, and those that are read on although their callers have gone. */
export class ActiveReplies {
  /** Each knows its place: the tables that a Set outgrows keep all that was in them until a full collection (30 µs a call). */
  private readonly heard: DetachableReply[] = []
  private readonly open = new Map<DetachableReply, () => void>()
  private closing = false
  private refusing = false

  /** No call begins any more. */
  refuse(): void {
    this.refusing = true
  }

  /** @throws GatewayError server.stopping */
  mayBegin(): void {
    if (this.refusing) fail('server.stopping')
  }

  /** How many answers are heard. */
  get calls(): number {
    return this.heard.length
  }

  /** Whoever still listens is told that the server stops, in the answer; what came is charged. */
  cutHeard(): void {
    for (const audience of [...this.heard]) audience.end(new GatewayError('server.stopping'))
  }

  begun(audience: DetachableReply): void {
    audience.place = this.heard.push(audience) - 1
  }

  /** False once the process is about to end. */
  admit(audience: DetachableReply): boolean {
    if (!this.closing) this.open.set(audience, () => undefined)
    return !this.closing
  }

  over(audience: DetachableReply): void {
    const last = this.heard.pop()
    if (last && last !== audience) {
      this.heard[audience.place] = last
      last.place = audience.place
    }
    this.open.get(audience)?.()
    this.open.delete(audience)
  }

  /** Cuts all of them; resolves once what they used is charged. */
  async close(): Promise<void> {
    this.closing = true
    await Promise.all(
      [...this.open.keys()].map((audience) => {
        const over = new Promise<void>((resolve) => this.open.set(audience, resolve))
        audience.cut()
        return over
      }),
    )
  }
}

/** Passes an answer on as long as its caller is there. */
export class DetachableReply implements Reply {
  /** Among those that are heard: `ActiveReplies` alone sets it. */
  place = 0
  private readonly stop = createAbortSource()
  private readonly caller: Signal
  private readonly reply: Reply
  private readonly background: ActiveReplies
  private readonly clock: Clock
  private stopWaiting: (() => void) | undefined
  private read = 0
  private finished = false
  private ended = false

  /** @param readsOnMs asked when the caller leaves: how long to read on, in ms; 0 to tell the provider at once */
  constructor(caller: Signal, reply: Reply, clock: Clock, background: ActiveReplies, readsOnMs: () => number) {
    this.caller = caller
    this.reply = reply
    this.clock = clock
    this.background = background
    background.begun(this)
    const left = () => {
      if (this.ended) return
      const ms = this.finished ? FINISHED_MS : readsOnMs()
      if (ms === 0 || !background.admit(this)) return this.cut()
      this.readOn(ms)
    }
    if (caller.aborted) left()
    else caller.addEventListener('abort', left, { once: true })
  }

  /** Aborted when the provider is to stop. */
  get provider(): Signal {
    return this.stop.signal
  }

  /** The answer is complete but for its usage, which is waited for shortly, also where its caller leaves now or has left. */
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

  /** Its provider is told to stop, for this reason. */
  end(reason: unknown): void {
    this.stopWaiting?.()
    this.stop.now(reason)
  }

  /** The call has come to its end, and to its charge. */
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

  write(pieces: Piece[]): Promise<void> | undefined {
    if (this.caller.aborted) return this.unheard(pieces)
    return this.reply.write(pieces)?.catch((error: unknown) => {
      // It left while it was waited for.
      if (!this.stopWaiting) throw error
    })
  }

  whole(head: Head, pieces: Piece[]): void {
    if (!this.caller.aborted) this.reply.whole(head, pieces)
  }

  private unheard(pieces: Piece[]): undefined {
    for (const piece of pieces) this.read += piece instanceof Uint8Array ? piece.length : piece.data.length
    if (this.read > MOST_BYTES) this.cut()
  }
}

// How many calls this process is answering.

export type UnderwayKind = 'whole' | 'stream' | 'session'

export class ActiveCallCounter {
  readonly counts: Record<UnderwayKind, number> = { whole: 0, stream: 0, session: 0 }

  /** A call has begun; what it gives is called once, at its end. */
  begin(kind: UnderwayKind): () => void {
    this.counts[kind] += 1
    return () => void (this.counts[kind] -= 1)
  }
}
