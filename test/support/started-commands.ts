// How often the built command was started: each start takes a second and a half of CPU, so `npm test` has few of them.

/** The most starts that the files of test/cli have in `npm test`, all together. */
export const MOST_STARTED = 10

// A module that a test has loaded anew counts on: the number belongs to the worker.
const worker = globalThis as { weirStarted?: number }

export const countStarted = (): void => {
  worker.weirStarted = readStarted() + 1
}

export const readStarted = (): number => worker.weirStarted ?? 0
