// Builds Weir, runs the tests, and prints what the whole took: `npm test`, and `npm run test:all` with `--all`.
// Further arguments go to Vitest: `npm test -- test/http -t 'fallback'`.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readTreeSeconds } from './support/process-times.ts'
import { ALL_TESTS_VARIABLE } from './support/suite.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const all = process.argv.includes('--all')
const args = process.argv.slice(2).filter((argument) => argument !== '--all')
const started = Date.now()

/** Runs a program of the repository to its end, and gives its exit code. */
function run(program: string, given: readonly string[], env: NodeJS.ProcessEnv = process.env): number {
  return (
    spawnSync(program, given, { cwd: root, env, stdio: 'inherit', shell: process.platform === 'win32' }).status ?? 1
  )
}

const code =
  run('npm', ['run', '--silent', 'build']) ||
  run(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'test/vitest.config.ts', ...args],
    { ...process.env, ...(all ? { [ALL_TESTS_VARIABLE]: '1' } : {}) },
  )
const minutes = (Date.now() - started) / 60_000
process.stdout.write(
  ` In all ${minutes.toFixed(1)} minutes and ${readTreeSeconds().toFixed(0)} s CPU, the build included.\n`,
)
process.exitCode = code
