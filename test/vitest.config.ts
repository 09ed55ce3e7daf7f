import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { BUILT_MODULES, BUILT_VARIABLE, builtModules } from './support/built-modules.ts'
import { LongestFirst } from './support/longest-first.ts'
import { RunNotes } from './support/run-notes.ts'
import { runsAllTests } from './support/suite.ts'

/** Whole files that only `npm run test:all` plays. */
const left = runsAllTests ? [] : ['test/**/*.long.test.{ts,tsx}']

const TESTS = ['test/**/*.test.{ts,tsx}']

/** Tests that replace or forget a module of the product: that is possible in the sources alone, which Vitest loads. */
const REPLACING = [
  'test/cli/tables.test.ts',
  'test/cli/ui/beside.test.ts',
  'test/providers/registry.test.ts',
  'test/storage/secrets.test.ts',
]

const runsBuild = process.env[BUILT_VARIABLE] === '1'

const shared = {
  setupFiles: ['test/support/end-worker.ts', 'test/support/measure-file.ts', 'test/support/fix-seed.ts'],
  pool: 'forks',
  // What files share (the gateway's own modules) is loaded once by each worker: no test changes a module.
  isolate: false,
  // What a request makes is garbage soon: in a larger nursery it is collected half as often. Four workers leave no core to
  // threads that collect and compile beside them.
  execArgv: ['--max-semi-space-size=64', '--single-threaded-gc', '--no-concurrent-recompilation'],
  maxConcurrency: 4,
  // A page follows its data some frames later, and a busy machine later still.
  expect: { poll: { timeout: 8000, interval: 20 } },
  testTimeout: 60_000,
  hookTimeout: 120_000,
} satisfies TestProjectInlineConfiguration['test']

/** `npm test` has built Weir, and tries what it has built. */
const projects: TestProjectInlineConfiguration[] = [
  {
    plugins: [builtModules],
    test: {
      ...shared,
      name: 'built',
      include: TESTS,
      exclude: [...left, ...REPLACING],
      server: { deps: { external: [BUILT_MODULES] } },
    },
  },
  { test: { ...shared, name: 'sources', include: REPLACING } },
]

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    ...shared,
    ...(runsBuild ? { projects } : { include: TESTS, exclude: left }),
    globalSetup: ['test/support/unpack-browser.ts', 'test/support/run-folder.ts', 'test/support/postgres-server.ts'],
    reporters: ['default', new RunNotes()],
    // Twice the cores of a small machine: a worker waits more than half of its time for a page, a process or a clock.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
  },
})
