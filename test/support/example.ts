// Examples, run as a reader does, but several in one process: run-examples.ts.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { until } from './terminal.ts'

export interface Example {
  path: string
  args?: readonly string[]
  /** `$PORT` stands for the port of the example before it. */
  env?: Record<string, string>
  /** The working directory. */
  cwd?: string
  /** Whether it listens, and reports its port. */
  serves?: boolean
}

export interface RunningExamples {
  /** The port of each, in the order of their names. */
  ports: number[]
  /** Resolves with the exit code and signal of the process. */
  stop(): Promise<unknown[]>
}

const pathOf = (name: string): string => fileURLToPath(new URL(`../../examples/${name}.ts`, import.meta.url))

/** Starts examples that serve. @throws Error with what they have written, if one does not start */
export async function startExamples(
  examples: readonly (readonly [name: string, env: Record<string, string>])[],
): Promise<RunningExamples> {
  const { child, ended, written } = spawnExamples(
    examples.map(([name, env]) => ({ path: pathOf(name), env: { PORT: '0', ...env }, serves: true })),
  )
  const findPorts = () => [...written.text.matchAll(/"port":(\d+)/g)].map(([, port]) => Number(port))
  await until(() => findPorts().length === examples.length || child.exitCode !== null)
  const ports = findPorts()
  if (ports.length !== examples.length) throw new Error(`not all examples have started: ${written.text}`)
  return { ports, stop: () => (child.kill('SIGTERM'), ended) }
}

/** Runs examples that end, and returns what they have written. @throws Error with that, if one fails */
export async function runExamples(examples: readonly (Omit<Example, 'path'> & { name: string })[]): Promise<string> {
  const { ended, written } = spawnExamples(examples.map(({ name, ...example }) => ({ path: pathOf(name), ...example })))
  const [code] = await ended
  if (code !== 0) throw new Error(`exit code ${code}: ${written.text}`)
  return written.text
}

function spawnExamples(examples: readonly Example[]) {
  const tsx = createRequire(import.meta.url).resolve('tsx')
  const runner = fileURLToPath(new URL('run-examples.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', tsx, runner], {
    env: { PATH: process.env.PATH, EXAMPLES: JSON.stringify(examples) },
  })
  const ended = once(child, 'close')
  const written = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (run: Buffer) => (written.text += run.toString()))
  return { child, ended, written }
}
