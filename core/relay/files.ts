// Files that a call refers to and the provider does not fetch itself: each is fetched once per call, by the guarded
// client or the operator's worker, counted among the bytes of its caller, and sent as bytes. Placeholders stand for the
// bytes until the request is written.
import { type EncodedFile, type FileKind, inlineFileAddresses } from '../dialects/addresses.ts'
import type { CallerDialect } from '../dialects/dialect.ts'
import { toJsonBytes } from '../dialects/json/json-bytes.ts'
import { parseJsonBytes } from '../dialects/json/json-value.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { fail } from '../errors.ts'
import type { YieldToEventLoop } from '../ports/machine.ts'
import type { Random } from '../ports/random.ts'
import type { AbortSignalLike } from '../ports/clock.ts'
import type { UpstreamEndpoint } from '../providers/provider.ts'
import type { Settings } from '../settings/index.ts'
import type { Call } from './call.ts'
import { type FetchedFile, type FetchFile, fromBase64 } from './fetch-file.ts'

// Placeholders for the bytes of fetched files in a request. Formats read and write them like file contents, so that
// nothing large is parsed; the bytes are inserted at the end.

/** Unguessable, so that no caller can write a placeholder. A multiple of three letters has the same base64 anywhere. */
const SECRET_LETTERS = 24
/** Number of digits of a file number: three bytes, which base64 encodes as four letters. */
const NUMBER_LETTERS = 3
/** Base64 of bytes that are not UTF-8, so that a binary file is never taken for text. */
const NO_TEXT = '////'

/** Number of bytes that are inserted before the event loop gets a turn. */
const SLICE_BYTES = 1024 * 1024

const encoder = new TextEncoder()

export class FilePlaceholders {
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

const MIB = 1024 * 1024
const MOST_FILES = 16
const MOST_BYTES = 20 * MIB

/** Returns the kinds of files that must be sent to that endpoint as bytes. */
export function listInlinedKinds(endpoint: UpstreamEndpoint, dialect: CallerDialect): readonly FileKind[] {
  if (endpoint.inlines) return endpoint.inlines
  // The chat format has no field for a file's address, so an address of another format would be lost.
  return endpoint.dialect === openaiChat && dialect !== openaiChat ? FILES : NONE
}

const FILES: readonly FileKind[] = ['file']
const NONE: readonly FileKind[] = []

/** Matches a value that is an address; slashes may be escaped. */
const ADDRESS = /"https?:\\?\//i
const decoder = new TextDecoder()

export interface FilePorts {
  fetchFile: FetchFile
  random: Random
  /** Without it, large bodies are assembled in one turn of the event loop. */
  yieldToEventLoop?: YieldToEventLoop
}

type FileCall = Pick<Call, 'body' | 'caller' | 'bytes' | 'signal'>

/** The files of one call, shared by all its attempts. */
export class CallFiles {
  private readonly ports: FilePorts
  private readonly call: FileCall
  private readonly signal: AbortSignalLike
  private remaining: number
  private marks: FilePlaceholders | undefined
  /** Fetches by address. */
  private readonly fetched = new Map<string, Promise<EncodedFile>>()
  /** Marked bodies by the kinds of files that they contain as bytes. */
  private readonly bodies = new Map<string, Promise<Uint8Array>>()

  /** @param signal aborted when the files are no longer needed */
  constructor(
    ports: FilePorts,
    call: FileCall,
    settings: Pick<Settings, 'relay.max_body_megabytes'>,
    signal: AbortSignalLike,
  ) {
    this.ports = ports
    this.call = call
    this.remaining = settings['relay.max_body_megabytes'] * MIB
    this.signal = signal
  }

  /** Releases everything after a client disconnect, since no further attempt follows. */
  private release(): void {
    this.fetched.clear()
    this.bodies.clear()
    this.call.bytes?.end()
  }

  /**
   * Returns the call's body with placeholders instead of addresses; the same body if it refers to no files of these
   * kinds.
   * @throws GatewayError request.file, limit.bytes
   */
  markedBody(kinds: readonly FileKind[]): Promise<Uint8Array> {
    const key = kinds.join()
    const known = this.bodies.get(key) ?? this.markBody(kinds)
    this.bodies.set(key, known)
    return known
  }

  /** Inserts the files into a request that was made from a marked body. */
  fill(body: Uint8Array): Promise<Uint8Array> | Uint8Array {
    return this.marks ? this.marks.fill(body) : body
  }

  private async markBody(kinds: readonly FileKind[]): Promise<Uint8Array> {
    const { body } = this.call
    if (!ADDRESS.test(decoder.decode(body))) return body
    const request = parseJsonBytes(body)
    const places = new Map<string, number>()
    const urls = new Set<string>()
    inlineFileAddresses(request, (url, kind) => {
      places.set(url, (places.get(url) ?? 0) + 1)
      if (kinds.includes(kind)) urls.add(url)
      return undefined
    })
    if (urls.size === 0) return body
    if (urls.size > MOST_FILES) fail('request.file', { reason: `more than ${MOST_FILES} files` })
    const files = new Map<string, EncodedFile>()
    for (const [url, times] of places) {
      if (!urls.has(url)) continue
      const fetched = this.fetched.get(url) ?? this.fetch(url, times)
      this.fetched.set(url, fetched)
      files.set(url, await fetched)
    }
    return toJsonBytes(inlineFileAddresses(request, (url, kind) => (kinds.includes(kind) ? files.get(url) : undefined)))
  }

  /** Fetches a file. One that occurs several times is sent several times, and its bytes count as often. */
  private async fetch(url: string, times: number): Promise<EncodedFile> {
    if (this.fetched.size === 0) this.call.signal.addEventListener('abort', () => this.release(), { once: true })
    const file = await this.ports.fetchFile({
      url,
      user_id: this.call.caller.user.id,
      max_bytes: Math.min(MOST_BYTES, Math.floor(this.remaining / times)),
      count: (bytes) => {
        this.remaining -= bytes * times
        this.call.bytes?.take(bytes * times)
      },
      signal: this.signal,
    })
    this.marks ??= new FilePlaceholders(this.ports.random, this.ports.yieldToEventLoop)
    return { type: file.type, data: this.marks.add(file) }
  }
}
