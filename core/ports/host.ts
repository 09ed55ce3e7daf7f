// Health figures of the process.

export interface HostVitals {
  /** The longest time that the event loop was blocked since the last call, in ms. */
  stalled_ms: number
  /** Open file descriptors and their maximum; null if the system does not report them. */
  descriptors: { open: number; most: number } | null
  /** Bytes in use and their maximum: of the heap, or of the process if the system limits it. */
  memory: { used: number; most: number }
}

export interface ProcessHost {
  vitals(): Promise<HostVitals>
  close(): void
}
