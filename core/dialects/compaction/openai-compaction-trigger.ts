// A Responses request that ends in an item of type `compaction_trigger`: the answer is the conversation before it, as
// one item of type `compaction`. A provider that knows the trigger writes the item itself; for any other provider, Weir
// requests a summary and encrypts it. Codex compacts in this way (openai/codex#22809).
import { fail } from '../../errors.ts'
import type { Dialect } from '../dialect.ts'
import type { RequestHead } from '../requests/head.ts'
import { changeTopMembers, toJsonBytes } from '../json/json-bytes.ts'
import type { JsonObject } from '../json/json-value.ts'
import type { ModelEvent } from '../answers/model-event.ts'
import { buildCompactionItem } from '../openai-responses/compaction.ts'
import { openaiResponses } from '../openai-responses/index.ts'
import { readConversationItems } from '../openai-responses/stored-answer.ts'
import { createOutput } from '../openai-responses/output.ts'
import { buildSummaryRequest } from './summary.ts'

const { count: _count, tidy: _tidy, ...responses } = openaiResponses
/** Events without which an answer has no beginning, no usage and no failure. All others are part of the summary, or left out. */
const ABOUT_THE_ANSWER = new Set<ModelEvent['type']>(['start', 'usage', 'failure'])

/**
 * Collects the text of an answer, and writes it as one encrypted item at the end.
 * @throws GatewayError upstream.empty if the model has written no summary
 */
function createCompactionOutput(head: RequestHead): (event: ModelEvent) => JsonObject[] {
  const take = createOutput(head)
  let summary = ''
  return (event) => {
    if (event.type === 'text' && event.choice === 0) summary += event.text
    if (ABOUT_THE_ANSWER.has(event.type)) return take(event)
    if (event.type !== 'end') return []
    const { encrypt } = head
    if (summary.trim() === '' || !encrypt) return fail('upstream.empty')
    const item = (id: string) => buildCompactionItem(id, { summary }, encrypt)
    return [...take({ type: 'item', prefix: 'cmp', build: item }), ...take(event)]
  }
}

function readRequest(body: Uint8Array): ReturnType<Dialect['readModelRequest']> {
  const conversation = changeTopMembers(
    body,
    new Map([['input', toJsonBytes(readConversationItems(body).slice(0, -1))]]),
  )
  const request = openaiResponses.readModelRequest(conversation)
  return { ...buildSummaryRequest(request), stream: request.stream }
}

/** @throws GatewayError upstream.empty if the model has written no summary */
function writeReply(events: ModelEvent[], head?: RequestHead): Uint8Array {
  const failure = events.find((event) => event.type === 'failure')
  if (failure) return responses.writeErrorReply(failure.failure)
  if (!head) return fail('upstream.empty')
  const take = createCompactionOutput(head)
  const last = events.flatMap(take).at(-1)
  return toJsonBytes(last?.response)
}

export const openaiCompactionTrigger: Dialect = {
  ...responses,
  name: 'openai-compaction-trigger',
  opaque: true,
  readModelRequest: readRequest,
  writeWholeReply: writeReply,
  writer(head) {
    const take = createCompactionOutput(head)
    return (event) => take(event).map((written) => ({ event: String(written.type), data: JSON.stringify(written) }))
  },
}
