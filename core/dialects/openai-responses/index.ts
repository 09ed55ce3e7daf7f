// OpenAI's Responses: items instead of messages, events instead of chunks.
import { assembleDialect } from '../codec.ts'
import type { Dialect, TokenCount } from '../dialect.ts'
import * as chatErrors from '../openai-chat/error.ts'
import { USAGE_BUCKETS } from '../openai-chat/usage.ts'
import { responsesObjectPlaces } from '../requests/openai-objects.ts'
import { OPENAI_COST_SCANNER } from '../openai-chat/head.ts'
import * as errors from './error.ts'
import { FORMAT_NAME } from './extras.ts'
import * as head from './head.ts'
import { createOutput } from './output.ts'
import * as patch from './patch.ts'
import { writeFailedStream } from './progress.ts'
import * as reading from './read-events.ts'
import * as reply from './reply.ts'
import * as request from './request.ts'
import * as watch from './watch.ts'
import * as writeRequest from './write-request.ts'
import { toJsonBytes } from '../json/json-bytes.ts'
import { asFiniteNumber, asObject, getMember, parseJsonBytes } from '../json/json-value.ts'

// Converts token counting of a response's input to and from OpenAI's format (`POST /v1/responses/input_tokens`).

/** The fields that OpenAI counts (its reference, November 2026). */
const COUNTED = new Set([
  ...['model', 'input', 'instructions', 'previous_response_id', 'conversation', 'tools', 'tool_choice'],
  ...['parallel_tool_calls', 'reasoning', 'text', 'truncation'],
])

const inputTokenCount: TokenCount = {
  ask(request) {
    const fields = Object.entries(asObject(parseJsonBytes(request)) ?? {})
    return toJsonBytes(Object.fromEntries(fields.filter(([key]) => COUNTED.has(key))))
  },
  read: (answer) => asFiniteNumber(getMember(parseJsonBytes(answer), 'input_tokens')),
  write: (input_tokens) => toJsonBytes({ object: 'response.input_tokens', input_tokens }),
}

const createWriter: Dialect['writer'] = (head) => {
  const take = createOutput(head)
  return (event) => take(event).map((payload) => ({ event: String(payload.type), data: JSON.stringify(payload) }))
}

export const openaiResponses = assembleDialect(
  {
    name: FORMAT_NAME,
    paths: ['/v1/responses'],
    words: OPENAI_COST_SCANNER,
    usageKeys: ['usage'],
    modelKeys: ['model', 'response.model'],
    idPrefix: 'resp_',
    buckets: USAGE_BUCKETS,
    proves: true,
    count: inputTokenCount,
    answerId: reply.findAnswerId,
    objects: responsesObjectPlaces,
    writeFailedStream,
  },
  {
    ...head,
    ...request,
    ...writeRequest,
    ...patch,
    ...watch,
    ...reading,
    createStreamWriter: createWriter,
    ...reply,
    ...chatErrors,
    ...errors,
  },
)
