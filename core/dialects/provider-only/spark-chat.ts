// Xunfei Spark over its WebSocket (www.xfyun.cn/doc/spark/Web.html): one request frame, and answer frames each with a
// code. The model is part of the address, and repeated as a domain.
import type { ModelRequest, WrittenRequest } from '../model-request.ts'
import type { ModelEvent } from '../answers/model-event.ts'
import { toJsonBytes } from '../json/json-bytes.ts'
import type { JsonObject } from '../json/json-value.ts'
import {
  asList,
  getMember,
  asFiniteNumber,
  asObject,
  parseJsonBytes,
  omitUndefinedMembers,
} from '../json/json-value.ts'
import {
  createProviderDialect,
  startEvent,
  listNonTextParts,
  buildUsageEvents,
  buildFailureEvent,
  finishEvent,
  buildTextEvents,
  joinTextParts,
  listUnsupportedFields,
  UNREADABLE_ANSWER,
  moveSystemPrompt,
  createStreamReader,
} from './provider-only.ts'

const WORDS = ['temperature', 'top_k', 'max_tokens', 'user'] as const

/** Older models without a system role: the system prompt goes before the first user text. */
const WITHOUT_SYSTEM = /^(lite|generalv2|generalv3)$/

/** Status of the last frame. */
const LAST = 2

export const sparkChatDialect = createProviderDialect({
  name: 'spark-chat',
  writeModelRequest: writeRequest,
  reader,
  readWholeReply: readReply,
})

function writeRequest(request: ModelRequest): WrittenRequest {
  const { model, temperature, top_k, max_tokens, user } = request
  const dropped = new Set([...listUnsupportedFields(request, WORDS), ...request.messages.flatMap(listNonTextParts)])
  const messages = WITHOUT_SYSTEM.test(model) ? moveSystemPrompt(request.messages) : request.messages
  const body = {
    header: omitUndefinedMembers({ uid: user }),
    parameter: { chat: omitUndefinedMembers({ domain: model, temperature, top_k, max_tokens }) },
    payload: {
      message: {
        text: messages.map(({ role, content }) => ({
          role: role === 'tool' ? 'user' : role,
          content: joinTextParts(content),
        })),
      },
    },
  }
  return { body: toJsonBytes(body), dropped: [...dropped] }
}

function reader() {
  return createStreamReader({
    findFailure,
    start: ({ header }) => startEvent(getMember(header, 'sid')),
    used: readUsage,
    say: (frame) => [...readContent(frame), ...readEnd(frame)],
  })
}

/** Reads a whole answer, which can only be a failure. */
function readReply(body: Uint8Array): ModelEvent[] {
  return [findFailure(asObject(parseJsonBytes(body)) ?? {}) ?? buildFailureEvent(502, UNREADABLE_ANSWER)]
}

function readContent({ payload }: JsonObject): ModelEvent[] {
  const [text] = asList(getMember(getMember(payload, 'choices'), 'text')) ?? []
  return [
    ...buildTextEvents(getMember(text, 'reasoning_content'), 'reasoning'),
    ...buildTextEvents(getMember(text, 'content')),
  ]
}

const readEnd = ({ header }: JsonObject): ModelEvent[] =>
  getMember(header, 'status') === LAST ? [finishEvent(), { type: 'end' }] : []

function readUsage({ payload }: JsonObject): ModelEvent[] {
  const usage = getMember(getMember(payload, 'usage'), 'text')
  return buildUsageEvents(getMember(usage, 'prompt_tokens'), getMember(usage, 'completion_tokens'))
}

/**
 * HTTP status by error code, as the vendor's Java kit explains the codes (github.com/iFLYTEK-OP/websdk-java-demo); 10313
 * is as in other gateways.
 */
const statuses: Record<number, number> = {
  10003: 400,
  10004: 400,
  10005: 400,
  10013: 400,
  10014: 400,
  10019: 400,
  10021: 400,
  10163: 400,
  10907: 400,
  10313: 401,
  11200: 401,
  10015: 403,
  10016: 403,
  10006: 429,
  10007: 429,
  11201: 429,
  11202: 429,
  11203: 429,
  10008: 503,
  10110: 503,
}

function findFailure({ header }: JsonObject): ModelEvent | undefined {
  const code = asFiniteNumber(getMember(header, 'code'))
  return code ? buildFailureEvent(statuses[code] ?? 502, getMember(header, 'message'), code) : undefined
}
