// Tests channels on a timer, so that those that have switched themselves off come back.
import type { CallFailure } from '../dialects/answers/call-failure.ts'
import { fillTemplate, GatewayError, words } from '../errors.ts'
import type { DeliverMessage } from '../notify/deliver.ts'
import { createUserNotifier, type SendUserNotice } from '../notify/notice.ts'
import { type Clock, seconds } from '../ports/clock.ts'
import type { Ports } from '../ports/index.ts'
import type { Logger } from '../ports/logger.ts'
import type { Storage } from '../ports/storage.ts'
import type { ChannelTester } from '../relay/channel-test.ts'
import type { Settings } from '../settings/index.ts'
import { type ChannelAffinity, createAffinity, createProofMakers, type SignatureOwnerMemory } from './affinity.ts'
import { type ChannelHourCounter, createChannelHours, SECONDS_PER_HOUR } from './channel-hours.ts'
import { CHANNEL_STATUS, parseJsonObjectText, type ChannelWithKey } from './channel.ts'
import { type CircuitBreakers, createCircuitBreakers } from './circuit-breaker.ts'
import { KEPT_HEALTH_HOURS } from './health-contract.ts'
import { type AutomaticDisable, createAutomaticDisable, describeFailure, shouldDisableChannel } from './health.ts'
import { type ChannelKey, parseDisabledKeys } from './keys.ts'
import type { RoutedChannel } from './routed-channel.ts'
import { createRouter, type ChannelRouter } from './router.ts'
import type { TestingUser } from './test-outcome.ts'

interface TestPorts {
  storage: Storage
  logger: Logger
  testChannel: ChannelTester
}

interface ChannelJobPorts extends TestPorts {
  clock: Clock
  hours: ChannelHourCounter
  settings(): Settings
}

const MINUTE_MS = 60_000
const FLUSH_MS = 10_000
const HOUR_MS = 60 * MINUTE_MS

/** A test of all channels that no user has disabled. */
export interface TestRun {
  /** Begins one in the background; false while one is under way. */
  start(by: TestingUser): boolean
}

export function createTestRun({
  storage,
  logger,
  testChannel,
  notify,
}: TestPorts & { notify: SendUserNotice }): TestRun {
  let running = false

  async function run(by: TestingUser): Promise<void> {
    const channels = (await storage.channels.all()).filter(({ status }) => status !== CHANNEL_STATUS.disabled)
    const { tested, passed } = await testEach(channels, by, { storage, logger, testChannel })
    const text = fillTemplate(words('All channels were tested: {passed} of {tested} passed'), { passed, tested })
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

/** Tests one after the other. A channel that such a run cannot test without a picture or a film is not counted. */
async function testEach(
  channels: ChannelWithKey[],
  by: TestingUser,
  { logger, testChannel }: TestPorts,
): Promise<{ tested: number; passed: number }> {
  let tested = 0
  let passed = 0
  for (const channel of channels) {
    const result = await testChannel.testUnattended(channel, by)
    if (!result) continue
    tested += 1
    if (result.passed) passed += 1
    else logger.info('a channel failed its test', { channel: channel.id, message: result.failure.message })
  }
  return { tested, passed }
}

/** Checks every minute, since the setting may change. The first test runs one whole interval after the start. */
export function createChannelJobs({ storage, clock, logger, testChannel, settings, hours }: ChannelJobPorts) {
  let last = clock.now()

  async function testAll(): Promise<void> {
    const minutes = settings()['channels.test_minutes']
    if (minutes === 0) return void (last = clock.now())
    if (clock.now() - last < minutes * MINUTE_MS) return
    last = clock.now()
    const all = settings()['channels.test_which'] === 'all'
    const isDue = (channel: ChannelWithKey) =>
      isScheduled(channel) && (all ? channel.status !== CHANNEL_STATUS.disabled : isOffByItself(channel))
    await testEach((await storage.channels.all()).filter(isDue), null, { storage, logger, testChannel })
  }

  async function prune(): Promise<void> {
    await storage.channelHours.deleteBefore(seconds(clock) - KEPT_HEALTH_HOURS * SECONDS_PER_HOUR)
    await storage.channelTests.deleteOrphans()
  }
  return [
    { name: 'test channels', every_ms: MINUTE_MS, run: testAll },
    { name: 'add to channels what was charged through them', every_ms: FLUSH_MS, run: storage.channels.addCharges },
    { name: 'write down the health of channels', every_ms: FLUSH_MS, run: hours.flush },
    { name: 'forget the health of channels', every_ms: HOUR_MS, run: prune },
  ]
}

/** Did no one exclude the channel from scheduled tests? */
const isScheduled = ({ setting }: ChannelWithKey): boolean => parseJsonObjectText(setting)['scheduled_tests'] !== false

/** The channel, or one of its keys. */
const isOffByItself = (channel: ChannelWithKey): boolean =>
  channel.status === CHANNEL_STATUS.auto_disabled ||
  (channel.status === CHANNEL_STATUS.enabled &&
    Object.values(parseDisabledKeys(channel.other_info)).some(({ by_hand }) => !by_hand))

// Everything that keeps calls on healthy channels, put together: cooldowns, affinity, the choice, and switching off.

export interface ChannelSupervisor {
  cooldowns: CircuitBreakers
  affinity: ChannelAffinity
  makers: SignatureOwnerMemory
  hours: ChannelHourCounter
  route: ChannelRouter
  switches: AutomaticDisable
  notify: SendUserNotice
  /** Handles a failed attempt: disables the channel or its key if the failure requires it. */
  onFailure(channel: RoutedChannel, key: ChannelKey<RoutedChannel>, failure: CallFailure, cause: unknown): void
}

/** Returns why the connection failed, and where it went. */
const describeNetwork = (cause: unknown) =>
  cause instanceof GatewayError && cause.network !== undefined ? { network: cause.network, detail: cause.detail } : {}

type CarePorts = Pick<Ports, 'storage' | 'clock' | 'random' | 'logger'> & { deliver: DeliverMessage }

export function createChannelSupervisor(ports: CarePorts, settings: () => Settings): ChannelSupervisor {
  const { clock, logger } = ports
  const cooldowns = createCircuitBreakers(clock, settings)
  const affinity = createAffinity(clock)
  const notify = createUserNotifier(ports)
  const switches = createAutomaticDisable({ ...ports, cooldowns, notify })
  return {
    cooldowns,
    affinity,
    makers: createProofMakers(clock),
    hours: createChannelHours(ports),
    switches,
    notify,
    route: createRouter({ ...ports, cooldowns, affinity }),
    onFailure({ id, auto_ban, type }, { fingerprint }, failure, cause) {
      const { status, code, message } = failure
      logger.warn('attempt failed', {
        channel: id,
        ...(fingerprint ? { key: fingerprint } : {}),
        status,
        code,
        message,
        ...describeNetwork(cause),
      })
      if (!shouldDisableChannel(failure, { auto_ban, type }, settings())) return
      switches
        .off(id, describeFailure(failure), fingerprint)
        .catch((error: unknown) =>
          logger.error('a channel could not be switched off', { channel: id, error: String(error) }),
        )
    },
  }
}
