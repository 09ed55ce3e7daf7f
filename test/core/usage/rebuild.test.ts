// The rows that calls leave as they end are those that the log gives, on both databases.
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { frames, refusal, streamed, whole } from '../../support/memory-upstream.ts'
import { migratedDatabase } from '../../support/postgres.ts'
import { openRelay, type Relayed } from '../relay/calls.ts'
import { listDatabaseKinds } from '../../support/database-kinds.ts'

const HOUR_MS = 3_600_000
/** Each look lets the clock go on a little. */
const PATIENCE = { timeout: 20_000, interval: 1 }
const USAGE = { prompt_tokens: 100, completion_tokens: 50, prompt_tokens_details: { cached_tokens: 40 } }

describe.each(listDatabaseKinds())('usage on %s', (kind) => {
  let relay: Relayed
  beforeAll(async () => {
    const place = kind === 'postgres' ? { place: { database: await migratedDatabase() } } : {}
    relay = await openRelay({ channels: [{}, {}], ...place })
  })

  test('rebuilt from the log is what was counted as calls ended, whatever became of them', async () => {
    const { gateway } = relay
    const root = await gateway.as('root')
    const seen = async () => {
      const asked = { from: '2025-10-01', to: '2025-11-01', step: 'hour', zone: 'Asia/Kathmandu', times: 'true' }
      return gateway.ask(root, 'usage.query', { ...asked, by: 'user,token,group,model,channel', limit: 1000 })
    }
    const answers = [
      whole('Hello', USAGE),
      refusal(400, 'no'),
      refusal(503, 'busy'),
      streamed(frames.role(), frames.text('Hel'), frames.text('lo'), frames.finish(), frames.usage(USAGE)),
      streamed(frames.role(), frames.text('Hel'), new Error('gone')),
      refusal(429, 'slow down'),
    ]
    for (let turn = 0; turn < 24; turn++) {
      gateway.upstream.reply(answers[turn % answers.length]!)
      const stream = turn % answers.length === 3 || turn % answers.length === 4
      await relay.run({ stream }, { started_at: gateway.clock.now() - (turn % 7) * 700 })
      gateway.clock.advance((turn % 5) * 700_000)
    }
    await vi.waitFor(() => expect(gateway.sinks().usage).toEqual({ taken: 24, dropped: 0 }))
    const counted = (await seen()) as { total: { calls: number }; rows: unknown[] }
    expect(counted.total).toMatchObject({ calls: 24, failed: 12, errors: { request: 4, cut_short: 4 } })
    expect(counted.rows.length).toBeGreaterThan(5)

    gateway.clock.advance(2 * HOUR_MS)
    const { usage } = gateway.storage
    const day = { from: 1_759_900_000, to: 1_760_200_000 }
    for (const lost of [true, false]) {
      // As after a kill -9; and as it is.
      if (lost) await usage.replace(day, [])
      await gateway.ask(root, 'usage.rebuild', {})
      await vi.waitFor(async () => {
        gateway.clock.advance(5)
        expect(await gateway.ask(root, 'usage.rebuildProgress')).toMatchObject({ running: false, calls: 24, kept: 0 })
      }, PATIENCE)
      expect(await seen()).toEqual(counted)
    }
  })

  test('that was not written yet is written at a normal end', async () => {
    const { gateway } = relay
    gateway.upstream.reply(whole('Hello', USAGE))
    await relay.run()
    const { usage } = gateway.storage
    const written: number[] = []
    const add = vi
      .spyOn(usage, 'add')
      .mockImplementation(async (sums) => void written.push(...sums.map(({ slot }) => slot)))
    await gateway.close()
    expect(add).toHaveBeenCalledTimes(1)
    expect(written).toEqual([Math.floor(gateway.clock.now() / 900_000) * 900])
  })
})
