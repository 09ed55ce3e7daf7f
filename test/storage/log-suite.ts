// The queries of a log, as a suite for each kind of store.
import { expect, test } from 'vitest'
import type { LogFilter } from '../../core/logs/log.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { runsAllTests } from '../support/suite.ts'
import { newChannel, newLog, newUser } from './samples.ts'

const everything = { offset: 0, limit: 100 }
/** Blocks of ten thousand rows that a user has: more than one, which is as far as rows are counted. */
const BLOCKS = runsAllTests ? 5 : 2

/** What every log does, wherever its rows stand. `open` gives an empty storage. */
export function logSuite(open: () => Promise<Storage>): void {
  test('lists newest first, with channel names and the total', async () => {
    const { logs, channels } = await open()
    await channels.insert([newChannel({ name: 'main' })])
    await logs.insert([
      newLog({ channel: 1, created_at: 10 }),
      newLog({ created_at: 30 }),
      newLog({ channel: 77, created_at: 20 }),
    ])
    const { items, total } = await logs.list({}, { offset: 0, limit: 3 })
    expect(items.map(({ created_at, channel_name }) => [created_at, channel_name])).toEqual([
      [30, ''],
      [20, ''],
      [10, 'main'],
    ])
    expect(items[2]).toEqual({ ...newLog({ channel: 1, created_at: 10 }), id: 1, channel_name: 'main' })
    expect(total).toBe(3)
    expect((await logs.list({}, { offset: 2, limit: 3 })).items).toHaveLength(1)
    // As far as numbers go: nobody has so many pages.
    for (const offset of [5, 20_000, 2 ** 31, 2 ** 63, 1e300])
      expect((await logs.list({}, { offset, limit: 3 })).items, String(offset)).toEqual([])
  })

  test('filters by every field, exactly and literally', async () => {
    const { logs, users } = await open()
    for (const username of ['alice', 'bob']) await users.insert(newUser({ username }))
    const other = {
      ...{
        user_id: 2,
        type: 5,
        username: 'bob',
        token_name: 'desk',
        model_name: 'gpt-4o-mini',
        operation: 'images',
        channel: 3,
        group: 'vip',
      },
      ...{ request_id: 'r2', created_at: 50 },
    }
    await logs.insert([newLog({ created_at: 10, request_id: 'r1', channel: 1 }), newLog(other)])
    const times = async (filter: LogFilter) =>
      (await logs.list(filter, everything)).items.map((entry) => entry.created_at)
    for (const [field, value] of Object.entries(other)) {
      if (field !== 'created_at') expect(await times({ [field]: value }), field).toEqual([50])
    }
    expect(await times({ start_timestamp: 50 })).toEqual([50])
    expect(await times({ end_timestamp: 10 })).toEqual([10])
    expect(await times({ start_timestamp: 10, end_timestamp: 50 })).toEqual([50, 10])
    // A pattern; letters are as they are written, and nothing else in it stands for another.
    for (const model_name of ['gpt%', 'gpt-4o-min%', '%mini', 'g%-%i', '%']) {
      expect(await times({ model_name }), model_name).toContain(50)
    }
    for (const model_name of ['GPT%', 'gpt_4%', 'gpt?%', 'gpt*%', '[g]pt%', 'pt%', '%gp', 'gpt!%', 'gpt\\%']) {
      expect(await times({ model_name }), model_name).toEqual([])
    }
    expect(await times({ username: 'bob', user_id: 1 })).toEqual([])
    expect(await times({ type: 0, username: '', channel: 0 })).toEqual([50, 10])
    expect((await logs.list({ username: 'bob' }, everything)).total).toBe(1)
    expect(await logs.list({ username: 'nobody' }, everything)).toEqual({ items: [], total: 0 })
  })

  test('filters by the least duration, to the ms where the row has them, and by the least amount', async () => {
    const { logs } = await open()
    const rows = [
      // 1,400 ms are one second in the row, and 1,500 are two.
      { use_time: 1, other: '{"frt":3,"total_ms":1400}', quota: 10 },
      { use_time: 2, other: '{"total_ms":1500,"asked_model":"m"}', quota: 0 },
      { use_time: 2, other: '', quota: -5 },
      { use_time: 2, other: 'no JSON', quota: 5_000_000_000 },
      { use_time: 600, other: '{"total_ms":599600}', quota: 11 },
    ]
    await logs.insert(rows.map((row, index) => newLog({ ...row, created_at: index + 1 })))
    const times = async (filter: LogFilter) =>
      (await logs.list(filter, everything)).items.map(({ created_at }) => created_at).sort()
    for (const [min_ms, found] of [
      [0, [1, 2, 3, 4, 5]],
      [1, [1, 2, 3, 4, 5]],
      [1400, [1, 2, 3, 4, 5]],
      [1401, [2, 3, 4, 5]],
      [1500, [2, 3, 4, 5]],
      [1501, [3, 4, 5]],
      [2000, [3, 4, 5]],
      [2001, [5]],
      [599_600, [5]],
      [599_601, []],
    ] as const) {
      expect(await times({ min_ms }), `${min_ms} ms`).toEqual(found)
      expect((await logs.list({ min_ms, user_id: 1 }, everything)).total, `${min_ms} ms`).toBe(found.length)
    }
    for (const [min_quota, found] of [
      [0, [1, 2, 3, 4, 5]],
      [10, [1, 4, 5]],
      [11, [4, 5]],
      [5_000_000_000, [4]],
      [5_000_000_001, []],
    ] as const)
      expect(await times({ min_quota }), `${min_quota} units`).toEqual(found)
    expect(await times({ min_ms: 2000, min_quota: 11 })).toEqual([4, 5])
    expect((await logs.newest({ min_ms: 2001 }, 9)).map(({ created_at }) => created_at)).toEqual([5])
    expect((await logs.statistics({ min_ms: 2001 }, 9)).calls).toBe(1)
  })

  test('finds rows by the name that an account has now, whatever it was called before', async () => {
    const { logs, users } = await open()
    const { id: user_id } = await users.insert(newUser({ username: 'alice' }))
    await logs.insert([newLog({ user_id, username: 'alice' })])
    await users.update(user_id, { username: 'alicia' })
    await logs.insert([newLog({ user_id, username: 'alicia' })])
    expect((await logs.list({ username: 'alicia' }, everything)).total).toBe(2)
    expect((await logs.list({ username: 'alice' }, everything)).total).toBe(0)
    await users.update(user_id, { deleted_at: 5 })
    expect((await logs.newest({ username: 'alicia' }, 9)).length).toBe(2)
  })

  test('searches by type and beginning, and gives the newest of many', async () => {
    const { logs } = await open()
    const contents = ['100% one', 'a top-up of 100%', '100% two', '1000', '100% three']
    await logs.insert(contents.map((content, at) => newLog({ content, type: at === 3 ? 5 : 2, created_at: at })))
    const found = async (keyword: string, limit: number) =>
      (await logs.search(keyword, limit)).map(({ content }) => content)
    expect(await found('100%', 10)).toEqual(['100% three', '100% two', '100% one'])
    expect(await found('100%', 2)).toEqual(['100% three', '100% two'])
    expect(await found('5', 10)).toEqual(['1000'])
    expect(await found('2', 1)).toEqual(['100% three'])
    expect(await found('_00', 10)).toEqual([])
  })

  test('gives rows one after another, also those of one second', async () => {
    const { logs } = await open()
    await logs.insert([5, 7, 7, 7, 3, 9].map((created_at) => newLog({ created_at })))
    for (const filter of [{}, { user_id: 1 }, { user_id: 1, type: 2 }]) {
      const seen: number[] = []
      for (let last; ;) {
        const rows = await logs.newest(filter, 2, last)
        if (rows.length === 0) break
        seen.push(...rows.map(({ id }) => id))
        last = rows.at(-1)
      }
      expect(seen).toEqual([6, 4, 3, 2, 1, 5])
    }
  })

  test('finds a rare row of a user who has many', async () => {
    const { logs } = await open()
    const many = Array.from({ length: 10_000 }, (_, created_at) => newLog({ created_at }))
    for (let block = 0; block < BLOCKS; block += 1) await logs.insert(many)
    await logs.insert([newLog({ created_at: 5, model_name: 'rare' }), newLog({ user_id: 2, model_name: 'rare' })])
    const { items, total } = await logs.list({ user_id: 1, model_name: 'rare' }, everything)
    expect([total, items.map(({ created_at }) => created_at)]).toEqual([1, [5]])
    expect((await logs.statistics({ user_id: 1, model_name: 'rare' }, 9)).quota).toBe(items[0]?.quota)
    const deep = await logs.list({ user_id: 1 }, { offset: BLOCKS * many.length, limit: 10 })
    expect([deep.total, deep.items.length]).toEqual([10_000, 1])
  })

  test('keeps names of any length, and finds them by the part that it keeps', async () => {
    const { logs } = await open()
    const long = '长'.repeat(5000)
    await logs.insert([newLog({ model_name: long, token_name: long, group: long })])
    const { items } = await logs.list({ model_name: long, token_name: long, group: long }, everything)
    expect(items.map(({ model_name }) => model_name)).toEqual(['长'.repeat(255)])
  })

  test('sums what was charged in the range, and the calls and tokens of the last minute', async () => {
    const { logs, users } = await open()
    for (const username of ['alice', 'bob']) await users.insert(newUser({ username }))
    await logs.insert([
      newLog({ created_at: 1000, quota: 3_000_000_000 }),
      newLog({ created_at: 2000, quota: 4 }),
      newLog({ created_at: 2010, quota: 8, user_id: 2 }),
      newLog({ created_at: 2010, quota: 100, type: 3 }),
    ])
    const minute = { rpm: 2, tpm: 30 }
    const three = { calls: 3, prompt_tokens: 30, completion_tokens: 15 }
    expect(await logs.statistics({}, 2030)).toEqual({ quota: 3_000_000_012, ...three, ...minute })
    const one = { calls: 1, prompt_tokens: 10, completion_tokens: 5 }
    expect(await logs.statistics({ end_timestamp: 1000 }, 2030)).toEqual({ quota: 3_000_000_000, ...one, ...minute })
    expect(await logs.statistics({ username: 'bob' }, 2030)).toEqual({ quota: 8, ...one, rpm: 1, tpm: 15 })
    const none = { calls: 0, quota: 0, prompt_tokens: 0, completion_tokens: 0, rpm: 0, tpm: 0 }
    expect(await logs.statistics({ username: 'nobody' }, 2030)).toEqual(none)
    // What is not a charge is counted nowhere, whatever the filter asks for.
    expect(await logs.statistics({ type: 3 }, 2030)).toEqual(await logs.statistics({}, 2030))
  })

  test('keeps any text, also one with characters that a database cannot hold', async () => {
    const { logs } = await open()
    await logs.insert([
      newLog({ content: `nul \0, half \ud800, "quote" \\u0000 \u{1F600} 中文`, other: '{"a":"\\u0000"}' }),
    ])
    const [entry] = (await logs.list({}, everything)).items
    expect(entry?.content).toBe('nul \ufffd, half \ufffd, "quote" \\u0000 \u{1F600} 中文')
    expect(entry?.other).toBe('{"a":"\\u0000"}')
  })
}
