// The access log: JSON lines on standard output, or appended to a file. Lines that cannot be written are dropped and
// counted, because no call waits for them.
import { resolve } from 'node:path'
import { destination } from 'pino'
import { escapeHiddenJson } from '../logs/visible.ts'
import type { Clock } from '../ports/clock.ts'
import type { AccessLogDestination, Logger } from '../ports/logger.ts'

/**
 * Size of one write, in bytes, so that the lines of several processes that write to one file or pipe do not mix: an
 * append to a file is atomic, a write to a pipe only up to this size.
 */
const WRITE_BYTES = { file: 256 * 1024, stdout: 4096 }
/** Bytes that start a write. Each write uses a thread of the pool, which costs more than the data. */
const READY_BYTES = { file: 64 * 1024, stdout: 2048 }
/** Maximum time until a write, in ms. */
const FLUSH_MS = 500
/** Lines that are formatted together: one by one, between calls, each would find cold caches. */
const LINES_AT_ONCE = 64
/** Maximum number of waiting bytes. More is dropped. */
const MOST_BYTES = 8 * 1024 * 1024
const CLOSE_MS = 1_000
/** Minimum time between two log lines about failed writes, in ms. */
const TOLD_MS = 60_000
/** Readable by the group of the user that runs Weir, for collectors. */
const MODE = 0o640

/** @param where `stdout`, or a file */
export function openAccessLines(
  where: string,
  { clock, logger }: { clock: Clock; logger: Logger },
): AccessLogDestination {
  /** Opened with the first line: a gateway that only runs a command writes none. */
  let opened: ReturnType<typeof open> | undefined
  let dropped = 0
  let lastReport = Number.NEGATIVE_INFINITY
  const reportFailure = (why: string) => {
    if (clock.now() - lastReport < TOLD_MS) return
    lastReport = clock.now()
    logger.warn('the access log cannot be written', { file: where, why, dropped })
  }
  const open = () => {
    const to = where === 'stdout' ? 'stdout' : 'file'
    const stream = destination({
      dest: to === 'stdout' ? 1 : resolve(where),
      sync: false,
      append: true,
      mkdir: true,
      mode: MODE,
      minLength: READY_BYTES[to],
      maxWrite: WRITE_BYTES[to],
      maxLength: MOST_BYTES,
    })
    stream.on('error', (error: Error) => reportFailure(error.message))
    stream.on('drop', () => {
      dropped++
      reportFailure('too many lines wait')
    })
    return {
      stream,
      stop: clock.every(FLUSH_MS, () => {
        send(stream)
        stream.flush(() => undefined)
      }),
    }
  }
  /** Lines that are not formatted yet. */
  const lines: object[] = []
  const send = (stream: { write(text: string): unknown }) => {
    for (const line of lines.splice(0)) stream.write(`${escapeHiddenJson(JSON.stringify(line))}\n`)
  }
  return {
    write(line) {
      opened ??= open()
      if (lines.push(line) >= LINES_AT_ONCE) send(opened.stream)
    },
    async close() {
      if (!opened) return
      const { stream, stop } = opened
      stop()
      send(stream)
      const patience = new AbortController()
      const ended = new Promise<void>((resolved) => stream.once('close', () => resolved()))
      stream.end()
      await Promise.race([ended, clock.sleep(CLOSE_MS, patience.signal).catch(() => undefined)])
      patience.abort()
    },
  }
}
