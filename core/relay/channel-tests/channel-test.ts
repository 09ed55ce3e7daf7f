// Tests a channel key by key, and switches off or on what the outcome says (docs/relay.md, 10).
import { CHANNEL_STATUS, type KeyedChannel } from '../../channels/channel.ts'
import type { RoutedChannel } from '../../channels/routed-channel.ts'
import { routed } from '../../channels/channel-index.ts'
import { disables, reasonOf } from '../../channels/health.ts'
import type { ChannelKey } from '../../channels/keys.ts'
import type { Switches } from '../../channels/switches.ts'
import type { Tester } from '../../channels/test-outcome.ts'
import type { CallFailure } from '../../dialects/call-failure.ts'
import { seconds, type Clock } from '../../ports/clock.ts'
import type { Storage } from '../../ports/storage.ts'
import type { Signer } from '../../ports/signer.ts'
import type { Upstream } from '../../ports/upstream.ts'
import type { Web } from '../../ports/web.ts'
import type { Settings } from '../../settings/index.ts'
import { failureOf } from '../failure.ts'
import { probe, testModel, type Probed } from './probe.ts'
import { testEntry } from './test-entry.ts'

/** What came of a test: the time of the first key that passed, or why none did, and how long that took, in ms. */
export type TestResult =
  ({ passed: true } & Probed) | { passed: false; failure: CallFailure; cause: unknown; ms: number }

/** Tests a channel, and keeps what came of it; with an empty model, its test model. */
export type ChannelTester = (channel: KeyedChannel, model: string, by: Tester) => Promise<TestResult>

interface Ports {
  storage: Storage
  upstream: Upstream
  signer: Signer
  clock: Clock
  web: Web
  switches: Switches
  settings(): Settings
}

/** Keys beyond it are not tested in one go. */
const MAX_KEYS = 50

export function createChannelTester({
  storage,
  upstream,
  signer,
  clock,
  web,
  switches,
  settings,
}: Ports): ChannelTester {
  const probeKey = (key: ChannelKey<RoutedChannel>, model: string): Promise<TestResult> => {
    const began = clock.now()
    return probe(key.channel, model, { upstream, signer, clock, web, settings: settings() }).then(
      (probed) => ({ passed: true, ...probed }),
      (cause: unknown) => ({ passed: false, failure: failureOf(cause), cause, ms: clock.now() - began }),
    )
  }

  async function judge(channel: RoutedChannel, key: ChannelKey<RoutedChannel>, result: TestResult): Promise<void> {
    const { AutomaticEnableChannelEnabled } = settings()
    if (!result.passed) {
      const { failure } = result
      if (disables(failure, channel, settings())) await switches.off(channel.id, reasonOf(failure), key.fingerprint)
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
  async function record(channel: RoutedChannel, probed: Probed): Promise<void> {
    const user = settings().LogConsumeEnabled ? await storage.users.findRoot() : null
    const row = user && testEntry(user, channel.id, probed, settings())
    if (row) await storage.logs.insert([row])
  }

  return async function test(found, model, by) {
    const channel = routed(found)
    const began = clock.now()
    const results: TestResult[] = []
    for (const key of channel.keys.slice(0, MAX_KEYS)) {
      const result = await probeKey(key, model)
      results.push(result)
      await judge(channel, key, result)
    }
    const failed = results[0] ?? { passed: false, failure: failureOf(undefined), cause: undefined, ms: 0 }
    const best = results.find(({ passed }) => passed) ?? failed
    const ms = best.passed ? best.ms : clock.now() - began
    // 0 stands for a channel that was never tested.
    await storage.channels.update(channel.id, { test_time: seconds(clock), response_time: Math.max(1, Math.round(ms)) })
    await storage.channelTests.insert({
      ...{ channel_id: channel.id, tested_at: seconds(clock), user_id: by?.id ?? 0, username: by?.username ?? '' },
      ...{ model: testModel(channel, model), passed: best.passed, ms: Math.round(ms) },
      status: best.passed ? 0 : best.failure.status,
      error: best.passed ? '' : best.failure.message,
    })
    if (best.passed) await record(channel, best)
    return { ...best, ms }
  }
}

/** Slow tests count only where channels may switch themselves off at all. */
function isSlow(ms: number, channel: KeyedChannel, settings: Settings): boolean {
  const { AutomaticDisableChannelEnabled, ChannelDisableThreshold } = settings
  const may = AutomaticDisableChannelEnabled && channel.auto_ban === 1 && channel.status !== CHANNEL_STATUS.disabled
  return may && ChannelDisableThreshold > 0 && ms > ChannelDisableThreshold * 1000
}
