// Log lines for the operator, on standard error.
import { createRequire } from 'node:module'
import { Writable } from 'node:stream'
import { destination, pino, stdSerializers } from 'pino'
import type * as Pretty from 'pino-pretty'
import { escapeControlCharacters, escapeHiddenJson } from '../logs/visible.ts'
import type { Logger } from '../ports/logger.ts'

export interface LoggerOptions {
  level: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** `pretty` for people, `json` for collectors. */
  format: 'pretty' | 'json'
}

type LogLineFields = Record<string, unknown>
type LogLevel = 'info' | 'warn' | 'error'

/** Receives each line that is written, with errors as plain objects. */
export type LogListener = (level: LogLevel, message: string, fields: LogLineFields) => void

interface Sink {
  write(text: string): unknown
}

/**
 * Creates a logger that writes each line before it returns, so that the last lines before a crash are not lost. In
 * every format, control characters in foreign texts are escaped for the terminal.
 * @param also receives each line as well
 */
export function createLogger({ level, format }: LoggerOptions, sink?: Sink, also?: LogListener): Logger {
  const pretty = format === 'pretty'
  const log = pino(
    { level, base: null },
    pretty ? prettyInto(sink) : jsonInto(sink ?? destination({ fd: 2, sync: true })),
  )
  const say =
    (level: LogLevel) =>
    (message: string, fields: LogLineFields = {}) => {
      const read = readable(fields)
      if (pretty) log[level](shown(read), escapeControlCharacters(message))
      else log[level](read, message)
      if (also && log.isLevelEnabled(level)) also(level, message, read)
    }
  return { info: say('info'), warn: say('warn'), error: say('error') }
}

/** Loads the formatter with the first line: most commands write none. */
function prettyInto(sink: Sink | undefined): Sink {
  let formatted: Sink | undefined
  const open = () => {
    const { PinoPretty } = createRequire(import.meta.url)('pino-pretty') as typeof Pretty
    return PinoPretty({
      destination: sink ? new Writable({ write: (line, _, done) => done(void sink.write(String(line))) }) : 2,
      sync: true,
      colorize: process.stderr.isTTY === true,
      ignore: 'pid,hostname',
    })
  }
  return { write: (line) => (formatted ??= open()).write(line) }
}

const jsonInto = (sink: Sink): Sink => ({ write: (line) => sink.write(escapeHiddenJson(line)) })

/** Errors have no enumerable fields, so they would be written as `{}`. */
function readable(fields: LogLineFields): LogLineFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? stdSerializers.err(value) : value]),
  )
}

/** Returns the same value with every text escaped for display. */
function shown(value: unknown): unknown {
  if (typeof value === 'string') return escapeControlCharacters(value)
  if (Array.isArray(value)) return value.map(shown)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [escapeControlCharacters(name), shown(member)]),
  )
}
