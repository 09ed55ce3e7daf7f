// What `weir service` asks of systemd.
import { execFile } from 'node:child_process'

type Env = Record<string, string | undefined>

export interface Systemd {
  /** Runs one command; why it failed, or undefined. */
  act(words: readonly string[]): Promise<string | undefined>
  /** Properties of a unit; null where systemd does not answer. */
  show(unit: string, properties: readonly string[]): Promise<Record<string, string> | null>
}

const PATIENCE_MS = 20_000

/** The words that people type for it. */
export const systemctlWords = (kind: 'system' | 'user', words: readonly string[]): string[] => [
  'systemctl',
  ...(kind === 'user' ? ['--user'] : []),
  ...words,
]

export function createSystemd(kind: 'system' | 'user', env: Env): Systemd {
  const run = (words: readonly string[]) =>
    new Promise<{ output: string; failure?: string }>((resolve) => {
      const [program = '', ...args] = systemctlWords(kind, words)
      execFile(program, args, { env, timeout: PATIENCE_MS }, (error, stdout, stderr) => {
        if (!error) return resolve({ output: stdout })
        const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
        resolve({ output: stdout, failure: missing ? 'systemctl is not there' : stderr.trim() || error.message })
      })
    })
  return {
    act: async (words) => (await run(words)).failure,
    async show(unit, properties) {
      const { output, failure } = await run(['show', unit, '--property', properties.join(',')])
      if (failure !== undefined) return null
      const pairs = output.split('\n').map((line) => /^(\w+)=(.*)$/.exec(line))
      return Object.fromEntries(pairs.flatMap((pair) => (pair ? [[pair[1]!, pair[2]!]] : [])))
    },
  }
}
