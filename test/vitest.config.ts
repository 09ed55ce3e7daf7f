import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BUILT_MODULES, BUILT_VARIABLE, builtModules } from './support/built-modules.ts'
import { LongestFirst } from './support/longest-first.ts'
import { RunNotes } from './support/run-notes.ts'
import { runsAllTests } from './support/suite.ts'

const runsBuild = process.env[BUILT_VARIABLE] === '1'

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  plugins: runsBuild ? [builtModules] : [],
  test: {
    server: { deps: { external: runsBuild ? [BUILT_MODULES] : [] } },
    include: ['test/**/*.test.{ts,tsx}'],
    // Whole files that only `npm run test:all` plays.
    exclude: runsAllTests ? [] : ['test/**/*.long.test.{ts,tsx}'],
    globalSetup: ['test/support/unpack-browser.ts', 'test/support/run-folder.ts', 'test/support/postgres-server.ts'],
    setupFiles: ['test/support/end-worker.ts', 'test/support/measure-file.ts', 'test/support/fix-seed.ts'],
    reporters: ['default', new RunNotes()],
    pool: 'forks',
    // What files share (the gateway's own modules) is loaded once by each worker: no test changes a module.
    isolate: false,
    // What a request makes is garbage soon: in a larger nursery it is collected half as often.
    execArgv: ['--max-semi-space-size=64'],
    // One more than the cores of a small machine: what waits for a page, a process or a clock leaves its core to the others.
    maxWorkers: 3,
    maxConcurrency: 4,
    sequence: { sequencer: LongestFirst },
    // A page follows its data some frames later, and a busy machine later still.
    expect: { poll: { timeout: 8000, interval: 20 } },
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
