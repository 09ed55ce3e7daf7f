// The day of test/e2e/state-day.ts, with a backup beside a few calls. `npm test` plays it in this process.
import { expect, it } from 'vitest'
import { freshDatabase } from '../support/postgres.ts'
import { runsAllTests } from '../support/suite.ts'
import { stateDay } from '../support/state-day.ts'

it('a day with the state as a file, a backup, and a move to the other database and back', async () => {
  const problems = await stateDay({
    kind: 'sqlite',
    freshDatabase,
    rate: 10,
    seconds: 1,
    say: () => undefined,
    inProcess: !runsAllTests,
  })
  expect(problems).toEqual([])
}, 300_000)
