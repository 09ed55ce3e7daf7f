// Usage in the database, compared with a simple count of every call by the platform's own time zones.
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Storage } from '../../core/ports/storage.ts'
import { CALL_ERROR_KINDS, type CallForUsage } from '../../core/usage/counted-call.ts'
import { toMeasures } from '../../core/usage/report.ts'
import { createOffsetLookup, listTimeSteps } from '../../core/usage/steps.ts'
import { USAGE_DIMENSIONS, USAGE_ORDERS, type UsageDimension, type UsageQuestion } from '../../core/usage/store.ts'
import { SLOT_SECONDS, getSlotStart, UsageSums } from '../../core/usage/sums.ts'
import { describeWithStorage } from '../support/databases.ts'
import { newChannel, newToken, newUser } from './samples.ts'

const FROM = Date.parse('2025-03-28T00:00Z') / 1000
const TO = Date.parse('2025-04-02T00:00Z') / 1000
const EVER = { from: 0, to: 4_000_000_000 }
/** By token; 1 and 2 are the users' own. */
const TEAMS = [0, 0, 0, 70, 71]

const calls: fc.Arbitrary<CallForUsage> = fc.record({
  at: fc.integer({ min: FROM, max: TO - 1 }),
  ...{ user_id: fc.integer({ min: 1, max: 3 }), token_id: fc.nat(4), channel_id: fc.nat(2) },
  ...{ group: fc.constantFrom('default', 'vip'), model_name: fc.constantFrom('a', 'b', 'c') },
  error: fc.option(fc.constantFrom(...CALL_ERROR_KINDS), { nil: undefined, freq: 3 }),
  ...{ prompt_tokens: fc.nat(9999), cached_tokens: fc.nat(999), output_tokens: fc.nat(999) },
  ...{ written_tokens: fc.nat(999), beside_tokens: fc.nat(999) },
  ...{ quota: fc.nat(9999), cost: fc.nat(9999), ms: fc.nat(90_000), first_ms: fc.nat(9000) },
})

const idOf: Record<UsageDimension, (call: CallForUsage) => number | string> = {
  user: ({ user_id }) => user_id,
  token: ({ token_id }) => token_id,
  team: ({ token_id }) => TEAMS[token_id] ?? 0,
  group: ({ group }) => group,
  model: ({ model_name }) => model_name,
  channel: ({ channel_id }) => channel_id,
}

/** What a zone calls the day of a moment; that it follows its clock is shown of the steps themselves. */
const dayIn = (zone: string) => {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone })
  return ({ at }: CallForUsage) => format.format(at * 1000)
}

function grouped(all: CallForUsage[], keyOf: (call: CallForUsage) => string): Map<string, CallForUsage[]> {
  const groups = new Map<string, CallForUsage[]>()
  for (const call of all) groups.set(keyOf(call), [...(groups.get(keyOf(call)) ?? []), call])
  return groups
}

const summed = (all: CallForUsage[]) => {
  const sums = new UsageSums()
  for (const call of all) sums.add(call)
  return sums.rows()
}
const sum = (all: CallForUsage[], count: (call: CallForUsage) => number) => all.reduce((n, call) => n + count(call), 0)
const plainly = (all: CallForUsage[]) => ({
  calls: all.length,
  failed: all.filter(({ error }) => error && error !== 'cut_short').length,
  errors: Object.fromEntries(
    CALL_ERROR_KINDS.map((error) => [error, all.filter((call) => call.error === error).length]),
  ),
  prompt_tokens: sum(all, ({ prompt_tokens }) => prompt_tokens),
  cached_tokens: sum(all, ({ cached_tokens }) => cached_tokens),
  output_tokens: sum(all, ({ output_tokens }) => output_tokens),
  quota: sum(all, ({ quota }) => quota),
  cost: sum(all, ({ cost }) => cost),
})
const AMOUNT: Record<(typeof USAGE_ORDERS)[number], (call: CallForUsage) => number> = {
  quota: ({ quota }) => quota,
  calls: () => 1,
  tokens: ({ prompt_tokens, output_tokens }) => prompt_tokens + output_tokens,
  errors: ({ error }) => (error ? 1 : 0),
  cost: ({ cost }) => cost,
}

const whole: UsageQuestion = {
  ...{ from: FROM, to: TO, starts: [FROM], by: [], filters: {}, order: 'quota', limit: 1000, times: true },
}

describeWithStorage('usage', (open, kind) => {
  let storage: Storage
  beforeEach(async () => {
    storage = await open()
    for (const username of ['ann', 'bob', 'cee']) await storage.users.insert(newUser({ username }))
    for (const [place, team_id] of TEAMS.slice(1).entries()) {
      const key = `${place}`.padEnd(48, 'x')
      await storage.tokens.insert(newToken({ key, name: `token ${place + 1}`, team_id }))
    }
    await storage.channels.insert([newChannel({ name: 'first' })])
  })

  test('is that of each call, by whatever it is told apart and filtered', async () => {
    const questions = fc.record({
      zone: fc.constantFrom(
        'UTC',
        'Europe/Berlin',
        'Asia/Kolkata',
        'Asia/Kathmandu',
        'America/New_York',
        'Asia/Beirut',
      ),
      by: fc.uniqueArray(fc.constantFrom(...USAGE_DIMENSIONS), { maxLength: 3 }),
      ...{ daily: fc.boolean(), order: fc.constantFrom(...USAGE_ORDERS), limit: fc.constantFrom(1, 3, 1000) },
      filtered: fc.option(fc.constantFrom(...USAGE_DIMENSIONS)),
      times: fc.boolean(),
      // Quarters that are cut off a whole number of days.
      ...{ late: fc.constantFrom(0, 0, 30, 100), early: fc.constantFrom(0, 0, 95, 300) },
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(calls, { maxLength: 60 }),
        fc.array(questions, { minLength: 4, maxLength: 4 }),
        async (all, asked) => {
          await storage.usage.replace(EVER, [])
          // Added in two goes, as two processes do.
          const half = Math.floor(all.length / 2)
          await Promise.all([storage.usage.add(summed(all.slice(0, half))), storage.usage.add(summed(all.slice(half)))])
          for (const { zone, by, daily, order, limit, filtered, times, late, early } of asked) {
            const [from, to] = [FROM + late * SLOT_SECONDS, TO - early * SLOT_SECONDS]
            const value = filtered && all[0] ? idOf[filtered](all[0]) : undefined
            const meant = all.filter(
              (call) =>
                call.at >= from &&
                call.at < to &&
                (filtered === null || value === undefined || idOf[filtered](call) === value),
            )
            const steps = listTimeSteps(daily ? 'day' : 'total', createOffsetLookup(zone), from, to)
            const filters = filtered && value !== undefined ? { [filtered]: value } : {}
            const starts = steps.map(({ at }) => at)
            const found = await storage.usage.ask({ ...whole, from, to, by, filters, order, limit, starts, times })

            const date = daily ? dayIn(zone) : () => ''
            const groupOf = (call: CallForUsage) => JSON.stringify(by.map((dimension) => idOf[dimension](call)))
            const groups = grouped(meant, groupOf)
            expect(found.groups).toBe(groups.size)
            expect(toMeasures(found.total)).toMatchObject(plainly(meant))
            const told = found.rows.map(({ at, by: ids, counts }) => {
              const { latency_ms, first_content_ms, ...measures } = toMeasures(counts)
              expect(latency_ms === undefined).toBe(!times)
              expect(first_content_ms === undefined).toBe(!times)
              const day = steps.find((step) => step.at === at)?.date
              return { of: JSON.stringify([day, by.map((dimension) => ids[dimension])]), ...measures }
            })
            const amounts = [...groups.values()].map((calls) => sum(calls, AMOUNT[order])).sort((a, b) => b - a)
            const shown = new Set(found.rows.map((row) => JSON.stringify(by.map((dimension) => row.by[dimension]))))
            expect(shown.size).toBe(Math.min(limit, groups.size))
            // Which of two equal ones is told says nothing.
            const least = amounts[limit - 1] ?? -1
            for (const [group, calls] of groups) if (sum(calls, AMOUNT[order]) > least) expect(shown).toContain(group)
            const plain = [...grouped(meant, (call) => JSON.stringify([date(call), JSON.parse(groupOf(call))]))]
              .filter(([, calls]) => shown.has(groupOf(calls[0]!)))
              .map(([of, calls]) => ({ of, ...plainly(calls) }))
            const inOrder = <Row extends { of: string }>(rows: Row[]) => rows.sort((a, b) => (a.of < b.of ? -1 : 1))
            expect(inOrder(told)).toEqual(inOrder(plain))
          }
        },
      ),
      { numRuns: kind === 'sqlite' ? 25 : 12 },
    )
  })

  describe('of a few calls', () => {
    const [call] = fc.sample(calls, 1) as [CallForUsage]
    const one = { ...call, at: FROM + 60, user_id: 1, token_id: 1, channel_id: 1, group: 'default', error: undefined }
    const ask = (more: Partial<UsageQuestion>) => storage.usage.ask({ ...whole, ...more })
    const numbered = async (filters: UsageQuestion['filters']) => toMeasures((await ask({ filters })).total).calls

    test('is added to by many at once, without a call too few or too many', async () => {
      const rows = () => summed([...'abcdefgh'].map((model_name) => ({ ...one, model_name })))
      await Promise.all(Array.from({ length: 8 }, (_, n) => storage.usage.add(n % 2 ? rows() : rows().reverse())))
      expect(toMeasures((await ask({})).total)).toMatchObject({ calls: 64, quota: 64 * one.quota })
      expect((await ask({ by: ['user', 'model'] })).rows.map(({ counts }) => counts[0])).toEqual(Array(8).fill(8))
      expect(await storage.usage.calls({ from: FROM, to: TO })).toBe(64)
    })

    test('puts a rebuilt span in the place of what was there, and touches nothing beside it', async () => {
      await storage.usage.add(summed([one, { ...one, at: FROM + 900 }, { ...one, at: FROM + 1800 }]))
      const at = getSlotStart(FROM + 900)
      await storage.usage.replace({ from: at, to: at + 900 }, summed([one, one].map((each) => ({ ...each, at }))))
      const starts = [FROM, at, at + 900]
      for (const by of [[], ['user']] as UsageDimension[][])
        expect((await ask({ starts, by })).rows.map(({ counts }) => counts[0])).toEqual([1, 2, 1])
      expect((await ask({ by: ['user'], times: false })).rows.map(({ counts }) => counts[0])).toEqual([4])
      await storage.usage.replace({ from: FROM, to: TO }, [])
      expect((await ask({ by: ['user'], times: false })).groups).toBe(0)
    })

    test('of models is what was charged for them, and as what, by how many people', async () => {
      const counts = { prompt_tokens: 100, cached_tokens: 60, written_tokens: 10, output_tokens: 7, quota: 5 }
      const given = { ...one, ...counts, model_name: 'a' }
      const failed = { ...one, prompt_tokens: 0, cached_tokens: 0, written_tokens: 0, output_tokens: 0, quota: 0 }
      await storage.usage.add(
        summed([
          { ...given, beside_tokens: 0 },
          { ...given, beside_tokens: 70, user_id: 2, at: FROM + 3 * 86_400 },
          { ...given, beside_tokens: 0, at: TO - 60 },
          { ...failed, beside_tokens: 0, error: 'server', user_id: 3, model_name: 'a' },
          { ...failed, beside_tokens: 0, error: 'server', model_name: 'never answered' },
        ]),
      )
      const whole = { model: 'a', users: 2, calls: 3, charged: 15, input: 160, cached: 180, written: 30, output: 21 }
      expect(await storage.usage.models({ from: FROM, to: TO })).toEqual([whole])
      const { users, calls, charged } = (await storage.usage.models({ from: FROM + 900, to: TO - 900 }))[0]!
      expect([users, calls, charged]).toEqual([1, 1, 5])
    })

    test('keeps names as long as the log does, and what no column can hold', async () => {
      await storage.usage.add(summed([{ ...one, model_name: `\0${'é'.repeat(300)}`, group: 'g'.repeat(300) }]))
      const { rows } = await ask({ by: ['model', 'group'] })
      expect(rows.map(({ by }) => [[...String(by.model)].length, String(by.group).length])).toEqual([[255, 100]])
    })

    test('is found by the names that people, tokens and channels have or had, and tells them', async () => {
      await storage.usage.add(summed([one, { ...one, user_id: 2, token_id: 3, channel_id: 9 }]))
      expect(await numbered({ user: 'ann' })).toBe(1)
      expect(await numbered({ user: 'nobody' })).toBe(0)
      expect(await numbered({ token: 'token 3' })).toBe(1)
      expect(await numbered({ token: 3, user: 2 })).toBe(1)
      expect(await numbered({ channel: 'first' })).toBe(1)
      expect(await numbered({ team: 70 })).toBe(1)
      expect(await numbered({ model: one.model_name })).toBe(2)
      await storage.tokens.delete(3)
      expect(await numbered({ token: 'token 3' })).toBe(1)
      expect(await storage.usage.names('token', [1, 3, 99])).toEqual(
        new Map([
          [1, 'token 1'],
          [3, 'token 3'],
        ]),
      )
      expect(await storage.usage.names('channel', [1, 9])).toEqual(new Map([[1, 'first']]))
      expect((await storage.usage.names('model', [])).size).toBe(0)
    })
  })
})
