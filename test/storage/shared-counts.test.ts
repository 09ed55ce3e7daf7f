// Rates and calls in progress that several instances count together, in a real Redis; and what each does while that is away.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { openSharedCounts } from '../../core/adapters/redis/shared-counts.ts'
import { createSystemClock } from '../../core/adapters/platform.ts'
import type { Limit } from '../../core/quota/limits.ts'
import { withSharedLimits } from '../../core/limits/shared-ledger.ts'
import type { Hold } from '../../core/quota/hold.ts'
import type { Ledger } from '../../core/quota/ledger.ts'
import { silent } from '../support/databases.ts'
import { redisProgram, startRedis, type RedisServer } from '../support/redis.ts'

describe.skipIf(!redisProgram)('limits that instances share', () => {
  let redis: RedisServer
  const closing: (() => Promise<void>)[] = []

  beforeAll(async () => void (redis = await startRedis()))
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
  })
  afterAll(() => redis.close())

  let made = 0
  /** One instance: a ledger that only gives holds out, and counts what it was asked with. */
  async function instance() {
    const counts = await openSharedCounts(redis.url, {
      instance: `test${(made += 1)}`,
      logger: silent,
    })
    closing.push(counts.close)
    const asked: (readonly Limit[])[] = []
    const refusing = { now: false }
    const plain = {
      async hold(payer, amount, { limits = [] } = {}) {
        asked.push(limits)
        if (refusing.now) throw new Error('no money')
        return { id: `hold${(made += 1)}`, ...payer, token_id: null, amount }
      },
      settle: async () => undefined,
      release: async () => undefined,
    } as Pick<Ledger, 'hold' | 'settle' | 'release'> as Ledger
    const ledger = withSharedLimits(plain, { counts, clock: createSystemClock() })
    const payer = { account_id: 1, by_user_id: null, token: null }
    const hold = (limits: Limit[]) => ledger.hold(payer, 5, { limits })
    const settle = (held: Hold, tokens?: number) =>
      ledger.settle(held, { quota: 1, channel_id: 1, billable: true, ...(tokens === undefined ? {} : { tokens }) })
    return { counts, ledger, hold, settle, asked, refusing }
  }

  const requests = (key: string, max: number, length = 60_000): Limit => ({
    kind: 'requests',
    key,
    length,
    max,
    amount: 1,
  })
  const tokens = (key: string, max: number, amount: number): Limit => ({
    kind: 'tokens',
    key,
    length: 60_000,
    max,
    amount,
  })
  const calls = (key: string, max: number): Limit => ({ kind: 'concurrent', key, max })
  const refused = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'let in',
      ({ code }: { code: string }) => code,
    )

  test('however many ask at once at whichever instance, as many as may come are let in', async () => {
    const all = await Promise.all([instance(), instance(), instance()])
    const outcomes = await Promise.all(
      Array.from({ length: 90 }, (_, at) => refused(all[at % 3]?.hold([requests('many', 40)]) ?? Promise.resolve())),
    )
    expect(outcomes.filter((each) => each === 'let in')).toHaveLength(40)
    expect(outcomes.filter((each) => each === 'limit.requests')).toHaveLength(50)
  })

  test('money and budgets stay with the ledger', async () => {
    const { hold, asked } = await instance()
    const budget: Limit = { kind: 'budget', key: 'b', period: 'day', zone: 'UTC', max: 10 }
    await hold([requests('split', 5), budget, calls('split', 5)])
    expect(asked).toEqual([[budget]])
  })

  test('a limit lets in again when its window has passed, and says when', async () => {
    const { hold } = await instance()
    await hold([requests('short', 1, 1200)])
    const error = await hold([requests('short', 1, 1200)]).catch((each: { retry_after_ms: number }) => each)
    expect(error).toMatchObject({ code: 'limit.requests' })
    const wait = (error as { retry_after_ms: number }).retry_after_ms
    expect(wait).toBeGreaterThan(500)
    expect(wait).toBeLessThanOrEqual(1300)
    await sleep(wait + 50)
    expect(await refused(hold([requests('short', 1, 1200)]))).toBe('let in')
  })

  test('of several limits none is counted where one is full', async () => {
    const { hold } = await instance()
    await hold([requests('narrow', 1)])
    expect(await refused(hold([requests('wide', 1), requests('narrow', 1)]))).toBe('limit.requests')
    expect(await refused(hold([requests('wide', 1)]))).toBe('let in')
  })

  test('calls in progress count until they end, at whichever instance', async () => {
    const [one, two] = await Promise.all([instance(), instance()])
    const first = await one.hold([calls('open', 2)])
    await two.hold([calls('open', 2)])
    expect(await refused(one.hold([calls('open', 2)]))).toBe('limit.concurrent')
    await one.ledger.release(first)
    await vi.waitFor(async () => expect(await refused(two.hold([calls('open', 2)]))).toBe('let in'))
  })

  test('calls of an instance that ended are none', async () => {
    const [gone, other] = await Promise.all([instance(), instance()])
    await gone.hold([calls('left', 1)])
    expect(await refused(other.hold([calls('left', 1)]))).toBe('limit.concurrent')
    await gone.counts.close()
    expect(await refused(other.hold([calls('left', 1)]))).toBe('let in')
  })

  test('tokens count as they were used, and a call that failed used none', async () => {
    const { hold, settle, ledger } = await instance()
    await settle(await hold([tokens('less', 100, 90)]), 10)
    await vi.waitFor(async () => expect(await refused(hold([tokens('less', 100, 90)]))).toBe('let in'))
    await settle(await hold([tokens('more', 100, 10)]), 95)
    await vi.waitFor(async () => expect(await refused(hold([tokens('more', 100, 10)]))).toBe('limit.tokens'))
    await ledger.release(await hold([tokens('failed', 100, 90)]))
    await vi.waitFor(async () => expect(await refused(hold([tokens('failed', 100, 90)]))).toBe('let in'))
  })

  test('whom money refuses is not counted', async () => {
    const { hold, refusing } = await instance()
    refusing.now = true
    await expect(hold([requests('poor', 1), calls('poor calls', 1)])).rejects.toThrow('no money')
    refusing.now = false
    await vi.waitFor(async () =>
      expect(await refused(hold([requests('poor', 1), calls('poor calls', 1)]))).toBe('let in'),
    )
  })

  test('what is asked of the API is counted together, too', async () => {
    const [one, two] = await Promise.all([instance(), instance()])
    expect((await one.counts.counter.add('api', 60)).count).toBe(1)
    expect((await two.counts.counter.add('api', 60)).count).toBe(2)
    await one.counts.counter.giveBack('api', 60)
    expect((await two.counts.counter.add('api', 60)).count).toBe(2)
    await one.counts.counter.forget('api', 60)
    expect((await two.counts.counter.add('api', 60)).count).toBe(1)
  })

  test.each(['SIGKILL', 'SIGSTOP'] as const)(
    'while Redis is away (%s) each lets in its share, and all again when it is back',
    async (signal) => {
      const [one, two] = await Promise.all([instance(), instance()])
      await vi.waitFor(() => expect([one.counts.instances(), two.counts.instances()]).toEqual([2, 2]), 7_000)
      if (signal === 'SIGKILL') await redis.stop()
      else redis.signal('SIGSTOP')
      const began = performance.now()
      for (const { hold } of [one, two]) {
        const outcomes = []
        for (let at = 0; at < 8; at += 1) outcomes.push(await refused(hold([requests(`away ${signal}`, 10)])))
        expect(outcomes.filter((each) => each === 'let in')).toHaveLength(5)
      }
      // One of all in each pause waits for it.
      expect(performance.now() - began).toBeLessThan(5_000)
      expect((await one.counts.counter.add(`away ${signal}`, 60)).count).toBe(1)
      if (signal === 'SIGKILL') await redis.start()
      else redis.signal('SIGCONT')
      await vi.waitFor(
        async () => {
          const outcomes = await Promise.all(
            Array.from({ length: 8 }, () => refused(one.hold([requests(`back ${signal} ${Math.random()}`, 1)]))),
          )
          expect(outcomes).toEqual(Array(8).fill('let in'))
          const key = `both ${signal} ${Math.random()}`
          await one.hold([requests(key, 1)])
          expect(await refused(two.hold([requests(key, 1)]))).toBe('limit.requests')
        },
        { timeout: 15_000, interval: 300 },
      )
    },
  )
})
