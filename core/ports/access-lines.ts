/** Where a line for each call goes; written in batches, and never in the way of an answer. */
export interface AccessLines {
  write(line: object): void
  /** Writes what still waits. */
  close(): Promise<void>
}
