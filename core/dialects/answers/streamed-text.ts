// The text of an answer so far, used to convert citation ranges: some formats count characters, others bytes. All of it
// is retained, because a citation may come at the end.
import type { TextRange } from './model-event.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const countBytes = (text: string): number => encoder.encode(text).length

export class StreamedText {
  private text = ''

  add(more: string): void {
    this.text += more
  }

  /** Returns the text of a range (UTF-16). */
  words({ start, end }: TextRange): string {
    return this.text.slice(start, end)
  }

  /** Converts a range of characters to one of bytes. */
  bytesOf({ start, end }: TextRange): TextRange {
    const before = countBytes(this.text.slice(0, start))
    return { start: before, end: before + countBytes(this.text.slice(start, end)) }
  }

  /**
   * Converts a range of bytes to one of characters. If the quoted text is given, it takes precedence over the numbers,
   * which some servers count from the start of a part; undefined if there is no such range.
   */
  ofBytes({ start, end }: TextRange, words?: string): TextRange | undefined {
    const bytes = encoder.encode(this.text)
    const from = decoder.decode(bytes.subarray(0, start)).length
    const found = decoder.decode(bytes.subarray(start, end))
    if (words === undefined || found === words) return end <= bytes.length ? toRange(from, found.length) : undefined
    return toRange(this.text.indexOf(words), words.length)
  }
}

const toRange = (start: number, length: number): TextRange | undefined =>
  start < 0 || length === 0 ? undefined : { start, end: start + length }
