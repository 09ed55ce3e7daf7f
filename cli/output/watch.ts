// `--watch 2s`: repeats the command, on a cleared screen if there is a terminal.
import { fillTemplate } from '../../core/errors.ts'
import type { Command } from '../command.ts'
import { EXIT_CODE, UsageError } from '../failure.ts'
import { parseDurationSeconds } from '../input/flags.ts'
import { waitOrAbort } from '../signals.ts'
import { words } from '../texts.ts'

const CLEAR = '\u001B[H\u001B[2J\u001B[3J'

/**
 * Repeats the command until a signal comes, and returns the exit code of the last run. A failing run is printed, and
 * the next one follows.
 * @throws UsageError if the command changes something, or the span is invalid
 */
export async function watchCommand(
  command: Command,
  span: string,
  {
    stdout,
    interrupted,
  }: { stdout: { write(text: string): unknown; isTTY?: boolean }; interrupted: () => AbortSignal },
  once: () => Promise<number>,
): Promise<number> {
  if (!command.readOnly) {
    throw new UsageError(words('--watch is for commands that only look.'))
  }
  const every = parseDurationSeconds(span)
  if (!every) {
    throw new UsageError(fillTemplate(words('--watch takes a span like 2s or 1m, not "{span}".'), { span }))
  }
  const signal = interrupted()
  let exit: number = EXIT_CODE.ok
  while (!signal.aborted) {
    if (stdout.isTTY) stdout.write(CLEAR)
    exit = await once()
    await waitOrAbort(every * 1000, signal)
  }
  return exit
}
