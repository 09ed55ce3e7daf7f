// Log lines for the operator, on standard error.
import { destination, pino, stdSerializers } from 'pino'
import { PinoPretty } from 'pino-pretty'
import type { Logger } from '../ports/logger.ts'

export interface LoggerOptions {
  level: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** `pretty` for people, `json` for collectors. */
  format: 'pretty' | 'json'
}

type Fields = Record<string, unknown>

/** A logger that writes each line before it returns, so the last words of a dying process are not lost. */
export function createLogger({ level, format }: LoggerOptions): Logger {
  const stream =
    format === 'pretty'
      ? PinoPretty({ destination: 2, sync: true, colorize: process.stderr.isTTY === true, ignore: 'pid,hostname' })
      : destination({ fd: 2, sync: true })
  const log = pino({ level, base: null }, stream)
  return {
    info: (message, fields) => log.info(readable(fields), message),
    warn: (message, fields) => log.warn(readable(fields), message),
    error: (message, fields) => log.error(readable(fields), message),
  }
}

/** Errors have no enumerable fields, so they would be written as `{}`. */
function readable(fields: Fields = {}): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? stdSerializers.err(value) : value]),
  )
}
