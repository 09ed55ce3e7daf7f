type LogFields = Record<string, unknown>

/** Structured log lines for the operator. Never a key, a password or a prompt. */
export interface Logger {
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

/** The destination of access log lines. They are written in batches and never delay an answer. */
export interface AccessLogDestination {
  write(line: object): void
  /** Writes the buffered lines. */
  close(): Promise<void>
}
