// `POST /v1/responses/compact`: replaces a conversation by one item. A provider that has the endpoint writes the item
// itself; for any other provider, Weir requests a summary and encrypts it.
import { fail } from '../../errors.ts'
import type { Dialect } from '../dialect.ts'
import type { RequestHead } from '../requests/head.ts'
import { changeTopMembers, toJsonBytes } from '../json/json-bytes.ts'
import { asList, getMember, asObject, parseJsonBytes } from '../json/json-value.ts'
import type { ModelEvent } from '../answers/model-event.ts'
import { buildCompactionItem, findProviderCompaction, selectRetainedMessages } from '../openai-responses/compaction.ts'
import { openaiResponses } from '../openai-responses/index.ts'
import { readConversationItems } from '../openai-responses/stored-answer.ts'
import { writeUsageObject } from '../openai-responses/usage.ts'
import { buildSummaryRequest } from './summary.ts'
import type { Usage } from '../answers/usage.ts'

const { count: _count, tidy: _tidy, answerId: _answerId, ...responses } = openaiResponses

function readHead(body: Uint8Array): RequestHead {
  const { kept_as: _kept, tool_forms: _forms, deferred: _deferred, ...head } = openaiResponses.readRequestHead(body)
  return {
    ...head,
    stream: false,
    storesAnswer: false,
    compacts: true,
    compacts_above: undefined,
    repeated: { messages: selectRetainedMessages(readConversationItems(body)) },
  }
}

/** @throws GatewayError upstream.empty if the model has written no summary */
function writeReply(events: ModelEvent[], head?: RequestHead): Uint8Array {
  let [id, created, summary] = ['', 0, '']
  let usage: Usage | undefined
  for (const event of events) {
    if (event.type === 'failure') return responses.writeErrorReply(event.failure)
    if (event.type === 'start') [id, created] = [event.id, event.created]
    if (event.type === 'text' && event.choice === 0) summary += event.text
    if (event.type === 'usage') usage = event.usage
  }
  if (summary.trim() === '' || !head?.encrypt) return fail('upstream.empty')
  const messages = asList(head.repeated?.messages) ?? []
  const named = messages.map((message, at) => ({ id: `msg_${id}_${at}`, status: 'completed', ...asObject(message) }))
  const item = buildCompactionItem(`cmp_${id}`, { summary }, head.encrypt)
  return toJsonBytes({
    id,
    object: 'response.compaction',
    created_at: created,
    output: [...named, item],
    ...(usage ? { usage: writeUsageObject(usage) } : {}),
  })
}

export const openaiCompaction: Dialect = {
  ...responses,
  name: 'openai-compaction',
  paths: ['/v1/responses/compact'],
  idPrefix: 'resp_',
  opaque: true,
  readRequestHead: readHead,
  readModelRequest: (body) => buildSummaryRequest(openaiResponses.readModelRequest(body)),
  writeWholeReply: writeReply,
  withUsage: (json, usage) => changeTopMembers(json, new Map([['usage', toJsonBytes(writeUsageObject(usage))]])),
  readAnswerReport(body) {
    const { isEmpty: _isEmpty, ...report } = openaiResponses.readAnswerReport(body)
    const output = asList(getMember(parseJsonBytes(body), 'output'))
    return { ...report, isEmpty: () => findProviderCompaction(output) === undefined }
  },
}
