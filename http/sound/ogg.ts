// Ogg: each page says how far its stream has come; of Opus the packets themselves say how long they are.
import { textAt, toDataView, type Bytes, type Length } from './bytes.ts'

interface Stream {
  /** What a second has, in the unit that pages tell; 0 where the packets are counted. */
  rate: number
  last: number
  seconds: number
  /** The packet that is under way went on from the page before. */
  open: boolean
  pages: number
  bytes: number
  lossless?: true
  /** Of Opus: samples that are not heard. */
  unheard: number
}

const HEAD = 27
const OPUS_RATE = 48_000
/** Seconds. */
const LONGEST_TRIM = 0.25

export async function oggLength(bytes: Bytes): Promise<Length | undefined> {
  const streams = new Map<number, Stream>()
  for (;;) {
    const head = await bytes.peek(HEAD)
    if (head.length < HEAD || textAt(head, 0, 4) !== 'OggS') break
    const view = toDataView(head)
    const come = Number(view.getBigInt64(6, true))
    const serial = view.getUint32(14, true)
    const lacing = Uint8Array.from((await bytes.peek(HEAD + (head[26] ?? 0))).subarray(HEAD))
    await bytes.skip(HEAD + lacing.length)
    const size = lacing.reduce((sum, part) => sum + part, 0)
    const page = await bytes.peek(size)
    const stream = streams.get(serial) ?? streamOf(page)
    if (stream) {
      streams.set(serial, stream)
      if (stream.rate === 0) addPackets(stream, page, lacing)
      if (come > stream.last) stream.last = come
      stream.pages++
      stream.bytes += size
    }
    if (!(await bytes.skip(size))) break
  }
  const lengths = [...streams.values()].map(({ rate, last, seconds, bytes: size, lossless, unheard }): Length => ({
    seconds: rate > 0 ? last / rate : trimmed(seconds, (last - unheard) / OPUS_RATE),
    bytes: size,
    ...(lossless ? { lossless } : {}),
  }))
  return lengths.sort((a, b) => b.seconds - a.seconds)[0]
}

/** The packets may have a little more than is to be heard, at both ends: no more than that is believed. */
const trimmed = (packets: number, told: number): number =>
  told > 0 && packets > told && packets - told < LONGEST_TRIM ? told : packets

function streamOf(page: Uint8Array): Stream | undefined {
  const stream = (rate: number): Stream => ({ rate, last: 0, seconds: 0, open: false, pages: 0, bytes: 0, unheard: 0 })
  const view = toDataView(page)
  if (textAt(page, 0, 8) === 'OpusHead' && page.length >= 12) {
    return { ...stream(0), unheard: view.getUint16(10, true) }
  }
  if (textAt(page, 1, 6) === 'vorbis' && page.length >= 16) return stream(view.getUint32(12, true))
  if (textAt(page, 0, 8) === 'Speex   ' && page.length >= 40) return stream(view.getUint32(36, true))
  // Behind the head of the mapping and of the block: 20 bits of the rate, ten bytes in.
  if (textAt(page, 1, 4) === 'FLAC' && page.length >= 30)
    return { ...stream(view.getUint32(27) >>> 12), lossless: true }
  return undefined
}

/** The first two packets are the head and the comments. */
function addPackets(stream: Stream, page: Uint8Array, lacing: Uint8Array): void {
  let at = 0
  for (const part of lacing) {
    if (!stream.open && stream.pages >= 1 && part > 0 && textAt(page, at, 8) !== 'OpusTags' && at < page.length) {
      stream.seconds += opusSeconds(page, at)
    }
    stream.open = part === 255
    at += part
  }
}

/** How long a packet of Opus is, by its first two bytes. */
export function opusSeconds(bytes: Uint8Array, at: number): number {
  const [first = 0, second = 0] = bytes.subarray(at, at + 2)
  const kind = first >> 3
  const ms = kind < 12 ? [10, 20, 40, 60][kind & 3] : kind < 16 ? [10, 20][kind & 1] : [2.5, 5, 10, 20][kind & 3]
  const frames = [1, 2, 2, second & 63][first & 3]
  return ((ms ?? 0) * (frames ?? 1)) / 1000
}
