// The text of an answer as far as it is said, for the places that sources name in it: some formats count letters, others
// bytes. Kept whole, because a source may come behind all of it.
import type { TextRange } from './model-event.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const bytesIn = (text: string): number => encoder.encode(text).length

export class SaidText {
  private text = ''

  add(more: string): void {
    this.text += more
  }

  /** The letters in a range (UTF-16). */
  words({ start, end }: TextRange): string {
    return this.text.slice(start, end)
  }

  /** A range of letters as one of bytes. */
  bytesOf({ start, end }: TextRange): TextRange {
    const before = bytesIn(this.text.slice(0, start))
    return { start: before, end: before + bytesIn(this.text.slice(start, end)) }
  }

  /**
   * A range of bytes as one of letters. Where the words in it are told, they say more than the numbers, which some count
   * from the beginning of a part; undefined where there is no such place.
   */
  ofBytes({ start, end }: TextRange, words?: string): TextRange | undefined {
    const bytes = encoder.encode(this.text)
    const from = decoder.decode(bytes.subarray(0, start)).length
    const said = decoder.decode(bytes.subarray(start, end))
    if (words === undefined || said === words) return end <= bytes.length ? rangeOf(from, said.length) : undefined
    return rangeOf(this.text.indexOf(words), words.length)
  }
}

const rangeOf = (start: number, length: number): TextRange | undefined =>
  start < 0 || length === 0 ? undefined : { start, end: start + length }
