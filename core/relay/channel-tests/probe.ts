// Tests a channel: the smallest possible attempt, through the relay's own path, charged to nobody.
import type { RoutedChannel } from '../../channels/routed-channel.ts'
import type { Usage } from '../../dialects/usage.ts'
import type { AnyDialect } from '../../dialects/dialect.ts'
import { jsonBytes } from '../../dialects/json-bytes.ts'
import { openaiChat } from '../../dialects/openai-chat/index.ts'
import { openaiEmbeddings } from '../../dialects/openai-embeddings.ts'
import { rerank } from '../../dialects/rerank.ts'
import { fail } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import { kindOf } from '../../models/model-facts.ts'
import { attemptChannel, type AttemptPorts } from '../attempt.ts'

/** Answers of models that think need some room before they say anything. */
const PROBE_TOKENS = 16
const THINKING_PROBE_TOKENS = 256
const PROBE_TIMEOUT_MS = 60_000

/** What a channel answered, and what that would have cost somebody. */
export interface ProbeResult {
  model: string
  upstream_model: string
  usage: Usage | undefined
  /** Epoch ms. */
  started_at: number
  ms: number
}

/** The model that a channel is tested with, where none is named; empty where it has none. */
export const testModel = ({ test_model, model_names }: RoutedChannel, named: string): string =>
  named || test_model || model_names[0] || ''

/**
 * Sends "hi" (or what a model beside chat is asked) and waits for the answer.
 * @throws AttemptError what the provider said; GatewayError channel.no_test_model
 */
export async function probeChannel(
  channel: RoutedChannel,
  model: string,
  ports: AttemptPorts & { clock: Clock },
): Promise<ProbeResult> {
  const name = testModel(channel, model) || fail('channel.no_test_model')
  const tokens = /thinking|gemini|gpt-[5-9]|^o\d/.test(name) ? THINKING_PROBE_TOKENS : PROBE_TOKENS
  const limit = /^(o\d|gpt-[5-9])/.test(name) ? { max_completion_tokens: tokens } : { max_tokens: tokens }
  const kind = kindOf(name, ports.settings['models.facts'])
  const [dialect, asked]: [AnyDialect, object] =
    kind === 'rerank'
      ? [rerank, { query: 'hi', documents: ['hi'] }]
      : kind === 'embeddings'
        ? [openaiEmbeddings, { input: ['hello world'] }]
        : [openaiChat, { messages: [{ role: 'user', content: 'hi' }], ...limit }]
  const body = jsonBytes({ model: name, ...asked })
  const started_at = ports.clock.now()
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS)
  const { usage, upstream_model } = await attemptChannel(
    { id: 'probe', dialect, head: dialect.readHead(body), listed: name, body, signal },
    channel,
    ports,
  )
  return { model: name, upstream_model, usage, started_at, ms: ports.clock.now() - started_at }
}
