// Ogg: each page contains the position in its stream; packets of Opus also contain their duration.
import { getTextAt, toDataView, type BufferedBytes, type SoundLength } from './bytes.ts'

interface Stream {
  /** Units of a page's position per second; 0 if the packets are counted instead. */
  rate: number
  last: number
  seconds: number
  /** True while the current packet continues from the page before. */
  open: boolean
  pages: number
  bytes: number
  lossless?: true
  /** Samples of Opus at the beginning that are not played. */
  preSkip: number
}

const HEAD = 27
const OPUS_RATE = 48_000
const MAX_TRIM_SECONDS = 0.25

export async function measureOgg(bytes: BufferedBytes): Promise<SoundLength | undefined> {
  const streams = new Map<number, Stream>()
  for (;;) {
    const head = await bytes.peek(HEAD)
    if (head.length < HEAD || getTextAt(head, 0, 4) !== 'OggS') break
    const view = toDataView(head)
    const position = Number(view.getBigInt64(6, true))
    const serial = view.getUint32(14, true)
    const lacing = Uint8Array.from((await bytes.peek(HEAD + (head[26] ?? 0))).subarray(HEAD))
    await bytes.skip(HEAD + lacing.length)
    const size = lacing.reduce((sum, part) => sum + part, 0)
    const page = await bytes.peek(size)
    const stream = streams.get(serial) ?? createStream(page)
    if (stream) {
      streams.set(serial, stream)
      if (stream.rate === 0) addPackets(stream, page, lacing)
      if (position > stream.last) stream.last = position
      stream.pages++
      stream.bytes += size
    }
    if (!(await bytes.skip(size))) break
  }
  const lengths = [...streams.values()].map(({ rate, last, seconds, bytes: size, lossless, preSkip }): SoundLength => ({
    seconds: rate > 0 ? last / rate : trimPackets(seconds, (last - preSkip) / OPUS_RATE),
    bytes: size,
    ...(lossless ? { lossless } : {}),
  }))
  return lengths.sort((a, b) => b.seconds - a.seconds)[0]
}

/** Returns the stated length if it is only slightly less than that of the packets, which may be trimmed a little at both ends. */
const trimPackets = (packets: number, stated: number): number =>
  stated > 0 && packets > stated && packets - stated < MAX_TRIM_SECONDS ? stated : packets

function createStream(page: Uint8Array): Stream | undefined {
  const stream = (rate: number): Stream => ({ rate, last: 0, seconds: 0, open: false, pages: 0, bytes: 0, preSkip: 0 })
  const view = toDataView(page)
  if (getTextAt(page, 0, 8) === 'OpusHead' && page.length >= 12) {
    return { ...stream(0), preSkip: view.getUint16(10, true) }
  }
  if (getTextAt(page, 1, 6) === 'vorbis' && page.length >= 16) return stream(view.getUint32(12, true))
  if (getTextAt(page, 0, 8) === 'Speex   ' && page.length >= 40) return stream(view.getUint32(36, true))
  // After the headers of the mapping and of the block: 20 bits of the rate, at offset ten.
  if (getTextAt(page, 1, 4) === 'FLAC' && page.length >= 30)
    return { ...stream(view.getUint32(27) >>> 12), lossless: true }
  return undefined
}

/** Adds the durations of packets. The first two are the header and the comments. */
function addPackets(stream: Stream, page: Uint8Array, lacing: Uint8Array): void {
  let at = 0
  for (const part of lacing) {
    if (!stream.open && stream.pages >= 1 && part > 0 && getTextAt(page, at, 8) !== 'OpusTags' && at < page.length) {
      stream.seconds += getOpusSeconds(page, at)
    }
    stream.open = part === 255
    at += part
  }
}

/** Returns the duration of a packet of Opus, which its first two bytes contain. */
export function getOpusSeconds(bytes: Uint8Array, at: number): number {
  const [first = 0, second = 0] = bytes.subarray(at, at + 2)
  const kind = first >> 3
  const ms = kind < 12 ? [10, 20, 40, 60][kind & 3] : kind < 16 ? [10, 20][kind & 1] : [2.5, 5, 10, 20][kind & 3]
  const frames = [1, 2, 2, second & 63][first & 3]
  return ((ms ?? 0) * (frames ?? 1)) / 1000
}
