// Tests a channel: the smallest possible attempt, through the relay's own path, charged to nobody.
import type { RoutedChannel } from '../channels/channel-index.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { fail } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import { attempt, type AttemptPorts } from './attempt.ts'

/** Answers of models that think need some room before they say anything. */
const PROBE_TOKENS = 16
const THINKING_PROBE_TOKENS = 256
const PROBE_TIMEOUT_MS = 60_000

/**
 * Sends "hi" and waits for the answer. Gives the time it took, in ms.
 * @throws AttemptError what the provider said; GatewayError channel.no_test_model
 */
export async function probe(
  channel: RoutedChannel,
  model: string,
  ports: AttemptPorts & { clock: Clock },
): Promise<number> {
  const name = model || channel.test_model || channel.model_names[0] || fail('channel.no_test_model')
  const tokens = /thinking|gemini|gpt-[5-9]|^o\d/.test(name) ? THINKING_PROBE_TOKENS : PROBE_TOKENS
  const limit = /^(o\d|gpt-[5-9])/.test(name) ? { max_completion_tokens: tokens } : { max_tokens: tokens }
  const body = new TextEncoder().encode(
    JSON.stringify({ model: name, messages: [{ role: 'user', content: 'hi' }], ...limit }),
  )
  const started = ports.clock.now()
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS)
  await attempt({ dialect: openaiChat, head: openaiChat.readHead(body), body, signal }, channel, ports)
  return ports.clock.now() - started
}
