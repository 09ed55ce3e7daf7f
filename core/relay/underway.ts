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
