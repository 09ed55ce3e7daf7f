// `--watch 2s`: repeats the command, on the alternate screen if there is a terminal.
import { fillTemplate } from '../../core/errors.ts'
import type { Command } from '../command.ts'
import { EXIT_CODE, UsageError } from '../failure.ts'
import { parseDurationSeconds } from '../input/flags.ts'
import { waitOrAbort } from '../signals.ts'
import { words } from '../texts.ts'
import { runJqFilter } from './output.ts'

// The alternate screen leaves the lines above the command, and the scrollback, as they are.
const ENTER = '\u001B[?1049h'
const LEAVE = '\u001B[?1049l'
const CLEAR = '\u001B[H\u001B[2J'

/** The streams of one run, and the receiver of its result. */
export interface WatchedRun {
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
  onResult(value: unknown): void
}

interface Watching extends Pick<WatchedRun, 'stdout' | 'stderr'> {
  interrupted: () => AbortSignal
}

/**
 * Repeats the command until a signal comes or the condition is true. Returns the exit code of the last run; with a
 * condition 0 as soon as it is true, and 130 if the signal comes first. A failing run is printed, and the next one
 * follows.
 * @throws UsageError if the command changes something, the span is invalid or the condition does not fit the result
 */
export async function watchCommand(
  command: Command,
  { span, condition }: { span: string; condition: string | undefined },
  { stdout, stderr, interrupted }: Watching,
  once: (run: Partial<WatchedRun>) => Promise<number>,
): Promise<number> {
  if (!command.readOnly) {
    throw new UsageError(words('--watch is for commands that only look.'))
  }
  const every = parseDurationSeconds(span)
  if (!every) {
    throw new UsageError(fillTemplate(words('--watch accepts a span like 2s or 1m, not "{span}".'), { span }))
  }
  const signal = interrupted()
  const isScreen = stdout.isTTY === true
  const leave = () => void stdout.write(LEAVE)
  let last: [NodeJS.WriteStream, string | Uint8Array][] = []
  const record = (stream: NodeJS.WriteStream) => recordWrites(stream, (text) => last.push([stream, text]))
  const streams = isScreen ? { stdout: record(stdout), stderr: record(stderr) } : {}
  let exit: number = condition === undefined ? EXIT_CODE.ok : EXIT_CODE.cancelled
  if (isScreen) {
    stdout.write(ENTER)
    // A second signal ends the process at once.
    process.once('exit', leave)
  }
  try {
    while (!signal.aborted) {
      if (isScreen) stdout.write(CLEAR)
      last = []
      const results: unknown[] = []
      const code = await once({
        ...streams,
        ...(condition === undefined ? {} : { onResult: (value: unknown) => void results.push(value) }),
      })
      if (condition === undefined) exit = code
      else if (results.length > 0 && (await isTrue(condition, results[0]))) return EXIT_CODE.ok
      await waitOrAbort(every * 1000, signal)
    }
    return exit
  } finally {
    if (isScreen) {
      process.off('exit', leave)
      leave()
      for (const [stream, text] of last) stream.write(text)
    }
  }
}

/** Returns whether the last result of the filter is neither false nor null, as `jq --exit-status` counts. */
async function isTrue(condition: string, value: unknown): Promise<boolean> {
  const result = (await runJqFilter(condition, value, '--until'))?.split('\n').at(-1)
  return result !== undefined && result !== 'false' && result !== 'null'
}

/** Returns the stream with a copy of everything that is written to it. */
const recordWrites = (stream: NodeJS.WriteStream, onWrite: (text: string | Uint8Array) => void): NodeJS.WriteStream =>
  new Proxy(stream, {
    get(target, name) {
      if (name === 'write')
        return (text: string | Uint8Array) => {
          onWrite(text)
          return target.write(text)
        }
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
