// Tests a channel key by key, and disables or enables it by the result (docs/relay.md, 10).
import { buildCallRecord } from '../calls/finish.ts'
import { LOG_TYPE, type NewLogEntry } from '../calls/log-entry.ts'
import { toRoutedChannel } from '../channels/channel-index.ts'
import { CHANNEL_STATUS, type KeyedChannel } from '../channels/channel.ts'
import { type AutoDisable, describeFailure, shouldDisableChannel } from '../channels/health.ts'
import type { ChannelKey } from '../channels/keys.ts'
import type { RoutedChannel } from '../channels/routed-channel.ts'
import type { Tester } from '../channels/test-outcome.ts'
import type { CallFailure } from '../dialects/call-failure.ts'
import type { AnyDialect } from '../dialects/dialect.ts'
import { jsonBytes } from '../dialects/json-bytes.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiEmbeddings } from '../dialects/openai-embeddings.ts'
import { rerank } from '../dialects/rerank.ts'
import type { Usage } from '../dialects/usage.ts'
import { fail } from '../errors.ts'
import { groupRatio, specialRatio } from '../groups/group.ts'
import { callRow } from '../logs/call-row.ts'
import { getModelKind } from '../models/model-facts.ts'
import { type Clock, seconds } from '../ports/clock.ts'
import type { Signer } from '../ports/signer.ts'
import type { Storage } from '../ports/storage.ts'
import type { Upstream } from '../ports/upstream.ts'
import { findPrice } from '../pricing/price-book.ts'
import type { Settings } from '../settings/index.ts'
import type { User } from '../users/user.ts'
import { attemptChannel, type AttemptPorts } from './attempt.ts'
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
export type TestChannel = (channel: KeyedChannel, model: string) => Promise<TestResult>

/**
 * Tests a channel and records the result. An empty model uses the test model. With the fingerprint of one of several
 * keys only this key is tested and switched, and the channel's own result stays.
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

/** Maximum number of keys that one test covers. */
const MAX_KEYS = 50

type ProbePorts = Pick<Ports, 'upstream' | 'signer' | 'clock' | 'settings'>
type Judge = (key: ChannelKey<RoutedChannel>, result: KeyResult) => Promise<void>

/** Tests the keys in turn. Returns the first that passed, or the failure of the first key. */
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

  /** Writes a note to the log of the super administrator: a test is not charged to anyone. */
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
    // 0 means that the channel was never tested.
    await storage.channels.update(channel.id, { test_time: seconds(clock), response_time: Math.max(1, Math.round(ms)) })
    await storage.channelTests.insert({
      channel_id: channel.id,
      tested_at: seconds(clock),
      user_id: by?.id ?? 0,
      username: by?.username ?? '',
      model: testModel(channel, model),
      passed: best.passed,
      ms: Math.round(ms),
      status: best.passed ? 0 : best.failure.status,
      error: best.passed ? '' : best.failure.message,
    })
    if (best.passed) await record(channel, best)
    return best
  }
}

/** A slow test counts only if the channel may be disabled automatically. */
function isSlow(ms: number, channel: KeyedChannel, settings: Settings): boolean {
  const { AutomaticDisableChannelEnabled, ChannelDisableThreshold } = settings
  const may = AutomaticDisableChannelEnabled && channel.auto_ban === 1 && channel.status !== CHANNEL_STATUS.disabled
  return may && ChannelDisableThreshold > 0 && ms > ChannelDisableThreshold * 1000
}

// Channel probe: the smallest possible attempt, on the relay's own path, without a charge.

/** Reasoning models need some tokens before their first text. */
const PROBE_TOKENS = 16
const THINKING_PROBE_TOKENS = 256
const PROBE_TIMEOUT_MS = 60_000

/** The result of a probe, and the usage that its price is computed from. */
export interface ProbeResult {
  model: string
  upstream_model: string
  usage: Usage | undefined
  /** Epoch ms. */
  started_at: number
  ms: number
}

/** Returns the model that a channel is tested with, unless one is named; empty if it has none. */
export const testModel = ({ test_model, model_names }: RoutedChannel, named: string): string =>
  named || test_model || model_names[0] || ''

/**
 * Sends "hi", or the equivalent for operations other than chat, and waits for the answer.
 * @throws AttemptError if the provider refuses; GatewayError channel.no_test_model
 */
export async function probeChannel(
  channel: RoutedChannel,
  model: string,
  ports: AttemptPorts & { clock: Clock },
): Promise<ProbeResult> {
  const name = testModel(channel, model) || fail('channel.no_test_model')
  const tokens = /thinking|gemini|gpt-[5-9]|^o\d/.test(name) ? THINKING_PROBE_TOKENS : PROBE_TOKENS
  const limit = /^(o\d|gpt-[5-9])/.test(name) ? { max_completion_tokens: tokens } : { max_tokens: tokens }
  const kind = getModelKind(name, ports.settings['models.facts'])
  const [dialect, fields]: [AnyDialect, object] =
    kind === 'rerank'
      ? [rerank, { query: 'hi', documents: ['hi'] }]
      : kind === 'embeddings'
        ? [openaiEmbeddings, { input: ['hello world'] }]
        : [openaiChat, { messages: [{ role: 'user', content: 'hi' }], ...limit }]
  const body = jsonBytes({ model: name, ...fields })
  const started_at = ports.clock.now()
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS)
  const { usage, upstream_model } = await attemptChannel(
    { id: 'probe', dialect, head: dialect.readHead(body), listed: name, body, signal },
    channel,
    ports,
  )
  return { model: name, upstream_model, usage, started_at, ms: ports.clock.now() - started_at }
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
  const { model, upstream_model, usage = null, started_at, ms } = probed
  const price = findPrice(model, settings, settings.SelfUseModeEnabled)
  if (!price) return undefined
  const group = user.group || 'default'
  const group_ratio = groupRatio(group, settings, user.group)
  const record = buildCallRecord({
    call: {
      id: '',
      request_id: '',
      language: 'en',
      operation: 'chat',
      dialect: '',
      asked: model,
      stream: false,
      payer: { user_id: user.id, username: user.username, token_id: 0, token_name: NAME },
      started_at,
    },
    terms: {
      group,
      price,
      group_ratio,
      quota_per_unit: settings.QuotaPerUnit,
      special_ratio: specialRatio(group, group, settings) !== undefined,
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
  return { ...callRow(record), type: LOG_TYPE.system, quota: 0, content: NAME }
}
