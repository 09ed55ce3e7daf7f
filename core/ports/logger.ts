type LogFields = Record<string, unknown>

/** Structured log lines for the operator. Never a key, a password or a prompt. */
export interface Logger {
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}
