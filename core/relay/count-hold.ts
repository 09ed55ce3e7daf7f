// Admits calls that no provider answers: those that count the tokens of a prompt, and those that only open a conversation.
// They cost nothing, but need a balance above 0, and count as requests in the limits of token, user and group. Counts
// leave a row in the log.
import { LOG_ROW_TYPE, type NewLogEntry } from '../calls/log-entry.ts'
import type { Usage } from '../dialects/answers/usage.ts'
import { openaiResponses } from '../dialects/openai-responses/index.ts'
import { createAnswerId, readConversationItems } from '../dialects/openai-responses/stored-answer.ts'
import type { RequestHead } from '../dialects/requests/head.ts'
import { buildCallLimits } from '../limits/call-limits.ts'
import { formatLogText } from '../logs/event-texts.ts'
import { buildEventLog } from '../logs/log.ts'
import { type Clock, seconds } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { Tokenizer } from '../ports/tokenizer.ts'
import { estimateCost } from '../pricing/estimate.ts'
import type { Hold } from '../quota/hold.ts'
import type { CallLedger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import { getUserLanguage } from '../users/user-language.ts'
import type { Admission, ChannelLookup } from './admission.ts'
import type { ResponseChain } from './answers/stored-responses.ts'
import type { Call, Reply } from './call.ts'
import { reserveQuota } from './holds.ts'
import { countCallTokens } from './measure.ts'
import { FallbackChain } from './model-candidates.ts'

/**
 * Holds nothing for a count or an estimate, but counts it as a request. A count needs a balance above 0 unless its
 * model costs nothing; with `free` it needs none.
 * @throws GatewayError limit.*, budget.*, quota.insufficient, quota.token_insufficient, key.exhausted
 */
export function holdForCount(
  ledger: CallLedger,
  { caller, started_at }: Call,
  { head, admission }: { head: RequestHead; admission: Admission },
  settings: Settings,
  { free }: { free: boolean } = estimateCost(admission.price, admission.group_ratio, head, settings, started_at),
): Promise<Hold> {
  const owner = { user: caller.user, token: caller.token, group: admission.group }
  // A count uses no tokens, so the token limits do not apply.
  const limits = buildCallLimits(owner, { prompt: 0, answer: 0 }, settings)?.filter(({ kind }) => kind !== 'tokens')
  return reserveQuota(ledger, owner, { quota: 0, free }, limits)
}

/** Builds the row of a count, a note of 0 quota. `tokens` is 0 if the provider's answer has no number. */
export function buildCountRow(
  { caller, inbound, started_at }: Call,
  { head, group, tokens = 0, now }: { head: RequestHead; group: string; tokens?: number; now: number },
): NewLogEntry {
  const language = getUserLanguage(caller.user, caller.language)
  return {
    ...buildEventLog(
      caller.user,
      LOG_ROW_TYPE.system,
      Math.floor(now / 1000),
      formatLogText('count', { tokens }, language),
    ),
    token_id: caller.token?.id ?? 0,
    token_name: caller.token?.name ?? '',
    group,
    model_name: head.model,
    operation: inbound.operation,
    prompt_tokens: tokens,
    use_time: Math.round((now - started_at) / 1000),
    other: JSON.stringify({ count: true, asked_model: head.requestedModel }),
    request_id: caller.request_id,
  }
}

// Answers a request for an id to continue from, without text (`generate: false` over a WebSocket): the request is
// admitted, counted in the limits and remembered. No provider is called, nothing is held or charged, and no row is
// written.

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
    answer: { input: readConversationItems(call.body), response: { output: [] } },
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
