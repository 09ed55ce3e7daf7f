// uv, which installs other people's Python programs and libraries for the scripts that run them. It is kept between runs.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Where environments and packages are kept between runs. */
export const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'weir-sdks')
const UV = join(CACHE, 'uv', 'bin', 'uv')
const PYTHON = 'python3.11'

/** Runs uv and returns what it prints. @throws Error if uv cannot be had, or fails */
export async function runUv(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  if (!existsSync(UV)) {
    await run(PYTHON, ['-m', 'venv', join(CACHE, 'uv')])
    await run(join(CACHE, 'uv', 'bin', 'pip'), ['install', '--quiet', 'uv'])
  }
  const whole = { ...process.env, UV_CACHE_DIR: join(CACHE, 'packages'), ...env }
  return (await run(UV, args, { env: whole, maxBuffer: 2 ** 26 })).stdout.trim()
}
