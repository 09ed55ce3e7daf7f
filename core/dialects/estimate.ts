// Rough token counts without a tokenizer: four ASCII characters are a token, other characters nearly one each.
import type { ReaderEvent } from './tool-calls/assembler.ts'

/** Fixed figures, in tokens (docs/billing.md, 12.2 and 12.3): nothing is downloaded to count it. */
export const IMAGE = 255
export const IMAGE_LOW = 85
export const AUDIO = 100
export const FILE = 5000
export const PER_MESSAGE = 3
export const PER_TOOL = 8
export const PRIMER = 3
/** Approximate overhead of each parallel tool call in addition to its text. */
export const PER_TOOL_CALL = 7

const encoder = new TextEncoder()
const scratch = new Uint8Array(64 * 1024)
/** Texts shorter than this are checked character by character. */
const SHORT = 64

/** ASCII has the same length in UTF-8 as in characters. The encoder checks this ten times as fast as a loop. */
function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += scratch.length) {
    const part = text.length <= scratch.length ? text : text.slice(at, at + scratch.length)
    const { read, written } = encoder.encodeInto(part, scratch)
    if (read !== part.length || written !== part.length) return false
  }
  return true
}

/** Tokens of a text, not rounded. */
export function textTokens(text: string): number {
  if (text.length > SHORT && isAscii(text)) return text.length / 4
  let wide = 0
  let low = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) low++
    // The second half of a surrogate pair is not a separate character.
    else if (unit < 0xdc00 || unit > 0xdfff) wide++
  }
  return low / 4 + wide * 0.9
}

/** Tokens of a JSON value: its texts and keys, and a token for each other leaf. */
export function valueTokens(value: unknown, depth = 0): number {
  if (typeof value === 'string') return textTokens(value) + 0.5
  if (typeof value !== 'object' || value === null) return 0.5
  // Deeper than any schema people write; a bound against a stack overflow.
  if (depth > 64) return 1
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + valueTokens(one, depth + 1), 0.5)
  let sum = 0.5
  for (const [key, member] of Object.entries(value)) sum += textTokens(key) + 0.75 + valueTokens(member, depth + 1)
  return sum
}

/**
 * Estimates the tokens of an event, not rounded: for a tool call its name and arguments, and the overhead of a call.
 */
export function eventTokens(event: ReaderEvent): number {
  if (event.type === 'tool_call') return PER_TOOL_CALL + textTokens(event.name ?? '') + textTokens(event.arguments)
  return 'text' in event ? textTokens(event.text) : 0
}
