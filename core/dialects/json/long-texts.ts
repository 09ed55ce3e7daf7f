// The long texts of a request. Most of an agent's turn is text that the gateway only measures, so a mark is parsed in
// place of each such text. Only ASCII texts with simple escapes under known names are left out: all others are parsed.
import { applyByteSplices, type ByteRange, skipBlanksBack, skipJsonString } from './json-bytes.ts'
import { decodeLatin1 } from './json-text.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a

/** A text with its quotes, and its length in characters. */
export interface LongText extends ByteRange {
  characters: number
}

/** Shorter texts are parsed. Longer ones have more than half as many characters. Unit: bytes. */
const SHORTEST = 256

/**
 * The members whose texts are only measured by every format: contents, and the inputs of well-known tools. No name may
 * hold an id, an address, a signature or a text that an answer repeats.
 */
const NAMES = (
  'content text thinking arguments input output command query prompt system file_text new_string old_string ' +
  'new_str old_str'
)
  .split(' ')
  .map((name) => new TextEncoder().encode(`"${name}"`))

/** Finds the long texts of a body, as its strings are skipped one after the other. */
export class LongTextScanner {
  readonly texts: LongText[] = []
  /** Could a text of the caller be taken for a mark? Its body is parsed without marks. */
  hasOtherMarks = false
  private readonly json: Uint8Array
  private readonly view: DataView

  constructor(json: Uint8Array) {
    this.json = json
    this.view = new DataView(json.buffer, json.byteOffset, json.length)
  }

  /**
   * Returns the index after a string that starts at `from`.
   * @param isMeasured note it if it is long
   * @throws GatewayError request.unreadable
   */
  skip(from: number, isMeasured: boolean): number {
    const { json, view } = this
    const last = json.length - 8
    let escapes = 0
    if (json[from + 1] === BACKSLASH && startsLikeMark(json, from + 2)) this.hasOtherMarks = true
    for (let at = from + 1; ;) {
      // Eight bytes at a time until one of them is a quote, a backslash, a control character or not ASCII.
      for (; at <= last; at += 8) {
        const special = findSpecial(view.getInt32(at, true))
        if (special !== 0) {
          at += getFirst(special)
          break
        }
        const next = findSpecial(view.getInt32(at + 4, true))
        if (next !== 0) {
          at += 4 + getFirst(next)
          break
        }
      }
      const byte = json[at]
      if (byte === QUOTE) {
        const end = at + 1
        if (isMeasured && end - from > SHORTEST && isNamed(json, from))
          this.texts.push({ start: from, end, characters: end - from - 2 - escapes })
        return end
      }
      if (byte === BACKSLASH && isSimpleEscape(json[at + 1])) {
        escapes++
        at += 2
      } else if (byte === undefined || byte === BACKSLASH || byte < 0x20 || byte >= 0x80) {
        return skipJsonString(json, at - 1)
      } else at++
    }
  }
}

/** Marks the bytes of a word that are special, at their highest bit; those above the first may be marked wrongly. */
const findSpecial = (word: number): number =>
  (word | (word - 0x20202020) | ((word ^ 0x22222222) - 0x01010101) | ((word ^ 0x5c5c5c5c) - 0x01010101)) & 0x80808080

const getFirst = (marks: number): number => (31 - Math.clz32(marks & -marks)) >> 3

/** Returns whether this is the second character of an escape for a single character. */
function isSimpleEscape(byte: number | undefined): boolean {
  switch (byte) {
    case QUOTE:
    case BACKSLASH:
    case 0x2f: // /
    case 0x62: // b
    case 0x66: // f
    case 0x6e: // n
    case 0x72: // r
    case 0x74: // t
      return true
    default:
      return false
  }
}

/** Is the text that starts at `from` the value of a member with one of the names? */
function isNamed(json: Uint8Array, from: number): boolean {
  const colon = skipBlanksBack(json, from) - 1
  if (json[colon] !== COLON) return false
  const end = skipBlanksBack(json, colon)
  return NAMES.some((name) => {
    const start = end - name.length
    // A key starts after a brace, a comma or a blank; a backslash would be part of a longer key.
    if (start < 1 || json[start - 1] === BACKSLASH) return false
    return name.every((byte, at) => json[start + at] === byte)
  })
}

/** A mark is a text of a backspace and a number. */
const MARK = 8
const encoder = new TextEncoder()

/** Returns the JSON with a mark in place of each value; the mark's number is the value's place in the list. */
export const putMarks = (json: Uint8Array, values: readonly ByteRange[]): Uint8Array =>
  applyByteSplices(
    json,
    values.map(({ start, end }, at) => ({ start, end, put: encoder.encode(`"\\b${at}"`) })),
  )

/** Returns the number of a mark; undefined if the value is not a text that begins like one. */
export const readMark = (value: unknown): number | undefined =>
  typeof value === 'string' && value.charCodeAt(0) === MARK ? Number(value.slice(1)) : undefined

/** Is the escape after this backslash a backspace? */
const startsLikeMark = (json: Uint8Array, at: number): boolean =>
  json[at] === 0x62 || (json[at] === 0x75 && json[at + 3] === 0x30 && json[at + 4] === 0x38)

/** The body whose marks are read at the moment. */
let marked: { json: Uint8Array; texts: readonly LongText[] } | undefined

/** Calls a function that reads a request with marks. It must not keep any of the marks. */
export function readWithMarks<T>(json: Uint8Array, texts: readonly LongText[], read: () => T): T {
  const before = marked
  marked = { json, texts }
  try {
    return read()
  } finally {
    marked = before
  }
}

const findText = (text: string): LongText | undefined => marked?.texts[readMark(text) ?? -1]

/** Returns the number of characters of the ASCII text that a mark replaces; undefined if the text is no mark. */
export const getMarkedLength = (text: string): number | undefined => findText(text)?.characters

/** Returns at least the first characters of a text, or of the text that it is the mark of. */
export function getTextStart(text: string, characters: number): string {
  const found = findText(text)
  if (!found || !marked) return text
  // An escape has two bytes; one that would be cut is left out.
  const end = Math.min(found.end - 1, found.start + 2 * characters + 2)
  const raw = decodeLatin1(marked.json.subarray(found.start + 1, end))
  let slash = raw.length
  while (raw[slash - 1] === '\\') slash--
  return JSON.parse(`"${(raw.length - slash) % 2 === 0 ? raw : raw.slice(0, -1)}"`) as string
}
