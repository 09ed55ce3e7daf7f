// Coze's bots (its page on starting a chat, v3, read in copies): converts the conversation and the events of the answer. Always
// streams, since whole answers would have to be polled.
import type { ContentPart, Message, ModelRequest, WrittenRequest } from '../model-request.ts'
import type { ModelEvent } from '../answers/model-event.ts'
import { toJsonBytes } from '../json/json-bytes.ts'
import type { JsonObject } from '../json/json-value.ts'
import { getMember, asFiniteNumber, asObject, parseJson, parseJsonBytes, asText } from '../json/json-value.ts'
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
  moveSystemPrompt,
} from './provider-only.ts'

/** User id for Coze's statistics if the caller sends none. */
const SOMEBODY = 'weir'

export const cozeChatDialect = createProviderDialect({
  name: 'coze-chat',
  writeModelRequest: writeRequest,
  reader,
  readWholeReply: readReply,
})

function writeRequest(request: ModelRequest): WrittenRequest {
  const { messages, user } = request
  const turns = messages.filter(({ role }) => role === 'user' || role === 'assistant')
  const dropped = new Set([
    ...listUnsupportedFields(request, ['user']),
    ...turns.flatMap(listNonTextParts).filter((name) => name !== 'image_url'),
  ])
  if (messages.some(({ role }) => role === 'tool')) dropped.add('tool_result')
  if (turns.some(({ content }) => content.some(isInline))) dropped.add('image_url')
  const body = {
    user_id: user ?? SOMEBODY,
    stream: true,
    auto_save_history: false,
    // Bots have their own system prompt.
    additional_messages: moveSystemPrompt(messages.filter(({ role }) => role !== 'tool')).map(writeMessage),
  }
  return { body: toJsonBytes(body), dropped: [...dropped] }
}

/** Is this an inline image? Coze requires files to be uploaded first. */
const isInline = (part: ContentPart): boolean => part.type === 'image' && part.url.startsWith('data:')

function writeMessage({ role, content }: Message): JsonObject {
  const who = { role, type: role === 'user' ? 'question' : 'answer' }
  const pictures = content.filter((part) => part.type === 'image' && !isInline(part))
  if (pictures.length === 0) return { ...who, content: joinTextParts(content), content_type: 'text' }
  const items = content.flatMap((part): JsonObject[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }]
    return part.type === 'image' && !isInline(part) ? [{ type: 'image', file_url: part.url }] : []
  })
  return { ...who, content: JSON.stringify(items), content_type: 'object_string' }
}

function reader() {
  return ({ event, data }: { event?: string; data: string }): ModelEvent[] => {
    if (event === 'done') return [{ type: 'end' }]
    const payload = asObject(parseJson(data)) ?? {}
    switch (event) {
      case 'conversation.chat.created':
        return [startEvent(payload.id)]
      case 'conversation.message.delta':
        return readDelta(payload)
      case 'conversation.chat.completed':
        return [finishEvent(), ...readUsage(payload)]
      case 'conversation.chat.failed':
      case 'conversation.chat.canceled':
        return [...readUsage(payload), readFailure(asObject(payload.last_error) ?? payload)]
      case 'conversation.chat.requires_action':
        return [
          buildFailureEvent(502, 'The bot wants a plugin to be run by its caller, which cannot be said in this format'),
        ]
      case 'error':
        return [...readUsage(payload), readFailure(payload)]
      default:
        return readUsage(payload)
    }
  }
}

/**
 * Returns the content of an event. Only answers are for the caller: bots also report their tool calls and suggested
 * questions.
 */
const readDelta = ({ type, content, reasoning_content }: JsonObject): ModelEvent[] =>
  type === 'answer' ? [...buildTextEvents(reasoning_content, 'reasoning'), ...buildTextEvents(content)] : []

const readUsage = ({ usage }: JsonObject): ModelEvent[] =>
  buildUsageEvents(getMember(usage, 'input_count'), getMember(usage, 'output_count'))

/** Reads an answer that is not a stream: a refusal with status 200. */
function readReply(body: Uint8Array): ModelEvent[] {
  return [readFailure(asObject(parseJsonBytes(body)) ?? {})]
}

/**
 * HTTP status by error code. The vendor's page of error codes was not found: 4100, 4101 (a wrong token, or one without
 * permission) and 700012006 are as users report them, 4011 and 4013 as in other gateways; 4000 and 4200 are unverified.
 */
const statuses: Record<number, number> = {
  4100: 401,
  700012006: 401,
  4101: 403,
  4011: 429,
  4013: 429,
  4000: 400,
  4200: 404,
}

function readFailure({ code, msg, message }: JsonObject): ModelEvent {
  const numericCode = asFiniteNumber(code) ?? null
  return buildFailureEvent((numericCode !== null && statuses[numericCode]) || 502, asText(msg) ?? message, numericCode)
}
