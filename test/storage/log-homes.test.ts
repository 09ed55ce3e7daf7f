// Rows of the log in a separate home: queries return the same results as from the database, each row once, whatever
// fails.
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import type { LogEntry } from '../../core/calls/log-entry.ts'
import type { ExpiredRows, LogFilter } from '../../core/logs/log.ts'
import type { LogHome } from '../../core/logs/home.ts'
import { createLogsInTwoPlaces } from '../../core/logs/two-places.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { describeWithStorage } from '../support/databases.ts'
import { runsAllTests } from '../support/suite.ts'
import { logSuite } from './log-suite.ts'
import { followerTo, HOMES, isHere, movingOn, newestId, openHome, type HomeKind } from './log-homes.ts'
import { newChannel, newLog, newUser } from './samples.ts'

const going = new AbortController().signal
let ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends) await end()
  ends = []
})

describe.each(HOMES.map((kind) => ({ kind })))('with a home of rows: $kind', ({ kind }) => {
  describe.skipIf(!isHere(kind))(kind, { timeout: 60_000 }, () => {
    async function newHome(): Promise<LogHome> {
      const { home, end } = await openHome(kind)
      ends.push(end)
      return home
    }

    describeWithStorage('the log', (open, database) => {
      describe.each(sharesOf(kind, database))('a share of %d of the rows', (share) => {
        logSuite(async () => movingOn(await open(), await newHome(), share))
      })
    })

    describeWithStorage('random rows and questions', (open) => {
      test('have the same answers from two places, and after rows went from the database, or from both', async () => {
        // Rows of the rounds before are only more of them.
        const storage = await open()
        await prepare(storage)
        const answers = async (logs: Storage['logs'], asked: readonly Question[]) => {
          const given: unknown[] = []
          for (const question of asked) given.push({ question, answer: await answerOf(logs, question) })
          return given
        }
        await fc.assert(
          fc.asyncProperty(rowsOf, shareOf, questionsOf, outdatedOf, async (rows, share, asked, outdated) => {
            const { home, end } = await openHome(kind)
            try {
              await storage.databaseLogs.insert(rows.map((row) => newLog(row)))
              const place = Math.floor((await newestId(storage)) * share)
              const follower = followerTo(storage, home, () => Promise.resolve(place))
              await follower.run(going)
              expect(follower.state().failure).toBe('')
              const logs = createLogsInTwoPlaces(storage, home)
              const expected = await answers(storage.databaseLogs, asked)
              expect(await answers(logs, asked)).toEqual(expected)
              await storage.databaseLogs.removeUpTo(place, 10_000)
              expect(await answers(logs, asked)).toEqual(expected)
              const kept = (await logs.newest({}, 10_000)).filter((row) => !isOutdated(row, outdated))
              while ((await logs.deleteOutdated(outdated, 7)) >= 7);
              expect(await logs.newest({}, 10_000)).toEqual(kept)
              await storage.logPlaces.leave(home.name)
            } finally {
              await end()
            }
          }),
          { numRuns: storageRuns },
        )
      })
    })
  })
})

const storageRuns = runsAllTests ? 15 : 3

/** A part of the rows is in the home, or all of them. `npm test` plays one of them with each home and database, in turns. */
const sharesOf = (home: HomeKind, database: Storage['kind']): number[] => {
  if (runsAllTests) return [0.5, 1]
  return [(home === 'parquet') === (database === 'postgres') ? 0.5 : 1]
}

const shareOf = fc.double({ min: 0, max: 1, noNaN: true })
const MODELS = ['gpt-4o', 'gpt-4o-mini', 'gpt_4o', 'claude%', 'Ärger', '']
const USERS = ['alice', 'bob']

const rowsOf = fc.array(
  fc.record({
    created_at: fc.integer({ min: 1_700_000_000, max: 1_700_000_300 }).map((at) => at - (at % 7) * 86_400),
    type: fc.integer({ min: 0, max: 5 }),
    user_id: fc.integer({ min: 1, max: 3 }),
    token_id: fc.integer({ min: 1, max: 3 }),
    token_name: fc.constantFrom('laptop', "it's", ''),
    model_name: fc.constantFrom(...MODELS),
    channel: fc.integer({ min: 0, max: 2 }),
    group: fc.constantFrom('default', 'vip'),
    operation: fc.constantFrom('chat', 'images', ''),
    quota: fc.integer({ min: 0, max: 9_000_000_000_000 }),
    prompt_tokens: fc.integer({ min: 0, max: 100_000 }),
    content: fc.constantFrom('', 'abc', 'ab%c', 'a\\b', 'x abc', '1'),
    request_id: fc.constantFrom('', 'r1', 'r2', 'r3'),
  }),
  { minLength: 1, maxLength: 60 },
)

const filterOf: fc.Arbitrary<LogFilter> = fc.record(
  {
    user_id: fc.integer({ min: 1, max: 3 }),
    team_id: fc.constant(1),
    type: fc.integer({ min: 0, max: 5 }),
    username: fc.constantFrom(...USERS, 'nobody'),
    token_name: fc.constantFrom('laptop', "it's"),
    model_name: fc.constantFrom(...MODELS, 'gpt%', '%4o', 'gpt_%', 'GPT%', '%'),
    operation: fc.constantFrom('chat', 'images'),
    start_timestamp: fc.integer({ min: 1_699_900_000, max: 1_700_000_300 }),
    end_timestamp: fc.integer({ min: 1_699_900_000, max: 1_700_000_300 }),
    channel: fc.integer({ min: 0, max: 2 }),
    group: fc.constantFrom('default', 'vip'),
    request_id: fc.constantFrom('r1', 'r9'),
  },
  { requiredKeys: [] },
)
const ROWS = { offset: fc.integer({ min: 0, max: 70 }), limit: fc.integer({ min: 1, max: 20 }) }
const orderOf = fc.record({
  column: fc.constantFrom('created_at', 'quota', 'prompt_tokens', 'use_time'),
  descending: fc.boolean(),
})
const pointOf = fc.record({ value: fc.integer({ min: 0, max: 1_700_000_300 }), id: fc.integer({ min: 1, max: 60 }) })
const outdatedOf = fc.record(
  {
    before: fc.integer({ min: 1_699_500_000, max: 1_700_000_300 }),
    types: fc.subarray([0, 1, 2, 3, 4, 5]),
    from: fc.integer({ min: 1_699_000_000, max: 1_700_000_000 }),
    user_id: fc.integer({ min: 1, max: 3 }),
  },
  { requiredKeys: ['before'] },
)

const isOutdated = (row: LogEntry, { before, types, from = 0, user_id = row.user_id }: ExpiredRows): boolean =>
  row.created_at < before &&
  row.created_at >= from &&
  row.user_id === user_id &&
  (types ?? [row.type]).includes(row.type)

const questionsOf = fc.array(
  fc.oneof(
    fc.record({
      ask: fc.constant('list' as const),
      filter: filterOf,
      slice: fc.record(
        { ...ROWS, order: orderOf, after: pointOf, sums: fc.constant(['quota']) },
        { requiredKeys: ['offset', 'limit'] },
      ),
    }),
    fc.record({ ask: fc.constant('newest' as const), filter: filterOf, limit: ROWS.limit, row: fc.option(pointOf) }),
    fc.record({ ask: fc.constant('statistics' as const), filter: filterOf }),
    fc.record({ ask: fc.constant('extent' as const), outdated: outdatedOf }),
    fc.record({ ask: fc.constant('search' as const), keyword: fc.constantFrom('ab', 'ab%', 'a\\', '1', '5', '') }),
    fc.record({
      ask: fc.constant('after' as const),
      filter: filterOf,
      id: fc.integer({ min: 0, max: 60 }),
      limit: ROWS.limit,
    }),
    fc.record({ ask: fc.constant('ofRequests' as const), ids: fc.subarray(['r1', 'r2', 'r9', '']) }),
    fc.record({ ask: fc.constantFrom('oldest' as const, 'newestIds' as const), limit: ROWS.limit }),
  ),
  { minLength: 10, maxLength: 25 },
)
type Question = (typeof questionsOf extends fc.Arbitrary<infer Questions> ? Questions : never) extends (infer One)[]
  ? One
  : never

async function prepare({ users, channels }: Storage): Promise<void> {
  for (const username of USERS) await users.insert(newUser({ username }))
  await channels.insert([newChannel({ name: 'main' })])
}

function answerOf(logs: Storage['logs'], question: Question): Promise<unknown> {
  switch (question.ask) {
    case 'list':
      return logs.list(question.filter, question.slice)
    case 'newest': {
      const { row } = question
      return logs.newest(question.filter, question.limit, row ? { created_at: row.value, id: row.id } : undefined)
    }
    case 'statistics':
      return logs.statistics(question.filter, 1_700_000_200)
    case 'extent':
      return logs.extent(question.outdated)
    case 'search':
      return logs.search(question.keyword, 20)
    case 'after':
      return logs.after(question.id, question.limit, { filter: question.filter, until: 50 })
    case 'ofRequests':
      return logs.ofRequests(question.ids)
    case 'oldest':
      return logs.oldest()
    case 'newestIds':
      return logs.newestIds(question.limit)
  }
}
