// Answers a request for an id to continue from, without text (`generate: false` over a WebSocket): the request is
// admitted, counted in the limits and remembered. No provider is called, nothing is held or charged, and no row is
// written.
import { createAnswerId, readConversationItems } from '../../dialects/openai-responses/kept.ts'
import { openaiResponses } from '../../dialects/openai-responses/index.ts'
import type { Usage } from '../../dialects/answers/usage.ts'
import { seconds, type Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Tokenizer } from '../../ports/tokenizer.ts'
import type { CallLedger } from '../../quota/ledger.ts'
import type { Settings } from '../../settings/index.ts'
import type { ChannelLookup } from '../admission.ts'
import type { Call, Reply } from '../call.ts'
import { holdForCount } from '../count-hold.ts'
import { countCallTokens } from '../measure.ts'
import { FallbackChain } from '../model-candidates.ts'
import type { ResponseChain } from './stored-responses.ts'

interface EmptyAnswerPorts {
  channels: ChannelLookup
  responseChain: Pick<ResponseChain, 'resume' | 'place'>
  ledger: CallLedger
  clock: Clock
  random: Random
  tokenizer?: Tokenizer
  settings(): Settings
}

/**
 * @throws GatewayError any refusal of a call to that model, including its limits, or of a request that cannot be parsed
 */
export async function answerEmptyRequest(ports: EmptyAnswerPorts, given: Call, reply: Reply): Promise<void> {
  const settings = ports.settings()
  const read = given.inbound.readRequestHead(given.body, given.place)
  const resumed = await ports.responseChain.resume(given, read)
  const { call, head } = resumed
  const first = new FallbackChain(call, head, ports.channels, settings).first()
  const turn = ports.responseChain.place(resumed, first, settings)
  await ports.ledger.release(await holdForCount(ports.ledger, call, turn, settings, { free: true }))

  const id = createAnswerId((length) => ports.random.text(length))
  const input = await countCallTokens(call, turn.head, ports.tokenizer)
  const write = openaiResponses.writer(turn.head)
  const frames = [
    ...write({ type: 'start', id, model: turn.head.model, created: seconds(ports.clock) }),
    ...write({ type: 'finish', reason: 'stop', choice: 0 }),
    ...write({ type: 'usage', usage: buildPromptUsage(input) }),
    ...write({ type: 'end' }),
  ]
  call.memory?.keep({
    id,
    answer: { input: readConversationItems(call.body), response: { id, output: [] } },
    borrowed: head.borrowed === true,
    ...(head.continues === undefined ? {} : { continues: head.continues }),
  })
  reply.head({ status: 200, headers: { 'content-type': 'text/event-stream' } })
  await reply.write(frames)
}

/** Builds the usage of a prompt without an answer. */
function buildPromptUsage(input: number): Usage {
  return { input, cache_read: 0, cache_write: 0, cache_write_1h: 0, output: 0, reasoning: 0, source: 'estimated' }
}
