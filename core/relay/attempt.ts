// One try of a call on one channel: request out, answer back up to its first content, failure named.
import type { RoutedChannel } from '../channels/routed-channel.ts'
import type { SignatureOwners } from '../channels/proof-makers.ts'
import type { Answer } from './answers/answer.ts'
import { readProviderAnswer } from './answers/read-answer.ts'
import type { AnswerReader } from './answers/reading.ts'
import { sendToProvider, type AskPorts, type ProviderCall } from './ask.ts'
import { createDeadline, getFirstContentTimeoutMs } from './deadline.ts'
import { attemptError } from './failure.ts'
import { CallFiles, type FilePorts } from './files.ts'
import type { PlannedAttempt } from './plan.ts'
import { withPricedWords } from './price-words.ts'
import { buildTraceHeaders } from './sent-along.ts'
import type { PaidCall } from './work.ts'

export interface AttemptPorts extends AskPorts {
  makers?: Pick<SignatureOwners, 'tagOf' | 'note'>
}

export type AttemptRequest = ProviderCall & AnswerReader

/** How the steps of a call's plan are tried. */
export function createAttemptRunner(
  ports: Omit<AttemptPorts, 'settings'> & FilePorts,
  { call, bounded, provider, settings }: PaidCall,
): (step: PlannedAttempt, attempt: number) => Promise<Answer> {
  const { upstream, signer, clock, makers } = ports
  let made: CallFiles | undefined
  const files = () => (made ??= new CallFiles(ports, call, settings, provider))
  return ({ head, admission, taken }, number) => {
    const request = {
      id: call.caller.request_id,
      dialect: call.inbound,
      head,
      listed: admission.listed,
      body: withPricedWords(call.body, head.words, admission.price),
      signal: provider,
      bounded,
      place: call.place,
      headers: call.headers,
      beside: buildTraceHeaders(call, number, settings),
      deferred: call.deferred !== undefined,
      files,
    }
    return attemptChannel(request, taken.channel, { upstream, signer, clock, settings, makers })
  }
}

/** An answer names its model as it was asked for. */
const toReader = (
  { id, dialect, head, bounded }: AttemptRequest,
  tool_names: AnswerReader['tool_names'],
): AnswerReader => ({
  id,
  dialect,
  head: head.asked === undefined ? head : { ...head, model: head.asked },
  tool_names,
  bounded,
})

/** @throws AttemptError */
export async function attemptChannel(
  request: AttemptRequest,
  channel: RoutedChannel,
  ports: AttemptPorts,
): Promise<Answer> {
  // What is not streamed has its first content with its last.
  const limit = request.head.stream ? getFirstContentTimeoutMs(channel, request.head.model, ports.settings) : 0
  const deadline = limit > 0 ? createDeadline(ports.clock, limit, request.signal) : undefined
  try {
    const { reply, theirs, tool_names, begun } = await sendToProvider(
      request,
      deadline?.signal ?? request.signal,
      channel,
      ports,
    )
    const reader = toReader(request, tool_names)
    return Object.assign(await readProviderAnswer(reply, theirs, reader, channel, ports), begun)
  } catch (cause) {
    throw attemptError(deadline?.passed() ?? cause, channel)
  } finally {
    deadline?.met()
  }
}
