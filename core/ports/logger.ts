type Fields = Record<string, unknown>

/** Structured log lines for the operator. Never a key, a password or a prompt. */
export interface Logger {
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
  error(message: string, fields?: Fields): void
}
