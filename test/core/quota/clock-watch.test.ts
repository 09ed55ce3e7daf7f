// The database's clock: budgets renew by it, and a clock that is far from it is told, once.
import { expect, test } from 'vitest'
import { createDatabaseClock } from '../../../core/quota/postgres-sink.ts'
import { createFakeClock } from '../../support/clock.ts'
import { silent } from '../../support/databases.ts'

test.each([-60_000, 60_000])(
  'a clock that is %s ms ahead is told once, and so is that it is right again',
  async (ahead) => {
    const clock = createFakeClock()
    const said: unknown[] = []
    const say = (what: string) => (message: string, more?: object) => void said.push([what, message, more])
    const logger = { info: say('info'), warn: say('warn'), error: say('error') }
    const databaseClock = createDatabaseClock(clock, logger)
    /** The answer takes a while, and the time it tells is one of that while. */
    const ask = (theirs: () => number) =>
      databaseClock.read(async () => {
        clock.advance(3_000)
        const told = theirs()
        clock.advance(3_000)
        return told
      })
    await ask(() => clock.now())
    await ask(() => clock.now() - 2_000)
    expect(said).toEqual([])
    await ask(() => clock.now() - ahead)
    await ask(() => clock.now() - ahead)
    expect(said).toHaveLength(1)
    // What may have passed between question and answer is in its favour.
    expect(said[0]).toEqual([
      'error',
      expect.stringContaining('far from'),
      { ahead_ms: ahead - Math.sign(ahead) * 3_000 },
    ])
    await ask(() => clock.now())
    expect(said.slice(1)).toEqual([['info', expect.stringContaining('agrees'), undefined]])
  },
)

test('the time of the database is known between its readings, whatever the own clock does', async () => {
  const clock = createFakeClock()
  let jump = 0
  const jumping = { ...clock, now: () => clock.now() + jump, systemTime: () => clock.now() + jump }
  const databaseClock = createDatabaseClock(jumping, silent)
  expect(databaseClock.now()).toBe(clock.now())
  await databaseClock.read(async () => clock.now() + 500)
  for (jump of [25 * 3_600_000, -25 * 3_600_000, 0]) {
    clock.advance(10_000)
    expect(databaseClock.now()).toBe(clock.now() + 500)
  }
})
