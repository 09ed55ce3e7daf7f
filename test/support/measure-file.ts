// Measures what one test file costs, for the list at the end of a run. Vitest loads this before each test file.
import { afterAll } from 'vitest'
import { readTreeSeconds } from './process-times.ts'
import { readStarted } from './started-commands.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** CPU seconds of the worker and its children while the file was loaded and its tests ran. */
    cpuSeconds?: number
    /** How often the built command was started. */
    started?: number
  }
}

const before = readTreeSeconds()
const startedBefore = readStarted()

// oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern that no fixture is used
afterAll(({}, file) => {
  file.meta.cpuSeconds = readTreeSeconds() - before
  file.meta.started = readStarted() - startedBefore
})
