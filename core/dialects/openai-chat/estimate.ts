// Estimates a chat prompt's tokens.
import { AUDIO, FILE, IMAGE, IMAGE_LOW, PER_MESSAGE, PER_TOOL, PRIMER, textTokens, valueTokens } from '../estimate.ts'
import { asList, getMember, asObject, asText, type JsonObject } from '../json-value.ts'

const PER_NAME = 1

/** Returns the tokens of one part of a message's content. */
function partTokens(part: unknown): number {
  if (typeof part === 'string') return textTokens(part)
  switch (getMember(part, 'type')) {
    case 'image_url':
      return getMember(getMember(part, 'image_url'), 'detail') === 'low' ? IMAGE_LOW : IMAGE
    case 'image':
    case 'input_image':
      return IMAGE
    case 'input_audio':
      return AUDIO
    case 'file':
    case 'video_url':
      return FILE
    default:
      return textTokens(asText(getMember(part, 'text')) ?? asText(getMember(part, 'refusal')) ?? '')
  }
}

function contentTokens(content: unknown): number {
  if (typeof content === 'string') return textTokens(content)
  return (asList(content) ?? []).reduce<number>((sum, part) => sum + partTokens(part), 0)
}

function callTokens(call: unknown): number {
  const called = asObject(getMember(call, 'function')) ?? asObject(call) ?? {}
  return textTokens(asText(called.name) ?? '') + textTokens(asText(called.arguments) ?? '')
}

function messageTokens(message: JsonObject): number {
  const name = asText(message.name)
  return (
    PER_MESSAGE +
    1 + // the role
    (name ? PER_NAME + textTokens(name) : 0) +
    contentTokens(message.content) +
    textTokens(asText(message.reasoning_content) ?? asText(message.reasoning) ?? '') +
    (asList(message.tool_calls) ?? []).reduce<number>((sum, call) => sum + callTokens(call), 0) +
    (message.function_call ? callTokens(message.function_call) : 0)
  )
}

function toolTokens(tool: unknown): number {
  const declared = asObject(getMember(tool, 'function')) ?? asObject(tool) ?? {}
  const { name, description, parameters } = declared
  return (
    PER_TOOL + textTokens(asText(name) ?? '') + textTokens(asText(description) ?? '') + valueTokens(parameters ?? {})
  )
}

/** Estimates the prompt tokens of a chat request, at least 1 (docs/billing.md, 12.2). */
export function promptEstimate(request: JsonObject): number {
  let sum = PRIMER
  for (const message of asList(request.messages) ?? []) sum += messageTokens(asObject(message) ?? {})
  for (const tool of asList(request.tools) ?? asList(request.functions) ?? []) sum += toolTokens(tool)
  return Math.max(1, Math.ceil(sum))
}
