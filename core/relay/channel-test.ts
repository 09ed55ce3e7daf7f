// Tests a channel key by key, and disables or enables it by the result (docs/relay.md, 10).
import { buildCallRecord } from '../calls/finish.ts'
import { LOG_ROW_TYPE, type NewLogEntry } from '../calls/log-entry.ts'
import { toRoutedChannel } from '../channels/channel-index.ts'
import { CHANNEL_STATUS, type ChannelWithKey } from '../channels/channel.ts'
import { type AutomaticDisable, describeFailure, shouldDisableChannel } from '../channels/health.ts'
import type { ChannelKey } from '../channels/keys.ts'
import type { RoutedChannel } from '../channels/routed-channel.ts'
import type { TestingUser } from '../channels/test-outcome.ts'
import type { CallFailure } from '../dialects/answers/call-failure.ts'
import { fail } from '../errors.ts'
import { getGroupRatio, findSpecialRatio } from '../groups/group.ts'
import { buildCallRow } from '../logs/call-row.ts'
import { type Clock, seconds } from '../ports/clock.ts'
import type { RequestSigner } from '../ports/signer.ts'
import type { Storage } from '../ports/storage.ts'
import type { UpstreamClient } from '../ports/upstream.ts'
import { findPrice } from '../pricing/price-book.ts'
import type { Settings } from '../settings/index.ts'
import type { User } from '../users/user.ts'
import type { ProbeQuestion, ProbeResult } from './channel-probe.ts'
import { chooseTestModel, planProbeCall, planUnattended, probeChannel } from './channel-probe.ts'
import { toCallFailure } from './failure.ts'

/** The result of a test with one key. `ms`: its duration. */
export type KeyResult =
  ({ passed: true } & ProbeResult) | { passed: false; failure: CallFailure; cause: unknown; ms: number }

/**
 * The result of a test: the duration for the first key that passed, or the failure and total duration if none did; and
 * the result of each key.
 */
export type TestResult = KeyResult & { keys: readonly { key: ChannelKey<RoutedChannel>; result: KeyResult }[] }

/** Tests a channel that may not be saved yet, without switching, recording or charging anything. */
export type TestChannel = (channel: ChannelWithKey, model: string) => Promise<TestResult>

export interface ChannelTester {
  /**
   * Tests a channel and records the result. An empty model uses the test model. With the fingerprint of one of several
   * keys only this key is tested and switched, and the channel's own result stays.
   * @throws GatewayError channel.key_unknown
   */
  test(channel: ChannelWithKey, model: string, by: TestingUser, key?: string): Promise<TestResult>
  /**
   * Tests a channel in a run that no person watches, which makes neither pictures nor films. Undefined if the channel
   * makes nothing else and its provider has no list to read: then it is not tested.
   */
  testUnattended(channel: ChannelWithKey, by: TestingUser): Promise<TestResult | undefined>
}

interface ChannelTestPorts {
  storage: Storage
  upstream: UpstreamClient
  signer: RequestSigner
  clock: Clock
  switches: AutomaticDisable
  settings(): Settings
}

/** Maximum number of keys that one test covers. */
const MAX_KEYS = 50

type ProbePorts = Pick<ChannelTestPorts, 'upstream' | 'signer' | 'clock' | 'settings'>
type Judge = (key: ChannelKey<RoutedChannel>, result: KeyResult) => Promise<void>

/** Tests the keys in turn. Returns the first that passed, or the failure of the first key. */
async function tryKeys(
  { upstream, signer, clock, settings }: ProbePorts,
  { keys }: RoutedChannel,
  plan: () => ProbeQuestion,
  judge?: Judge,
): Promise<TestResult> {
  const began = clock.now()
  const tried: { key: ChannelKey<RoutedChannel>; result: KeyResult }[] = []
  for (const key of keys.slice(0, MAX_KEYS)) {
    const start = clock.now()
    const probe = async () => probeChannel(plan(), key.channel, { upstream, signer, clock, settings: settings() })
    const result = await probe().then(
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

export const createChannelTestRunner =
  (ports: ProbePorts): TestChannel =>
  (found, model) => {
    const channel = toRoutedChannel(found)
    return tryKeys(ports, channel, () => planProbeCall(channel, model, ports.settings()))
  }

export function createChannelTester(ports: ChannelTestPorts): ChannelTester {
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

  /** Writes a note to the log of the super administrator: a test is not charged to anyone. */
  async function record(channel: RoutedChannel, probed: ProbeResult): Promise<void> {
    const user = settings().LogConsumeEnabled ? await storage.users.findRoot() : null
    const row = user && buildTestLogEntry(user, channel.id, probed, settings())
    if (row) await storage.logs.insert([row])
  }

  /** Tests all keys of the channel and stores the result. */
  async function testKeys(
    channel: RoutedChannel,
    model: string,
    by: TestingUser,
    plan: () => ProbeQuestion,
  ): Promise<TestResult> {
    const best = await tryKeys(ports, channel, plan, (key, result) => judge(channel, key, result))
    const { ms } = best
    // 0 means that the channel was never tested.
    await storage.channels.update(channel.id, { test_time: seconds(clock), response_time: Math.max(1, Math.round(ms)) })
    await storage.channelTests.insert({
      channel_id: channel.id,
      tested_at: seconds(clock),
      user_id: by?.id ?? 0,
      username: by?.username ?? '',
      model: chooseTestModel(channel, model, settings()),
      passed: best.passed,
      ms: Math.round(ms),
      status: best.passed ? 0 : best.failure.status,
      error: best.passed ? '' : best.failure.message,
    })
    if (best.passed && best.called) await record(channel, best)
    return best
  }

  return {
    async test(found, model, by, fingerprint = '') {
      const channel = toRoutedChannel(found)
      const plan = () => planProbeCall(channel, model, settings())
      if (fingerprint === '') return testKeys(channel, model, by, plan)
      const keys = channel.keys.filter((key) => key.fingerprint === fingerprint)
      if (keys.length === 0) fail('channel.key_unknown', { key: fingerprint })
      return tryKeys(ports, { ...channel, keys }, plan, (key, result) => judge(channel, key, result))
    },
    async testUnattended(found, by) {
      const channel = toRoutedChannel(found)
      const model = chooseTestModel(channel, '', settings())
      const probe = model === '' ? undefined : planUnattended(channel, model, settings())
      if (model !== '' && !probe) return undefined
      return testKeys(channel, '', by, () => probe ?? fail('channel.no_test_model'))
    },
  }
}

/** A slow test counts only if the channel may be disabled automatically. */
function isSlow(ms: number, channel: ChannelWithKey, settings: Settings): boolean {
  const { AutomaticDisableChannelEnabled, ChannelDisableThreshold } = settings
  const may = AutomaticDisableChannelEnabled && channel.auto_ban === 1 && channel.status !== CHANNEL_STATUS.disabled
  return may && ChannelDisableThreshold > 0 && ms > ChannelDisableThreshold * 1000
}

// Log row of a channel test that passed: a note with the price of such a call, which counts as no consumption.

const NAME = 'model test'

/** Returns undefined if the model has no price to show. */
export function buildTestLogEntry(
  user: User,
  channelId: number,
  probed: ProbeResult,
  settings: Settings,
): NewLogEntry | undefined {
  const { model, upstream_model, operation, usage = null, started_at, ms } = probed
  const price = findPrice(model, settings, settings.SelfUseModeEnabled)
  if (!price) return undefined
  const group = user.group || 'default'
  const group_ratio = getGroupRatio(group, settings, user.group)
  const record = buildCallRecord({
    call: {
      id: '',
      request_id: '',
      language: 'en',
      operation,
      dialect: '',
      requestedModel: model,
      stream: false,
      payer: { user_id: user.id, username: user.username, token_id: 0, token_name: NAME },
      started_at,
    },
    terms: {
      group,
      price,
      group_ratio,
      quota_per_unit: settings.QuotaPerUnit,
      special_ratio: findSpecialRatio(group, group, settings) !== undefined,
    },
    course: {
      attempts: [
        {
          channel_id: channelId,
          channel_type: 0,
          key: '',
          key_index: 0,
          served: model,
          model: upstream_model,
          began: started_at,
          ms,
          first_content_ms: ms,
          result: 'answered',
        },
      ],
      served: model,
      sent: upstream_model,
      first_content_ms: ms,
      affinity: false,
    },
    came: { status: 'complete', usage },
    ended_at: started_at + ms,
  })
  return { ...buildCallRow(record), type: LOG_ROW_TYPE.system, quota: 0, content: NAME }
}
