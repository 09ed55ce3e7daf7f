// Rough token counts without a tokenizer: four ASCII characters are a token, other characters nearly one each.
import { listIn, memberOf, objectIn, textIn, type JsonObject } from '../json-value.ts'

/** Fixed figures, in tokens (billing reference, sections 12.2 and 12.3): nothing is downloaded to be counted. */
const IMAGE = 255
const IMAGE_LOW = 85
const AUDIO = 100
const FILE = 5000
const PER_MESSAGE = 3
const PER_NAME = 1
const PER_TOOL = 8
const PRIMER = 3

/** Tokens of a text, not rounded. */
export function textTokens(text: string): number {
  let wide = 0
  let low = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) low++
    // The second half of a pair is no character of its own.
    else if (unit < 0xdc00 || unit > 0xdfff) wide++
  }
  return low / 4 + wide * 0.9
}

/** Tokens of a JSON value: its texts and keys, and a token for each other leaf. */
function valueTokens(value: unknown, depth = 0): number {
  if (typeof value === 'string') return textTokens(value) + 0.5
  if (typeof value !== 'object' || value === null) return 0.5
  // Deeper than any schema people write; a bound against a stack overflow.
  if (depth > 64) return 1
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + valueTokens(one, depth + 1), 0.5)
  let sum = 0.5
  for (const [key, member] of Object.entries(value)) sum += textTokens(key) + 0.75 + valueTokens(member, depth + 1)
  return sum
}

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

/** Tokens of a chat request's prompt, at least 1 (billing reference, section 12.2). */
export function promptEstimate(request: JsonObject): number {
  let sum = PRIMER
  for (const message of listIn(request.messages) ?? []) sum += messageTokens(objectIn(message) ?? {})
  for (const tool of listIn(request.tools) ?? listIn(request.functions) ?? []) sum += toolTokens(tool)
  return Math.max(1, Math.ceil(sum))
}
