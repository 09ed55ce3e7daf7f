// Dify's chat apps ("Send Chat Message" in langgenius/dify-docs: en/api-reference/openapi_chat.json): converts the
// conversation to a question with its history, and the events of the answer. Always streams, since agents support
// nothing else.
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
} from './provider-only.ts'

/** User id for Dify's statistics if the caller sends none. */
const SOMEBODY = 'weir'

export const difyChatDialect = createProviderDialect({
  name: 'dify-chat',
  writeModelRequest: writeRequest,
  reader,
  readWholeReply: readReply,
})

function writeRequest(request: ModelRequest): WrittenRequest {
  const { messages, user } = request
  const turns = messages.filter(({ role }) => role !== 'tool')
  const dropped = new Set([
    ...listUnsupportedFields(request, ['user']),
    ...turns.flatMap(listNonTextParts).filter((name) => name !== 'image_url'),
  ])
  if (turns.length < messages.length) dropped.add('tool_result')
  const pictures = turns.flatMap(({ content }) => content.filter((part) => part.type === 'image'))
  // Dify requires inline images to be uploaded first, as files.
  if (pictures.some(({ url }) => url.startsWith('data:'))) dropped.add('image_url')
  const body = {
    inputs: {},
    query: buildQuestion(turns),
    response_mode: 'streaming',
    user: user ?? SOMEBODY,
    conversation_id: '',
    auto_generate_name: false,
    files: pictures.flatMap(writeFile),
  }
  return { body: toJsonBytes(body), dropped: [...dropped] }
}

/** Builds the question with the history before it: the app stores no conversation of ours. */
function buildQuestion(messages: readonly Message[]): string {
  const [only] = messages
  if (only && messages.length === 1 && only.role === 'user') return joinTextParts(only.content)
  return messages.map(({ role, content }) => `${role.toUpperCase()}:\n${joinTextParts(content)}\n`).join('')
}

const writeFile = ({ url }: Extract<ContentPart, { type: 'image' }>): JsonObject[] =>
  url.startsWith('data:') ? [] : [{ type: 'image', transfer_method: 'remote_url', url }]

function reader() {
  let started = false
  let replaced = false
  return (frame: { data: string }): ModelEvent[] => {
    const event = asObject(parseJson(frame.data))
    if (!event) return []
    const used = readUsage(event)
    if (event.event === 'error') return [...used, readFailure(event)]
    const opening = started || !asText(event.message_id) ? [] : [readStart(event)]
    started ||= opening.length > 0
    switch (event.event) {
      case 'message':
      case 'agent_message':
        return [...opening, ...buildTextEvents(event.answer)]
      case 'message_replace':
        // The app's moderation replaces its answer: text already sent cannot be withdrawn, so the replacement follows
        // it.
        replaced = true
        return [...opening, ...buildTextEvents(event.answer, 'refusal')]
      case 'message_end':
        return [...opening, finishEvent(replaced ? 'content_filter' : 'stop'), ...used, { type: 'end' }]
      default:
        return [...opening, ...used]
    }
  }
}

function readReply(body: Uint8Array): ModelEvent[] {
  const answer = asObject(parseJsonBytes(body))
  if (!answer || typeof answer.answer !== 'string') return [...readUsage(answer ?? {}), readFailure(answer ?? {})]
  return [readStart(answer), ...buildTextEvents(answer.answer), finishEvent(), ...readUsage(answer), { type: 'end' }]
}

const readStart = ({ message_id, created_at }: JsonObject): ModelEvent => startEvent(message_id, created_at)

function readUsage({ metadata }: JsonObject): ModelEvent[] {
  const usage = getMember(metadata, 'usage')
  return buildUsageEvents(getMember(usage, 'prompt_tokens'), getMember(usage, 'completion_tokens'))
}

function readFailure({ status, code, message }: JsonObject): ModelEvent {
  const httpStatus = asFiniteNumber(status)
  return buildFailureEvent(
    httpStatus && httpStatus >= 400 && httpStatus <= 599 ? httpStatus : 502,
    message,
    asText(code) ?? null,
  )
}
