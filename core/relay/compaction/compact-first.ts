// Summarizes a conversation before it is answered, if the request sets a number of tokens above which it wants this,
// unless every channel of its model does it itself. The summary is a separate call, held, limited, charged and logged
// like any other. If it fails, the call continues with the whole conversation.
import { changeTopMembers, joinByteArrays, toJsonBytes } from '../../dialects/json/json-bytes.ts'
import { buildCompactionItem, splitConversation, toSummaryMessage } from '../../dialects/openai-responses/compaction.ts'
import { openaiResponses } from '../../dialects/openai-responses/index.ts'
import { readConversationItems } from '../../dialects/openai-responses/stored-answer.ts'
import type { JsonObject } from '../../dialects/json/json-value.ts'
import { buildSummaryRequest } from '../../dialects/compaction/summary.ts'
import { GatewayError } from '../../errors.ts'
import { findModelFacts } from '../../models/model-facts.ts'
import { getUpstreamModelName } from '../../channels/routed-channel.ts'
import { encodeFrame, type OutputPiece } from '../../dialects/answers/frames.ts'
import type { Logger } from '../../ports/logger.ts'
import type { Random } from '../../ports/random.ts'
import type { Tokenizer } from '../../ports/tokenizer.ts'
import { findProvider } from '../../providers/index.ts'
import { compactsConversations } from '../../providers/provider.ts'
import type { Call, Reply } from '../call.ts'
import { countCallTokens } from '../measure.ts'
import type { ModelCandidate } from '../model-candidates.ts'
import { AttemptError } from '../failure.ts'
import type { OwnedCompactions } from './owned-compactions.ts'

interface CompactFirstPorts {
  compactions: OwnedCompactions
  random: Random
  logger: Logger
  tokenizer?: Tokenizer
}

/** Length of an item's id in letters and digits. */
const ID_LENGTH = 32
/** The user's last message stays unchanged up to this size, or up to a quarter of the threshold. Unit: bytes. */
const MOST_KEPT = 16 * 1024
const BYTES_PER_TOKEN = 4

/**
 * Returns the call with a summary in place of its conversation; undefined if the conversation is short enough, if every
 * channel of the model summarizes itself, or if there is no summary.
 * @param relay answers the call that asks for the summary
 */
export async function compactBeforeCall(
  ports: CompactFirstPorts,
  call: Call,
  turn: ModelCandidate,
  relay: (call: Call, reply: Reply) => Promise<void>,
): Promise<Call | undefined> {
  const { head } = turn
  const { compacts_above: threshold } = head
  if (threshold === undefined || head.continues !== undefined || head.compaction !== undefined) return undefined
  if (isCompactedByProviders(turn)) return undefined
  if ((await countCallTokens(call, head, ports.tokenizer)) <= threshold) return undefined
  const maxKeptBytes = Math.max(MOST_KEPT, (threshold * BYTES_PER_TOKEN) / 4)
  const { system, summed: summarized, behind } = splitConversation(readConversationItems(call.body), maxKeptBytes)
  const summary = await summarize(ports, call, turn, summarized, relay)
  if (summary === undefined) return undefined
  const id = `cmp_${ports.random.text(ID_LENGTH)}`
  const item = buildCompactionItem(id, { summary, items: behind, replaces: true }, (text) =>
    ports.compactions.encrypt(text, call.caller),
  )
  const input = [...system, toSummaryMessage(summary), ...behind.map((each) => withoutId(each, head.borrowed))]
  const changes = [['input', toJsonBytes(input)] as const, ['context_management', null] as const]
  return {
    ...call,
    body: changeTopMembers(call.body, new Map(changes)),
    summed: { item, repeated: head.repeated ?? {} },
  }
}

/** Removes the id of an item that Weir has made, since no provider knows it. */
const withoutId = ({ id, ...item }: JsonObject, isBorrowed: true | undefined): JsonObject =>
  isBorrowed || id === undefined ? item : { id, ...item }

/** Returns true if every channel of the model summarizes itself. */
const isCompactedByProviders = ({ admission: { candidates, listedName } }: ModelCandidate): boolean =>
  candidates.every(({ channels }) =>
    channels.every((channel) => {
      const provider = findProvider(channel.type)
      return (
        provider !== undefined &&
        compactsConversations(provider, getUpstreamModelName(listedName, channel.mapping), channel)
      )
    }),
  )

/** Returns the model's summary of the items; undefined if it gives none, or if the call for it fails. */
async function summarize(
  { logger }: CompactFirstPorts,
  call: Call,
  { head }: ModelCandidate,
  items: readonly JsonObject[],
  relay: (call: Call, reply: Reply) => Promise<void>,
): Promise<string | undefined> {
  if (items.length === 0) return undefined
  const conversation = changeTopMembers(call.body, new Map([['input', toJsonBytes(items)]]))
  const request = openaiResponses.readModelRequest(conversation)
  // Encrypted items can be summarized only by their provider.
  if (request.vendorData?.length) return undefined
  const most = findModelFacts(head.model)?.output || undefined
  const { body } = openaiResponses.writeModelRequest(buildSummaryRequest(request, most))
  const { inbound, caller, pin, session, signal, started_at } = call
  const answer = new CollectedReply()
  try {
    const request_id = `${caller.request_id}-summary`
    await relay({ inbound, body, pin, session, signal, started_at, caller: { ...caller, request_id } }, answer)
    const texts = openaiResponses
      .readWholeReply(answer.bytes())
      .map((event) => (event.type === 'text' ? event.text : ''))
    return texts.join('').trim() || undefined
  } catch (error) {
    if (!(error instanceof AttemptError) && !(error instanceof GatewayError))
      logger.error('a conversation could not be summed up', { request_id: caller.request_id, cause: error })
    return undefined
  }
}

/** A reply that collects the whole answer. */
class CollectedReply implements Reply {
  private readonly pieces: OutputPiece[] = []

  admitted(): void {}
  head(): void {}

  write(pieces: OutputPiece[]): undefined {
    this.pieces.push(...pieces)
  }

  whole(_head: unknown, pieces: OutputPiece[]): void {
    this.write(pieces)
  }

  bytes(): Uint8Array {
    return joinByteArrays(this.pieces.map((piece) => (piece instanceof Uint8Array ? piece : encodeFrame(piece))))
  }
}
