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
