// A clock that is far from the database's is told, once.
import { expect, test } from 'vitest'
import { createClockWatch } from '../../../core/quota/postgres-sink.ts'
import { createFakeClock } from '../../support/clock.ts'

test.each([-60_000, 60_000])(
  'a clock that is %s ms ahead is told once, and so is that it is right again',
  async (ahead) => {
    const clock = createFakeClock()
    const said: unknown[] = []
    const say = (what: string) => (message: string, more?: object) => void said.push([what, message, more])
    const logger = { info: say('info'), warn: say('warn'), error: say('error') }
    const compare = createClockWatch(clock, logger)
    /** The answer takes a while, and the time it tells is one of that while. */
    const ask = (theirs: () => number) =>
      compare(async () => {
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
    expect(said[0]).toEqual(['error', expect.stringContaining('far from'), { ahead_ms: expect.any(Number) as number }])
    await ask(() => clock.now())
    expect(said.slice(1)).toEqual([['info', expect.stringContaining('agrees'), undefined]])
  },
)
