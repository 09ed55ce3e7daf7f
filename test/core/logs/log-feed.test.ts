// New rows of the log for all who follow it: none before one that may still come, one look for everybody, bounded waiting.
import { describe, expect, test } from 'vitest'
import type { LogEntry } from '../../../core/calls/log-entry.ts'
import { parseEventStream, formatServerSentEvent, type ServerSentEvent } from '../../../core/contract/replies.ts'
import { createLogFeed, createRowMatcher } from '../../../core/logs/log-feed.ts'
import { buildEventLog, type LogFilter } from '../../../core/logs/log.ts'
import { createFakeClock } from '../../support/clock.ts'
import { describeWithStorage, silent } from '../../support/databases.ts'
import { newLog } from '../../storage/samples.ts'

describe('the feed', () => {
  const row = (id: number, fields: object = {}): LogEntry => ({
    ...{
      ...buildEventLog({ id: 1, username: 'ada', group: 'default' }, 2, 1_760_000_000, `row ${id}`),
      id,
      channel_name: '',
    },
    ...fields,
  })
  function world(kind: 'sqlite' | 'postgres' = 'postgres') {
    const rows: LogEntry[] = []
    let looks = 0
    const logs = {
      async after(id: number, limit: number, only?: { until: number }) {
        looks += 1
        return rows
          .filter((each) => each.id > id && each.id <= (only?.until ?? Infinity))
          .sort((a, b) => a.id - b.id)
          .slice(0, limit)
      },
      newestIds: async (limit: number) => [...rows].sort((a, b) => b.id - a.id).slice(0, limit),
      newest: async (_filter: object, limit: number) => [...rows].sort((a, b) => b.id - a.id).slice(0, limit),
    }
    const clock = createFakeClock()
    const feed = createLogFeed({ storage: { kind, logs: logs as never }, clock, logger: silent })
    const turn = async (ms = 1000) => {
      clock.advance(ms)
      for (let n = 0; n < 3; n++) await new Promise((resolve) => setImmediate(resolve))
    }
    const follow = (after = 0, user_id = 1, tail = 0) =>
      feed.follow({ user_id, filter: {}, after, tail, shown: (each) => each })
    return { rows, feed, follow, turn, looks: () => looks }
  }
  async function heard({ events }: { events: AsyncIterable<ServerSentEvent> }, into: (number | object)[]) {
    for await (const { id, event, data } of events) if (event !== 'begun') into.push(id ?? (data as object))
  }

  test('passes on no row before one that may still come, and waits for none that never does', async () => {
    const { rows, follow, turn } = world()
    rows.push(row(1))
    const ids: (number | object)[] = []
    const reading = await follow()
    const all = heard(reading, ids)
    rows.push(row(4), row(3))
    await turn()
    expect(ids).toEqual([])
    rows.push(row(2))
    await turn()
    expect(ids).toEqual([2, 3, 4])
    rows.push(row(6))
    await turn()
    expect(ids).toEqual([2, 3, 4])
    for (let n = 0; n < 4; n++) await turn()
    expect(ids).toEqual([2, 3, 4, 6])
    reading.end()
    await all
  })

  test('looks once for everybody, and never for nobody', async () => {
    const { rows, follow, turn, looks } = world()
    const all = await Promise.all(Array.from({ length: 20 }, (_, who) => follow(0, who)))
    const each = all.map(() => [] as (number | object)[])
    const reading = all.map((reply, at) => heard(reply, each[at]!))
    rows.push(row(1))
    await turn()
    expect(each.every((ids) => ids.length === 1)).toBe(true)
    expect(looks()).toBe(1)
    all.forEach(({ end }) => end())
    await Promise.all(reading)
    for (let n = 0; n < 5; n++) await turn()
    expect(looks()).toBe(1)
  })

  test('keeps a bounded number of rows for who does not read, and says what was skipped, in its place', async () => {
    const { rows, follow, turn } = world('sqlite')
    const reading = await follow()
    for (let id = 1; id <= 1500; id++) rows.push(row(id))
    for (let n = 0; n < 5; n++) await turn()
    const ids: (number | object)[] = []
    const all = heard(reading, ids)
    await turn()
    expect(ids.slice(0, 1000)).toEqual(Array.from({ length: 1000 }, (_, at) => at + 1))
    await expect.poll(() => ids.length).toBe(1001)
    rows.push(row(1501))
    await turn()
    await expect.poll(() => ids.slice(1000)).toEqual([{ rows: 500 }, 1501])
    reading.end()
    await all
  })

  test('begins with as many of the newest rows as are asked for, unless somebody comes back', async () => {
    const { rows, follow, feed, turn } = world('sqlite')
    rows.push(row(1), row(2), row(3))
    const written = ({ events }: { events: AsyncIterable<ServerSentEvent> }, into: number[]) =>
      (async () => {
        for await (const { event, data } of events) if (event === undefined) into.push((data as LogEntry).id)
      })()
    const [fresh, back]: [number[], number[]] = [[], []]
    const all = [written(await follow(0, 1, 2), fresh), written(await follow(2, 2, 2), back)]
    rows.push(row(4))
    await turn()
    await expect
      .poll(() => [fresh, back])
      .toEqual([
        [2, 3, 4],
        [3, 4],
      ])
    feed.close()
    await Promise.all(all)
  })

  test('who comes back from too far is told how much is skipped', async () => {
    const { rows, follow, feed } = world('sqlite')
    rows.push(row(5), row(200_000))
    const ids: (number | object)[] = []
    const all = heard(await follow(10), ids)
    await expect.poll(() => ids).toEqual([{ rows: 99_990 }, 200_000])
    feed.close()
    await all
  })
})

describeWithStorage('a filter of the log', (open) => {
  test('says the same of rows at hand as the database does', async () => {
    const { logs } = await open()
    const values = {
      model_name: ['gpt-4o', 'GPT-4o', 'gpt_4o', 'a.b*c'],
      token_name: ['one', 'two'],
      operation: ['chat', 'images'],
    }
    for (const model_name of values.model_name)
      for (const token_name of values.token_name)
        for (const operation of values.operation)
          await logs.insert([
            newLog({
              model_name,
              token_name,
              operation,
              channel: token_name.length,
              group: operation,
              user_id: 3,
              created_at: 1000 + token_name.length,
            }),
          ])
    const all = await logs.newest({}, 100)
    const filters: LogFilter[] = [
      ...[
        {},
        { model_name: 'gpt-4o' },
        { model_name: 'gpt%' },
        { model_name: '%4o' },
        { model_name: 'a.%c' },
        { model_name: '%*%' },
      ],
      ...[
        { model_name: 'gpt_4%' },
        { token_name: 'two' },
        { operation: 'images', group: 'images' },
        { user_id: 3, type: 2 },
      ],
      ...[
        { user_id: 4 },
        { channel: 3, start_timestamp: 1003, end_timestamp: 1003 },
        { end_timestamp: 1002 },
        { min_ms: 2000 },
        { min_ms: 2001 },
        { min_quota: 30 },
        { min_quota: 31 },
        { request_id: 'none' },
      ],
    ]
    for (const filter of filters) {
      const found = await logs.newest(filter, 100)
      expect(
        all
          .filter(createRowMatcher(filter))
          .map(({ id }) => id)
          .sort(),
        JSON.stringify(filter),
      ).toEqual(found.map(({ id }) => id).sort())
    }
  })
})

test('events are read as they were written, however they are cut', async () => {
  const events: ServerSentEvent[] = [
    { id: 7, data: { a: 'line\nbreak: 日志' } },
    { event: 'skipped', data: { rows: 3 } },
  ]
  const text = `retry: 1000\n\n: PING\n\n${events.map(formatServerSentEvent).join('')}`
  for (const size of [1, 3, 1000]) {
    async function* pieces() {
      for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
    }
    const read: ServerSentEvent[] = []
    for await (const event of parseEventStream(pieces())) read.push(event)
    expect(read).toEqual(events)
  }
})
