// A chat prompt's tokens, roughly.
import { AUDIO, FILE, IMAGE, IMAGE_LOW, PER_MESSAGE, PER_TOOL, PRIMER, textTokens, valueTokens } from '../estimate.ts'
import { listIn, memberOf, objectIn, textIn, type JsonObject } from '../json-value.ts'

const PER_NAME = 1

/** Tokens of one part of a message's content. */
function partTokens(part: unknown): number {
  if (typeof part === 'string') return textTokens(part)
  switch (memberOf(part, 'type')) {
    case 'image_url':
      return memberOf(memberOf(part, 'image_url'), 'detail') === 'low' ? IMAGE_LOW : IMAGE
    case 'image':
    case 'input_image':
      return IMAGE
    case 'input_audio':
      return AUDIO
    case 'file':
    case 'video_url':
      return FILE
    default:
      return textTokens(textIn(memberOf(part, 'text')) ?? textIn(memberOf(part, 'refusal')) ?? '')
  }
}

function contentTokens(content: unknown): number {
  if (typeof content === 'string') return textTokens(content)
  return (listIn(content) ?? []).reduce<number>((sum, part) => sum + partTokens(part), 0)
}

function callTokens(call: unknown): number {
  const called = objectIn(memberOf(call, 'function')) ?? objectIn(call) ?? {}
  return textTokens(textIn(called.name) ?? '') + textTokens(textIn(called.arguments) ?? '')
}

function messageTokens(message: JsonObject): number {
  const name = textIn(message.name)
  return (
    PER_MESSAGE +
    1 + // the role's word
    (name ? PER_NAME + textTokens(name) : 0) +
    contentTokens(message.content) +
    textTokens(textIn(message.reasoning_content) ?? textIn(message.reasoning) ?? '') +
    (listIn(message.tool_calls) ?? []).reduce<number>((sum, call) => sum + callTokens(call), 0) +
    (message.function_call ? callTokens(message.function_call) : 0)
  )
}

function toolTokens(tool: unknown): number {
  const declared = objectIn(memberOf(tool, 'function')) ?? objectIn(tool) ?? {}
  const { name, description, parameters } = declared
  return (
    PER_TOOL + textTokens(textIn(name) ?? '') + textTokens(textIn(description) ?? '') + valueTokens(parameters ?? {})
  )
}

/** Tokens of a chat request's prompt, at least 1 (docs/billing.md, 12.2). */
export function promptEstimate(request: JsonObject): number {
  let sum = PRIMER
  for (const message of listIn(request.messages) ?? []) sum += messageTokens(objectIn(message) ?? {})
  for (const tool of listIn(request.tools) ?? listIn(request.functions) ?? []) sum += toolTokens(tool)
  return Math.max(1, Math.ceil(sum))
}
