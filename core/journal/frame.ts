// The format of a journal's files (docs/journal.md): a header, then frames, each with its length and a checksum. Frames
// are only appended, so a crash can tear only the last one. Frames that were changed later are found, reported and
// skipped.

/** The file signature and the version of the format. */
export const HEADER = Uint8Array.from([...'WEIRJRN'].map((letter) => letter.charCodeAt(0)).concat(1))
/**
 * The first bytes of each frame, so that reading finds the next frame after unreadable bytes. Each format version has
 * its own mark: a header of another version before these frames must have been changed.
 */
const MARK = Uint8Array.from([0xf7, 0x57, 0x4a, 0x52])
/** Mark, length and checksum, 4 bytes each. */
const HEAD = 12
/** Initial size of the buffer, in bytes: enough for most batches. */
const FIRST_BYTES = 256 * 1024

/** CRC-32 of bytes, as zlib computes it. With `before`, the checksum of the preceding bytes, it covers both. */
export type Checksum = (bytes: Uint8Array, before?: number) => number

/** Bytes of a file that cannot be read. `torn` if they are its last ones, as a crash leaves them. */
export interface JournalDamage {
  kind: 'torn' | 'changed'
  at: number
  bytes: number
}

export interface ReadFrames {
  /** In the order of writing. They share the memory of the file. */
  payloads: Uint8Array[]
  damage: JournalDamage[]
}

/** The error for a file that is not a journal of this version. `newer` if a later Weir wrote it. */
export class UnknownJournal extends Error {
  readonly newer: boolean

  constructor(newer: boolean) {
    super(newer ? 'it was written by a later version of Weir' : 'it is no journal of Weir')
    this.newer = newer
  }
}

/** Builds consecutive frames in a reused buffer. */
export class FrameWriter {
  readonly #checksum: Checksum
  readonly #text = new TextEncoder()
  #bytes = new Uint8Array(FIRST_BYTES)
  #length = 0

  constructor(checksum: Checksum) {
    this.#checksum = checksum
  }

  /** Starts over. The next frames overwrite the bytes that `written` returned. */
  begin(bytes: Uint8Array): void {
    this.#room(bytes.length)
    this.#bytes.set(bytes)
    this.#length = bytes.length
  }

  add(text: string): void {
    // No character takes more than three bytes.
    this.#room(this.#length + HEAD + text.length * 3)
    const at = this.#length
    const { written } = this.#text.encodeInto(text, this.#bytes.subarray(at + HEAD))
    const end = at + HEAD + written
    this.#bytes.set(MARK, at)
    const view = new DataView(this.#bytes.buffer)
    view.setUint32(at + 4, written)
    view.setUint32(at + 8, computeChecksum(this.#bytes.subarray(at, end), this.#checksum))
    this.#length = end
  }

  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  #room(length: number): void {
    if (length <= this.#bytes.length) return
    const larger = new Uint8Array(length * 2)
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}

/**
 * Returns all complete frames of a file, and its damage. A file without a complete header has no frames.
 * @throws UnknownJournal
 */
export function readFrames(bytes: Uint8Array, checksum: Checksum): ReadFrames {
  const damage: JournalDamage[] = []
  const payloads: Uint8Array[] = []
  const header = checkHeader(bytes, checksum)
  if (header === 'torn') return { payloads, damage: bytes.length > 0 ? [torn(bytes, 0)] : [] }
  if (header === 'changed') damage.push({ kind: 'changed', at: 0, bytes: HEADER.length })
  let at = HEADER.length
  while (at < bytes.length) {
    const payload = frameAt(bytes, at, checksum)
    if (payload) {
      payloads.push(payload)
      at += HEAD + payload.length
      continue
    }
    const next = nextFrame(bytes, at + 1, checksum)
    const end = next < 0 ? bytes.length : next
    const repaired = framedAs(bytes, at, end, checksum)
    if (repaired) {
      payloads.push(repaired)
      damage.push({ kind: 'changed', at, bytes: HEAD })
    } else damage.push(next < 0 && isBegun(bytes, at) ? torn(bytes, at) : { kind: 'changed', at, bytes: end - at })
    at = end
  }
  return { payloads, damage }
}

const torn = (bytes: Uint8Array, at: number): JournalDamage => ({ kind: 'torn', at, bytes: bytes.length - at })

/** Checks whether the rest of the file is the beginning of a frame, as a crash leaves it. */
function isBegun(bytes: Uint8Array, at: number): boolean {
  const rest = bytes.subarray(at)
  if (!MARK.every((byte, index) => index >= rest.length || rest[index] === byte)) return false
  return rest.length < HEAD || HEAD + lengthAt(bytes, at) > rest.length
}

const lengthAt = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset + at).getUint32(4)

/** @throws UnknownJournal */
function checkHeader(bytes: Uint8Array, checksum: Checksum): 'whole' | 'torn' | 'changed' {
  const version = HEADER.length - 1
  const begins = bytes.subarray(0, version).every((byte, index) => byte === HEADER[index])
  if (begins && bytes.length <= version) return 'torn'
  const written = bytes[version] ?? 0
  if (begins && written === HEADER[version]) return 'whole'
  if (nextFrame(bytes, HEADER.length, checksum) >= 0) return 'changed'
  throw new UnknownJournal(begins && written > (HEADER[version] ?? 0))
}

/**
 * Returns the payload of a frame whose end is known from the next frame, if only its mark or its length was changed.
 */
function framedAs(bytes: Uint8Array, at: number, end: number, checksum: Checksum): Uint8Array | null {
  const length = end - at - HEAD
  if (length < 0) return null
  const frame = bytes.slice(at, end)
  new DataView(frame.buffer).setUint32(4, length)
  const sum = new DataView(frame.buffer).getUint32(8)
  return sum === computeChecksum(frame, checksum) ? frame.subarray(HEAD) : null
}

/** Returns the payload of the frame that begins here, or null if none does. */
function frameAt(bytes: Uint8Array, at: number, checksum: Checksum): Uint8Array | null {
  if (at + HEAD > bytes.length || MARK.some((byte, index) => bytes[at + index] !== byte)) return null
  const end = at + HEAD + lengthAt(bytes, at)
  if (end > bytes.length) return null
  const frame = bytes.subarray(at, end)
  const sum = new DataView(bytes.buffer, bytes.byteOffset + at).getUint32(8)
  return sum === computeChecksum(frame, checksum) ? frame.subarray(HEAD) : null
}

/** Returns the offset of the next complete frame, or -1. */
function nextFrame(bytes: Uint8Array, from: number, checksum: Checksum): number {
  const [first = 0] = MARK
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1))
    if (frameAt(bytes, at, checksum)) return at
  return -1
}

/** Covers the length and the payload, so a changed length is found as well. */
const computeChecksum = (frame: Uint8Array, checksum: Checksum): number =>
  checksum(frame.subarray(HEAD), checksum(frame.subarray(4, 8)))
