// Runs another program in this one's place: its terminal, its signals, its exit code.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { words } from '../core/errors.ts'
import { Refusal } from './failure.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const
/** A terminal sends these itself to all that run in it. */
const BY_TERMINAL = new Set<NodeJS.Signals>(['SIGINT', 'SIGQUIT'])

/** From now on this process outlives signals, and passes them on to whoever is there to get them, until `release`. */
export function takeSignals() {
  const seen: { first?: NodeJS.Signals; pass?(signal: NodeJS.Signals): void } = {}
  const take = (signal: NodeJS.Signals) => {
    seen.first ??= signal
    seen.pass?.(signal)
  }
  for (const signal of SIGNALS) process.on(signal, take)
  return {
    /** The first that came. */
    first: () => seen.first,
    to(pass: (signal: NodeJS.Signals) => void) {
      seen.pass = pass
    },
    release() {
      for (const signal of SIGNALS) process.off(signal, take)
    },
  }
}
export type Signals = ReturnType<typeof takeSignals>

export interface ChildOptions {
  env: Record<string, string | undefined>
  /** Does it share a terminal with this process? */
  terminal: boolean
  signals: Signals
}

/** What a shell says of a program that a signal ended. */
export const codeOfSignal = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]

/** The exit code of the program. @throws Refusal where there is no such program */
export function runChild(
  [command = '', ...args]: readonly string[],
  { env, terminal, signals }: ChildOptions,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: 'inherit' })
    signals.to((signal) => {
      if (!terminal || !BY_TERMINAL.has(signal)) child.kill(signal)
    })
    child.once('error', (error) => reject(cannotStart(command, error)))
    child.once('close', (code, signal) => resolve(signal ? codeOfSignal(signal) : (code ?? 1)))
  })
}

function cannotStart(command: string, error: NodeJS.ErrnoException): Error {
  if (error.code === 'ENOENT')
    return new Refusal(
      words(`There is no program called "${command}".`, `没有名为 "${command}" 的程序。`),
      'no_program',
    )
  if (error.code === 'EACCES')
    return new Refusal(words(`"${command}" is no program that may be run.`, `"${command}" 不可执行。`), 'no_program')
  return error
}
