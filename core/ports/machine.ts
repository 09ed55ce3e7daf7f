/** Information about the machine that the process runs on. */
export interface HostMachine {
  /** Identifies this process among those that share a database: the host and its number there. */
  process: string
  /** Identifies the location of its data: the host and the folder. */
  folder: string
  /**
   * The address that the server of this process listens on, as a browser on this machine reaches it. Links use it while
   * the operator has not set the public one, never a header of a request, which anybody can write.
   */
  address: string
  /** Free part of the disk with its data, from 0 to 1; null if the system does not report it. */
  freeDisk(): Promise<number | null>
}

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

/**
 * Yields to urgent work: resolves in a later turn of the event loop. Each turn resumes a few of the waiting callers, in
 * the order of their calls.
 */
export type YieldToEventLoop = () => Promise<void>
