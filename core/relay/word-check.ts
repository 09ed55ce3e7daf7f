// Refuses prompts that contain words of the operator's list. Costs nothing without words, and little with few.
import { AhoCorasick } from '@monyone/aho-corasick'
import type { CallerDialect } from '../dialects/dialect.ts'
import { isPlainBody } from '../dialects/requests/measured-body.ts'
import { decodeBodyText } from '../dialects/requests/request-body.ts'
import type { RequestPlace } from '../dialects/model-request.ts'
import { fail } from '../errors.ts'
import type { Settings } from '../settings/index.ts'

/** Returns true if the text, in lower case, contains a word of the list. */
type Matcher = (text: string) => boolean

/** Up to this number of words, separate searches are faster than an automaton. */
const FEW = 8
const ASCII = /^[ -~]*$/
const decoder = new TextDecoder()

type WordSettings = Pick<Settings, 'CheckSensitiveEnabled' | 'CheckSensitiveOnPromptEnabled' | 'SensitiveWords'>

/** @throws GatewayError words.sensitive */
export type WordCheck = (
  call: { body: Uint8Array; inbound: CallerDialect; place?: RequestPlace },
  settings: WordSettings,
) => void

/** Keeps the last list, so that it is prepared only once. */
export function createWordCheck(): WordCheck {
  let list = ''
  let matcher: Matcher | undefined
  let pattern: RegExp | undefined
  /** True if all words appear unchanged in JSON, unless the text has escapes. */
  let plain = true
  /** Searches ASCII bytes for few words; undefined if there are more, or others. */
  let search: ((bytes: Uint8Array) => boolean) | undefined

  function prepare(text: string): void {
    list = text
    const words = [...new Set(text.split('\n').map((line) => line.trim().toLowerCase()))].filter((word) => word !== '')
    plain = words.every((word) => JSON.stringify(word) === `"${word}"` && !word.includes('/'))
    matcher = words.length === 0 ? undefined : createMatcher(words)
    const areFew = words.length <= FEW && words.every((word) => ASCII.test(word))
    pattern = areFew ? buildPattern(words) : undefined
    search = areFew && words.length > 0 ? createByteSearch(words) : undefined
  }

  return function check({ body, inbound, place }, settings) {
    if (!settings.CheckSensitiveEnabled || !settings.CheckSensitiveOnPromptEnabled) return
    if (settings.SensitiveWords !== list) prepare(settings.SensitiveWords)
    if (!matcher) return
    // Nearly every body contains no word anywhere, and then its texts need not be extracted.
    if (plain && search && isPlainBody(body) && !search(body)) return
    const text = decodeBodyText(body) ?? decoder.decode(body)
    const isAscii = text.length === body.length
    if (plain && isAscii && pattern && !text.includes('\\u') && !pattern.test(text)) return
    const raw = text.toLowerCase()
    if (plain && !raw.includes('\\u') && !matcher(raw)) return
    if (extractTexts(inbound, body, place, raw).some(matcher)) fail('words.sensitive')
  }
}

/** Builds a case-insensitive pattern: for ASCII this needs no lower-case copy of the text. */
const buildPattern = (words: string[]): RegExp =>
  // oxlint-disable-next-line weir/no-pattern-of-text -- the operator's words, escaped
  new RegExp(words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|'), 'i')

/**
 * Creates a search for words in ASCII bytes of any case, by Horspool's algorithm: it looks at one byte in the length of the
 * shortest word, and does not decode the bytes.
 */
function createByteSearch(words: string[]): (bytes: Uint8Array) => boolean {
  const codes = words.map((word) => Uint8Array.from(word, (letter) => letter.charCodeAt(0)))
  const shortest = Math.min(...codes.map(({ length }) => length))
  /** How far the search moves on from a byte at the end of its window. */
  const shifts = new Uint32Array(256).fill(shortest)
  for (const code of codes) {
    for (let at = 0; at < shortest; at++) {
      const shift = shortest - 1 - at
      for (const byte of [code[at]!, toUpperByte(code[at]!)]) shifts[byte] = Math.min(shifts[byte]!, shift)
    }
  }
  const isAt = (bytes: Uint8Array, start: number) => (code: Uint8Array) =>
    code.every((byte, at) => bytes[start + at] === byte || bytes[start + at] === toUpperByte(byte))
  return (bytes) => {
    for (let end = shortest - 1; end < bytes.length;) {
      const shift = shifts[bytes[end]!]!
      if (shift > 0) end += shift
      else if (codes.some(isAt(bytes, end - shortest + 1))) return true
      else end++
    }
    return false
  }
}

const toUpperByte = (byte: number): number => (byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte)

function createMatcher(words: string[]): Matcher {
  if (words.length <= FEW) return (text) => words.some((word) => text.includes(word))
  const automaton = new AhoCorasick(words)
  return (text) => automaton.hasKeywordInText(text)
}

/** Returns the texts of a prompt in lower case; the whole body if the dialect cannot parse it. */
function extractTexts(
  dialect: CallerDialect,
  body: Uint8Array,
  place: RequestPlace | undefined,
  raw: string,
): string[] {
  try {
    if (dialect.operation !== 'chat') {
      const texts = dialect.texts(body)
      return texts.length > 0 ? texts.map((text) => text.toLowerCase()) : [raw]
    }
    const { messages } = dialect.readModelRequest(body, place)
    const parts = messages.flatMap(({ content }) => content)
    return parts.flatMap((part) => (part.type === 'text' ? [part.text.toLowerCase()] : []))
  } catch {
    return [raw]
  }
}
