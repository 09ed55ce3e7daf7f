// An example that serves, run as a reader does.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { until } from './terminal.ts'

export interface RunningExample {
  port: number
  /** Resolves with its exit code and signal. */
  stop(): Promise<unknown[]>
}

/** @throws Error with what it has said, where it does not start */
export async function startExample(name: string, env: Record<string, string>): Promise<RunningExample> {
  const path = fileURLToPath(new URL(`../../examples/${name}.ts`, import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', path], {
    env: { PATH: process.env.PATH, PORT: '0', ...env },
  })
  const ended = once(child, 'close')
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (run: Buffer) => (said += run.toString()))
  await until(() => said.includes('"port"') || child.exitCode !== null, 60_000)
  const port = /"port":(\d+)/.exec(said)?.[1]
  if (!port) throw new Error(`${name} did not start: ${said}`)
  return { port: Number(port), stop: () => (child.kill('SIGTERM'), ended) }
}
