// Tests channels on a timer, so that those that have switched themselves off come back.
import type { Notify } from '../notify/notice.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Storage } from '../ports/storage.ts'
import { findProvider } from '../providers/index.ts'
import type { ChannelTester } from '../relay/channel-test.ts'
import type { Settings } from '../settings/index.ts'
import { CHANNEL_STATUS, type KeyedChannel } from './channel.ts'
import { HOUR_SECONDS, type ChannelHours } from './channel-hours.ts'
import { KEPT_HOURS } from './health-contract.ts'
import { parseDisabledKeys } from './keys.ts'
import type { Tester } from './test-outcome.ts'

interface TestPorts {
  storage: Storage
  logger: Logger
  testChannel: ChannelTester
}

interface Ports extends TestPorts {
  clock: Clock
  hours: ChannelHours
  settings(): Settings
}

const MINUTE_MS = 60_000
const FLUSH_MS = 10_000
const HOUR_MS = 60 * MINUTE_MS

/** A test of all channels that no user has disabled. */
export interface TestRun {
  /** Begins one in the background; false while one is under way. */
  start(by: Tester): boolean
}

export function createTestRun({ storage, logger, testChannel, notify }: TestPorts & { notify: Notify }): TestRun {
  let running = false

  async function run(by: Tester): Promise<void> {
    const channels = (await storage.channels.all()).filter(
      (channel) => channel.status !== CHANNEL_STATUS.disabled && isTestable(channel),
    )
    const passed = await testEach(channels, by, { storage, logger, testChannel })
    const text = {
      en: `All channels were tested: ${passed} of ${channels.length} passed`,
      zh: `全部渠道测试完成：${channels.length} 个中有 ${passed} 个通过`,
    }
    await notify({ kind: 'channel_test', text })
  }
  return {
    start(by) {
      if (running) return false
      running = true
      run(by)
        .catch((error: unknown) => logger.error('testing all channels failed', { error: String(error) }))
        .finally(() => (running = false))
      return true
    },
  }
}

const isTestable = ({ type }: KeyedChannel): boolean => findProvider(type)?.untestable !== true

/** Tests one after the other; gives how many passed. */
async function testEach(channels: KeyedChannel[], by: Tester, { logger, testChannel }: TestPorts): Promise<number> {
  let passed = 0
  for (const channel of channels) {
    const result = await testChannel(channel, '', by)
    if (result.passed) passed += 1
    else logger.info('a channel failed its test', { channel: channel.id, message: result.failure.message })
  }
  return passed
}

/** Checks every minute, since the setting may change. The first test runs one whole interval after the start. */
export function createChannelJobs({ storage, clock, logger, testChannel, settings, hours }: Ports) {
  let last = clock.now()

  async function testAll(): Promise<void> {
    const minutes = settings()['channels.test_minutes']
    if (minutes === 0) return void (last = clock.now())
    if (clock.now() - last < minutes * MINUTE_MS) return
    last = clock.now()
    const all = settings()['channels.test_which'] === 'all'
    const isDue = (channel: KeyedChannel) => (all ? channel.status !== CHANNEL_STATUS.disabled : isOffByItself(channel))
    const due = (await storage.channels.all()).filter((channel) => isDue(channel) && isTestable(channel))
    await testEach(due, null, { storage, logger, testChannel })
  }

  async function prune(): Promise<void> {
    await storage.channelHours.deleteBefore(seconds(clock) - KEPT_HOURS * HOUR_SECONDS)
    await storage.channelTests.deleteOrphans()
  }
  return [
    { name: 'test channels', every_ms: MINUTE_MS, run: testAll },
    { name: 'add to channels what was charged through them', every_ms: FLUSH_MS, run: storage.channels.addCharges },
    { name: 'write down the health of channels', every_ms: FLUSH_MS, run: hours.flush },
    { name: 'forget the health of channels', every_ms: HOUR_MS, run: prune },
  ]
}

/** The channel, or one of its keys. */
const isOffByItself = (channel: KeyedChannel): boolean =>
  channel.status === CHANNEL_STATUS.auto_disabled ||
  (channel.status === CHANNEL_STATUS.enabled &&
    Object.values(parseDisabledKeys(channel.other_info)).some(({ by_hand }) => !by_hand))
