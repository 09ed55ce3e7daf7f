// Tests channels on a timer, so that those that have switched themselves off come back.
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Storage } from '../ports/storage.ts'
import type { ChannelTester } from '../relay/channel-test.ts'
import type { Settings } from '../settings/index.ts'
import { CHANNEL_STATUS, type KeyedChannel } from './channel.ts'
import { keysOff } from './keys.ts'

interface Ports {
  storage: Storage
  clock: Clock
  logger: Logger
  testChannel: ChannelTester
  settings(): Settings
}

const MINUTE_MS = 60_000

/** Looked at every minute, since the setting may change; the first test comes a whole interval after the start. */
export function createChannelJobs({ storage, clock, logger, testChannel, settings }: Ports) {
  let last = clock.now()

  async function testAll(): Promise<void> {
    const minutes = settings()['channels.test_minutes']
    if (minutes === 0) return void (last = clock.now())
    if (clock.now() - last < minutes * MINUTE_MS) return
    last = clock.now()
    const all = settings()['channels.test_which'] === 'all'
    for (const channel of await storage.channels.all()) {
      if (!(all ? channel.status !== CHANNEL_STATUS.disabled : isOffByItself(channel))) continue
      const result = await testChannel(channel, '')
      if (!result.passed) {
        logger.info('a channel failed its test', { channel: channel.id, message: result.failure.message })
      }
    }
  }
  return [{ name: 'test channels', every_ms: MINUTE_MS, run: testAll }]
}

/** The channel, or one of its keys. */
const isOffByItself = (channel: KeyedChannel): boolean =>
  channel.status === CHANNEL_STATUS.auto_disabled ||
  (channel.status === CHANNEL_STATUS.enabled && Object.keys(keysOff(channel.other_info)).length > 0)
