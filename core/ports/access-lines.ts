/** The destination of access log lines. They are written in batches and never delay an answer. */
export interface AccessLogDestination {
  write(line: object): void
  /** Writes the buffered lines. */
  close(): Promise<void>
}
