// The access log: lines of JSON on standard output, or added to a file. What cannot be written is dropped and counted,
// because no call waits for it.
import { resolve } from 'node:path'
import { destination } from 'pino'
import { visibleJson } from '../logs/visible.ts'
import type { AccessLines } from '../ports/access-lines.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'

/**
 * So much is written at once, in bytes, so that several processes that add to one file or pipe do not get between its lines: what is
 * added to a file goes there whole, into a pipe only what is not more than this.
 */
const WRITE_BYTES = { file: 256 * 1024, stdout: 4096 }
/** Once so much waits: each write is a turn of a thread, which costs more than what is written. */
const READY_BYTES = { file: 64 * 1024, stdout: 2048 }
/** And at the latest after this long, in ms. */
const FLUSH_MS = 500
/** So many are made into text together: one by one, between calls, each would find cold caches. */
const LINES_AT_ONCE = 64
/** More that waits is dropped, in bytes. */
const MOST_BYTES = 8 * 1024 * 1024
const CLOSE_MS = 1_000
/** The operator is told of trouble this often at most, in ms. */
const TOLD_MS = 60_000
/** Readable by the group of whoever runs Weir: collectors read it. */
const MODE = 0o640

/** @param where `stdout`, or a file */
export function openAccessLines(where: string, { clock, logger }: { clock: Clock; logger: Logger }): AccessLines {
  /** With the first line: what is opened for a command alone writes none. */
  let opened: ReturnType<typeof open> | undefined
  let dropped = 0
  let told = Number.NEGATIVE_INFINITY
  const tell = (why: string) => {
    if (clock.now() - told < TOLD_MS) return
    told = clock.now()
    logger.warn('the access log cannot be written', { file: where, why, dropped })
  }
  const open = () => {
    const to = where === 'stdout' ? 'stdout' : 'file'
    const stream = destination({
      dest: to === 'stdout' ? 1 : resolve(where),
      ...{ sync: false, append: true, mkdir: true, mode: MODE },
      ...{ minLength: READY_BYTES[to], maxWrite: WRITE_BYTES[to], maxLength: MOST_BYTES },
    })
    stream.on('error', (error: Error) => tell(error.message))
    stream.on('drop', () => {
      dropped++
      tell('too many lines wait')
    })
    return {
      stream,
      stop: clock.every(FLUSH_MS, () => {
        send(stream)
        stream.flush(() => undefined)
      }),
    }
  }
  /** Lines that are no text yet. */
  const lines: object[] = []
  const send = (stream: { write(text: string): unknown }) => {
    for (const line of lines.splice(0)) stream.write(`${visibleJson(JSON.stringify(line))}\n`)
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
