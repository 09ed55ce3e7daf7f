// Hours of channels and outcomes of their tests in both databases: processes add to one another, and old ones go.
import { expect, test } from 'vitest'
import { createEmptyHour, type ChannelHour } from '../../core/channels/channel-hours.ts'
import { KEPT_TEST_RESULTS, type TestOutcome } from '../../core/channels/test-outcome.ts'
import { describeWithStorage } from '../support/databases.ts'
import { newChannel } from './samples.ts'

const HOUR = 1_760_000_400 - (1_760_000_400 % 3600)
const hourOf = (fields: Partial<ChannelHour> = {}): ChannelHour => ({ ...createEmptyHour(1, '', HOUR), ...fields })

describeWithStorage('the store of channel hours', (open) => {
  test('adds up what several processes count, and keeps the newest error', async () => {
    const { channelHours } = await open()
    const failed = { key: 1, limit: 2, server: 3, timeout: 4, network: 5, answer: 6, request: 7 }
    const one = hourOf({
      ...{
        answered: 3,
        abandoned: 1,
        failed,
        spans: [1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4],
        ms: 900,
        firsts: 2,
        first_ms: 50,
      },
      ...{ error_at: HOUR + 9, error_status: 503, error: 'busy' },
    })
    const old = { error_at: HOUR + 1, error_status: 401, error: 'bad key' }
    await Promise.all([
      channelHours.add([one, hourOf({ key: 'k1', answered: 1 }), hourOf({ channel_id: 2, answered: 9 })]),
      channelHours.add([hourOf({ channel_id: 2, answered: 1 }), { ...one, ...old }]),
    ])
    const [sum, ofKey, other] = await channelHours.since(HOUR)
    expect(sum).toEqual({
      ...one,
      ...{ answered: 6, abandoned: 2, ms: 1800, firsts: 4, first_ms: 100 },
      failed: Object.fromEntries(Object.entries(failed).map(([kind, count]) => [kind, 2 * count])),
      spans: one.spans.map((count) => 2 * count),
    })
    expect([ofKey?.key, ofKey?.answered, other?.channel_id, other?.answered]).toEqual(['k1', 1, 2, 10])
    expect(await channelHours.since(HOUR, [2, 77])).toEqual([other])
  })

  test('forgets hours before a time', async () => {
    const { channelHours } = await open()
    await channelHours.add([hourOf({ hour: HOUR - 3600 }), hourOf()])
    await channelHours.deleteBefore(HOUR)
    expect((await channelHours.since(0)).map(({ hour }) => hour)).toEqual([HOUR])
  })
})

describeWithStorage('the store of channel tests', (open) => {
  const outcome = (fields: Partial<TestOutcome> = {}): TestOutcome => ({
    ...{ channel_id: 1, tested_at: HOUR, user_id: 0, username: '', model: 'gpt-4o', passed: true, ms: 12 },
    ...{ status: 0, error: '', ...fields },
  })

  test('keeps the last ones of each channel, newest first', async () => {
    const { channelTests } = await open()
    await channelTests.insert(outcome({ channel_id: 2, passed: false, status: 401, error: 'no\0' }))
    for (let n = 0; n < KEPT_TEST_RESULTS + 3; n++) await channelTests.insert(outcome({ tested_at: HOUR + n }))
    const kept = await channelTests.ofChannel(1)
    expect(kept.map(({ tested_at }) => tested_at - HOUR)).toEqual(
      Array.from({ length: KEPT_TEST_RESULTS }, (_, at) => KEPT_TEST_RESULTS + 2 - at),
    )
    expect((await channelTests.last()).map(({ channel_id, passed }) => [channel_id, passed]).sort()).toEqual([
      [1, true],
      [2, false],
    ])
  })

  test('forgets those of channels that are no more', async () => {
    const { channels, channelTests } = await open()
    const [channel] = await channels.insert([newChannel()])
    await channelTests.insert(outcome({ channel_id: channel!.id }))
    await channelTests.insert(outcome({ channel_id: 99 }))
    await channelTests.deleteOrphans()
    expect((await channelTests.last()).map(({ channel_id }) => channel_id)).toEqual([channel!.id])
  })
})
