// How the process itself is.

export interface Vitals {
  /** The longest that the event loop stood still since it was last asked, in ms. */
  stalled_ms: number
  /** Open file descriptors, and how many there may be; null where the system does not say. */
  descriptors: { open: number; most: number } | null
  /** Bytes in use, and how many there may be: of the heap, or of the process where the system bounds it. */
  memory: { used: number; most: number }
}

export interface Host {
  vitals(): Promise<Vitals>
  close(): void
}
