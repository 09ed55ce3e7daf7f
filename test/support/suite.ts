// Tells the two suites apart: `npm test` runs a part of long tests, `npm run test:all` all of them.

/** The variable by which `test/run.ts` tells the test processes that everything is played. */
export const ALL_TESTS_VARIABLE = 'WEIR_TEST_ALL'

/** Whether this is `npm run test:all`. */
export const runsAllTests: boolean = process.env[ALL_TESTS_VARIABLE] === '1'

/** All cases in `npm run test:all`; in `npm test` the first of every `step`, beginning with the very first. */
export const sampleCases = <Case>(cases: readonly Case[], step: number): Case[] =>
  cases.filter((_, index) => runsAllTests || index % step === 0)

/** All cases in `npm run test:all`; in `npm test` a few of them, the next ones in each turn, so that all are played in the end. */
export const pickInTurn = <Case>(cases: readonly Case[], turn: number, count: number): Case[] =>
  runsAllTests || count >= cases.length
    ? [...cases]
    : Array.from({ length: count }, (_, index) => cases[(turn * count + index) % cases.length]!)
