// Placeholders for the bytes of fetched files in a request. Formats read and write them like file contents, so that
// nothing large is parsed; the bytes are inserted at the end.
import type { YieldToEventLoop } from '../ports/later.ts'
import type { Random } from '../ports/random.ts'
import { fromBase64, type FetchedFile } from './fetch-file.ts'

/** Unguessable, so that no caller can write a placeholder. A multiple of three letters has the same base64 anywhere. */
const SECRET_LETTERS = 24
/** Number of digits of a file number: three bytes, which base64 encodes as four letters. */
const NUMBER_LETTERS = 3
/** Base64 of bytes that are not UTF-8, so that a binary file is never taken for text. */
const NO_TEXT = '////'

/** Number of bytes that are inserted before the event loop gets a turn. */
const SLICE_BYTES = 1024 * 1024

const encoder = new TextEncoder()

export class FileMarks {
  private readonly secret: string
  private readonly encoded: string
  private readonly files: FetchedFile[] = []
  private readonly yieldNow: YieldToEventLoop | undefined

  constructor(random: Random, yieldNow: YieldToEventLoop | undefined) {
    this.secret = random.text(SECRET_LETTERS)
    this.encoded = btoa(this.secret)
    this.yieldNow = yieldNow
  }

  /** Returns the placeholder of a file, as base64. */
  add(file: FetchedFile): string {
    const number = String(this.files.push(file) - 1).padStart(NUMBER_LETTERS, '0')
    return (file.is_text ? '' : NO_TEXT) + btoa(this.secret + number)
  }

  /**
   * Returns the JSON text with the files in place of their placeholders, as base64 or (if a format has decoded it) as
   * text.
   */
  async fill(body: Uint8Array): Promise<Uint8Array> {
    const pieces = this.files.length > 0 ? this.split(body) : [body]
    return pieces.length === 1 ? body : joinInSlices(pieces, this.yieldNow)
  }

  private split(body: Uint8Array): Uint8Array[] {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
    const pieces: Uint8Array[] = []
    const readNumber = (at: number, length: number) => bytes.toString('latin1', at, at + length)
    let from = 0
    let encoded = bytes.indexOf(this.encoded, 0, 'latin1')
    let plain = bytes.indexOf(this.secret, 0, 'latin1')
    while (encoded >= 0 || plain >= 0) {
      if (encoded >= 0 && (plain < 0 || encoded < plain)) {
        const number = encoded + this.encoded.length
        const end = number + (NUMBER_LETTERS / 3) * 4
        const file = this.files[Number(atob(readNumber(number, end - number)))]!
        pieces.push(bytes.subarray(from, file.is_text ? encoded : encoded - NO_TEXT.length), ...file.base64)
        encoded = bytes.indexOf(this.encoded, (from = end), 'latin1')
      } else {
        const number = plain + this.secret.length
        const end = number + NUMBER_LETTERS
        const file = this.files[Number(readNumber(number, NUMBER_LETTERS))]!
        pieces.push(bytes.subarray(from, plain), ...encodeAsText(file))
        plain = bytes.indexOf(this.secret, (from = end), 'latin1')
      }
    }
    pieces.push(bytes.subarray(from))
    return pieces
  }
}

/** Encodes a file as the inside of a JSON string. */
function* encodeAsText({ base64 }: FetchedFile): Generator<Uint8Array> {
  const decoder = new TextDecoder()
  const escapeJson = (text: string) => encoder.encode(JSON.stringify(text).slice(1, -1))
  for (const part of base64) yield escapeJson(decoder.decode(fromBase64(part), { stream: true }))
  yield escapeJson(decoder.decode())
}

async function joinInSlices(
  pieces: readonly Uint8Array[],
  yieldNow: YieldToEventLoop | undefined,
): Promise<Uint8Array> {
  const whole = Buffer.allocUnsafe(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  let turn = 0
  for (const piece of pieces) {
    for (let from = 0; from < piece.length; from += SLICE_BYTES) {
      const slice = piece.subarray(from, from + SLICE_BYTES)
      whole.set(slice, at)
      at += slice.length
      turn += slice.length
      if (turn < SLICE_BYTES) continue
      turn = 0
      await yieldNow?.()
    }
  }
  return whole
}
