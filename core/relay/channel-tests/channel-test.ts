// Tests a channel key by key, and switches off or on what the outcome says (docs/relay.md, 10).
import { CHANNEL_STATUS, type KeyedChannel } from '../../channels/channel.ts'
import type { RoutedChannel } from '../../channels/routed-channel.ts'
import { toRoutedChannel } from '../../channels/channel-index.ts'
import { shouldDisableChannel, describeFailure } from '../../channels/health.ts'
import type { ChannelKey } from '../../channels/keys.ts'
import type { AutoDisable } from '../../channels/switches.ts'
import type { Tester } from '../../channels/test-outcome.ts'
import { fail } from '../../errors.ts'
import type { CallFailure } from '../../dialects/call-failure.ts'
import { seconds, type Clock } from '../../ports/clock.ts'
import type { Storage } from '../../ports/storage.ts'
import type { Signer } from '../../ports/signer.ts'
import type { Upstream } from '../../ports/upstream.ts'
import type { Settings } from '../../settings/index.ts'
import { toCallFailure } from '../failure.ts'
import { probeChannel, testModel, type ProbeResult } from './probe.ts'
import { buildTestLogEntry } from './test-entry.ts'

/** What came of a test with one key; the time in ms. */
export type KeyResult =
  ({ passed: true } & ProbeResult) | { passed: false; failure: CallFailure; cause: unknown; ms: number }

/** What came of a test: the time of the first key that passed, or why none did and how long that took; and of each key. */
export type TestResult = KeyResult & { keys: readonly { key: ChannelKey<RoutedChannel>; result: KeyResult }[] }

/** Tries a channel that may not be kept yet: nothing is switched, written down or charged. */
export type TestChannel = (channel: KeyedChannel, model: string) => Promise<TestResult>

/**
 * Tests a channel, and keeps what came of it; with an empty model, its test model. With the fingerprint of one of several
 * keys that key alone, which is switched as any other test would, and says nothing of the channel.
 * @throws GatewayError channel.key_unknown
 */
export type ChannelTester = (channel: KeyedChannel, model: string, by: Tester, key?: string) => Promise<TestResult>

interface Ports {
  storage: Storage
  upstream: Upstream
  signer: Signer
  clock: Clock
  switches: AutoDisable
  settings(): Settings
}

/** Keys beyond it are not tested in one go. */
const MAX_KEYS = 50

type ProbePorts = Pick<Ports, 'upstream' | 'signer' | 'clock' | 'settings'>
type Judge = (key: ChannelKey<RoutedChannel>, result: KeyResult) => Promise<void>

/** Tries one key after the other; gives the first that passed, or why the first did not. */
async function tryKeys(
  { upstream, signer, clock, settings }: ProbePorts,
  { keys }: RoutedChannel,
  model: string,
  judge?: Judge,
): Promise<TestResult> {
  const began = clock.now()
  const tried: { key: ChannelKey<RoutedChannel>; result: KeyResult }[] = []
  for (const key of keys.slice(0, MAX_KEYS)) {
    const start = clock.now()
    const result = await probeChannel(key.channel, model, { upstream, signer, clock, settings: settings() }).then(
      (probed): KeyResult => ({ passed: true, ...probed }),
      (cause: unknown): KeyResult => ({ passed: false, failure: toCallFailure(cause), cause, ms: clock.now() - start }),
    )
    tried.push({ key, result })
    await judge?.(key, result)
  }
  const failed = tried[0]?.result ?? { passed: false, failure: toCallFailure(undefined), cause: undefined, ms: 0 }
  const best = tried.find(({ result }) => result.passed)?.result ?? failed
  return { ...best, ms: best.passed ? best.ms : clock.now() - began, keys: tried }
}

export const createChannelTrial =
  (ports: ProbePorts): TestChannel =>
  (channel, model) =>
    tryKeys(ports, toRoutedChannel(channel), model)

export function createChannelTester(ports: Ports): ChannelTester {
  const { storage, clock, switches, settings } = ports

  async function judge(channel: RoutedChannel, key: ChannelKey<RoutedChannel>, result: KeyResult): Promise<void> {
    const { AutomaticEnableChannelEnabled } = settings()
    if (!result.passed) {
      const { failure } = result
      if (shouldDisableChannel(failure, channel, settings()))
        await switches.off(channel.id, describeFailure(failure), key.fingerprint)
      return
    }
    if (isSlow(result.ms, channel, settings())) {
      const slowest = settings().ChannelDisableThreshold
      const reason = `a test took ${(result.ms / 1000).toFixed(2)} s, longer than ${slowest} s`
      return switches.off(channel.id, reason)
    }
    if (AutomaticEnableChannelEnabled) await switches.on(channel.id, key.fingerprint)
  }

  /** A test that passed is a note in the log of the super administrator: it is nobody's consumption. */
  async function record(channel: RoutedChannel, probed: ProbeResult): Promise<void> {
    const user = settings().LogConsumeEnabled ? await storage.users.findRoot() : null
    const row = user && buildTestLogEntry(user, channel.id, probed, settings())
    if (row) await storage.logs.insert([row])
  }

  return async function test(found, model, by, fingerprint = '') {
    const channel = toRoutedChannel(found)
    const judged: Judge = (key, result) => judge(channel, key, result)
    if (fingerprint !== '') {
      const keys = channel.keys.filter((key) => key.fingerprint === fingerprint)
      if (keys.length === 0) fail('channel.key_unknown', { key: fingerprint })
      return tryKeys(ports, { ...channel, keys }, model, judged)
    }
    const best = await tryKeys(ports, channel, model, judged)
    const { ms } = best
    // 0 stands for a channel that was never tested.
    await storage.channels.update(channel.id, { test_time: seconds(clock), response_time: Math.max(1, Math.round(ms)) })
    await storage.channelTests.insert({
      ...{ channel_id: channel.id, tested_at: seconds(clock), user_id: by?.id ?? 0, username: by?.username ?? '' },
      ...{ model: testModel(channel, model), passed: best.passed, ms: Math.round(ms) },
      status: best.passed ? 0 : best.failure.status,
      error: best.passed ? '' : best.failure.message,
    })
    if (best.passed) await record(channel, best)
    return best
  }
}

/** Slow tests count only where channels may switch themselves off at all. */
function isSlow(ms: number, channel: KeyedChannel, settings: Settings): boolean {
  const { AutomaticDisableChannelEnabled, ChannelDisableThreshold } = settings
  const may = AutomaticDisableChannelEnabled && channel.auto_ban === 1 && channel.status !== CHANNEL_STATUS.disabled
  return may && ChannelDisableThreshold > 0 && ms > ChannelDisableThreshold * 1000
}
