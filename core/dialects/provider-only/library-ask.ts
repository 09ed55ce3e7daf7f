// AI Proxy's knowledge bases: the last question goes to a library, which answers with the documents that it read. Built
// from the requests of other gateways, since the vendor's page no longer exists.
import type { ModelRequest, WrittenRequest } from '../model-request.ts'
import type { ModelEvent } from '../answers/model-event.ts'
import { toJsonBytes } from '../json/json-bytes.ts'
import { asList, getMember, asObject, parseJsonBytes, asText, type JsonObject } from '../json/json-value.ts'
import {
  createProviderDialect,
  startEvent,
  listNonTextParts,
  buildFailureEvent,
  finishEvent,
  buildTextEvents,
  mergeNeighborTurns,
  listUnsupportedFields,
  UNREADABLE_ANSWER,
  createStreamReader,
} from './provider-only.ts'

/** The request has no field for instructions about the answer. */
export const libraryAskDialect = {
  ...createProviderDialect({ name: 'library-ask', writeModelRequest: writeRequest, reader, readWholeReply: readReply }),
  writeModelRequest: writeRequest,
}

function writeRequest(request: ModelRequest): WrittenRequest {
  const { model, stream, messages } = request
  const turns = mergeNeighborTurns(messages)
  const query = turns.findLast(({ role }) => role === 'user')?.text ?? ''
  const dropped = new Set([...listUnsupportedFields(request, []), ...messages.flatMap(listNonTextParts)])
  if (messages.length > 1) dropped.add('messages')
  return { body: toJsonBytes({ model, query, stream }), dropped: [...dropped] }
}

function reader() {
  return createStreamReader({
    findFailure,
    start: ({ model }) => startEvent('', 0, model),
    say: (chunk) => [
      ...buildTextEvents(chunk.content),
      ...readSources(chunk),
      ...(chunk.finish === true ? [finishEvent(), { type: 'end' } as const] : []),
    ],
  })
}

function readReply(body: Uint8Array): ModelEvent[] {
  const answer = asObject(parseJsonBytes(body)) ?? {}
  const failure = findFailure(answer)
  if (failure) return [failure]
  if (!asText(answer.answer)) return [buildFailureEvent(502, UNREADABLE_ANSWER)]
  return [
    startEvent('', 0, answer.model),
    ...buildTextEvents(answer.answer),
    ...readSources(answer),
    finishEvent(),
    { type: 'end' },
  ]
}

const readSources = ({ documents }: JsonObject): ModelEvent[] =>
  (asList(documents) ?? []).flatMap((document) => {
    const url = asText(getMember(document, 'url'))
    const title = asText(getMember(document, 'title'))
    return url ? [{ type: 'citation' as const, url, ...(title ? { title } : {}), choice: 0 }] : []
  })

const findFailure = ({ success, message, errCode }: JsonObject): ModelEvent | undefined =>
  success === false ? buildFailureEvent(502, message, asText(errCode) ?? null) : undefined
