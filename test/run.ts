// Builds Weir unless its last build is that of the sources, runs the tests, and prints what the whole took: `npm test`, and
// `npm run test:all` with `--all`.
// Further arguments go to Vitest: `npm test -- test/http -t 'fallback'`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BUILT_VARIABLE } from './support/built-modules.ts'
import { isBuildFresh } from './support/fresh-build.ts'
import { BUILD_SECONDS_VARIABLE, readTreeSeconds } from './support/process-times.ts'
import { ALL_TESTS_VARIABLE } from './support/suite.ts'
import unpackBrowser from './support/unpack-browser.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const all = process.argv.includes('--all')
const args = process.argv.slice(2).filter((argument) => argument !== '--all')
const started = Date.now()

/** Runs a program of the repository to its end, and gives its exit code. */
async function run(program: string, given: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<number> {
  const child = spawn(program, given, { cwd: root, env, stdio: 'inherit', shell: process.platform === 'win32' })
  const [code] = (await once(child, 'close')) as [number | null]
  return code ?? 1
}

/** The modules are written without being type-checked, which takes half of the compiler's time: `npm run check` does that. */
async function buildServer(): Promise<number> {
  const modulesCode = await run('npm', ['run', '--silent', 'build:modules', '--', '--noCheck'])
  return modulesCode || run('npm', ['run', '--silent', 'build:bundle'])
}

async function build(): Promise<number> {
  if (isBuildFresh(root)) return 0
  const codes = await Promise.all([buildServer(), run('npm', ['run', '--silent', 'build:console'])])
  return Math.max(...codes)
}

// Neither needs the other, and the browser is unpacked by one core.
const [buildCode] = await Promise.all([build(), unpackBrowser()])
const code =
  buildCode ||
  (await run(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'test/vitest.config.ts', ...args],
    {
      ...process.env,
      [BUILT_VARIABLE]: '1',
      [BUILD_SECONDS_VARIABLE]: String(readTreeSeconds()),
      ...(all ? { [ALL_TESTS_VARIABLE]: '1' } : {}),
    },
  ))
const minutes = (Date.now() - started) / 60_000
process.stdout.write(` In all ${minutes.toFixed(1)} minutes, the build included.\n`)
process.exitCode = code
