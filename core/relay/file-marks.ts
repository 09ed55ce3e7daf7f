// Marks that stand in a request where the bytes of fetched files go. Formats read and write the marks as they would the bytes,
// so that nothing large is parsed, and the bytes are put in at the end.
import type { YieldToEventLoop } from '../ports/later.ts'
import type { Random } from '../ports/random.ts'
import { fromBase64, type FetchedFile } from './fetch-file.ts'

/** Unguessable, so that no caller writes a mark; a multiple of three letters, which base64 spells alike anywhere. */
const SECRET_LETTERS = 24
/** Digits of a file's number: as many as three bytes, which four letters spell. */
const NUMBER_LETTERS = 3
/** Decodes to no UTF-8: what is no text is never taken for one. */
const NO_TEXT = '////'

/** So many bytes are put in before others have their turn. */
const SLICE_BYTES = 1024 * 1024

const encoder = new TextEncoder()

export class FileMarks {
  private readonly secret: string
  private readonly encoded: string
  private readonly files: FetchedFile[] = []
  private readonly later: YieldToEventLoop | undefined

  constructor(random: Random, later: YieldToEventLoop | undefined) {
    this.secret = random.text(SECRET_LETTERS)
    this.encoded = btoa(this.secret)
    this.later = later
  }

  /** The mark of a file, as base64. */
  add(file: FetchedFile): string {
    const number = String(this.files.push(file) - 1).padStart(NUMBER_LETTERS, '0')
    return (file.is_text ? '' : NO_TEXT) + btoa(this.secret + number)
  }

  /** The JSON text with the files in place of their marks, in base64 or (where a format has decoded it) as text. */
  async fill(body: Uint8Array): Promise<Uint8Array> {
    const pieces = this.files.length > 0 ? this.split(body) : [body]
    return pieces.length === 1 ? body : joinInSlices(pieces, this.later)
  }

  private split(body: Uint8Array): Uint8Array[] {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
    const pieces: Uint8Array[] = []
    const numberBehind = (at: number, length: number) => bytes.toString('latin1', at, at + length)
    let from = 0
    let encoded = bytes.indexOf(this.encoded, 0, 'latin1')
    let plain = bytes.indexOf(this.secret, 0, 'latin1')
    while (encoded >= 0 || plain >= 0) {
      if (encoded >= 0 && (plain < 0 || encoded < plain)) {
        const number = encoded + this.encoded.length
        const end = number + (NUMBER_LETTERS / 3) * 4
        const file = this.files[Number(atob(numberBehind(number, end - number)))]!
        pieces.push(bytes.subarray(from, file.is_text ? encoded : encoded - NO_TEXT.length), ...file.base64)
        encoded = bytes.indexOf(this.encoded, (from = end), 'latin1')
      } else {
        const number = plain + this.secret.length
        const end = number + NUMBER_LETTERS
        const file = this.files[Number(numberBehind(number, NUMBER_LETTERS))]!
        pieces.push(bytes.subarray(from, plain), ...textOf(file))
        plain = bytes.indexOf(this.secret, (from = end), 'latin1')
      }
    }
    pieces.push(bytes.subarray(from))
    return pieces
  }
}

/** A file as the inside of a JSON text. */
function* textOf({ base64 }: FetchedFile): Generator<Uint8Array> {
  const decoder = new TextDecoder()
  const quoted = (text: string) => encoder.encode(JSON.stringify(text).slice(1, -1))
  for (const part of base64) yield quoted(decoder.decode(fromBase64(part), { stream: true }))
  yield quoted(decoder.decode())
}

async function joinInSlices(pieces: readonly Uint8Array[], later: YieldToEventLoop | undefined): Promise<Uint8Array> {
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
      await later?.()
    }
  }
  return whole
}
