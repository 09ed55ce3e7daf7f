// WebM: recordings of browsers do not contain their length, so the blocks of the sound are read.
import { getOpusSeconds } from './ogg.ts'
import { getTextAt, toDataView, type BufferedBytes, type SoundLength } from './bytes.ts'

const SCALE = 0x2ad7b1
const CLUSTER_TIME = 0xe7
const TRACK_NUMBER = 0xd7
const TRACK_TYPE = 0x83
const CODEC = 0x86
/** The type of a track of sound. */
const SOUND = 2
/** Elements whose contents are read: segment, info, tracks, track, cluster, block group. */
const INSIDE = new Set([0x18538067, 0x1549a966, 0x1654ae6b, 0xae, 0x1f43b675, 0xa0])
/** A block, and a simple block without a group. */
const BLOCKS = new Set([0xa1, 0xa3])
const NS = 1e9

interface Track {
  type: number
  opus: boolean
  /** Times of its first, its last but one and its last block, in units of the file. */
  first?: number
  before: number
  last: number
  /** Duration by the packets of Opus. */
  seconds: number
  bytes: number
}

export const isWebm = (head: Uint8Array): boolean => getTextAt(head, 0, 4) === '\x1aE\xdf\xa3'

export async function measureWebm(bytes: BufferedBytes): Promise<SoundLength | undefined> {
  const tracks = new Map<number, Track>()
  let scale = 1_000_000
  let cluster = 0
  let number = 0
  const getTrack = (at: number): Track => {
    const known = tracks.get(at) ?? { type: 0, opus: false, before: 0, last: 0, seconds: 0, bytes: 0 }
    tracks.set(at, known)
    return known
  }

  for (;;) {
    const head = await bytes.peek(12)
    const id = numberAt(head, 0, true)
    const size = id && numberAt(head, id.length, false)
    if (!id || !size) break
    await bytes.skip(id.length + size.length)
    if (INSIDE.has(id.value)) continue
    const start = await bytes.peek(Math.min(16, size.value))
    if (id.value === SCALE) scale = toInteger(start)
    else if (id.value === CLUSTER_TIME) cluster = toInteger(start)
    else if (id.value === TRACK_NUMBER) number = toInteger(start)
    else if (id.value === TRACK_TYPE) getTrack(number).type = toInteger(start)
    else if (id.value === CODEC) getTrack(number).opus = getTextAt(start, 0, 6) === 'A_OPUS'
    else if (BLOCKS.has(id.value)) addBlock(getTrack(numberAt(start, 0, false)?.value ?? 0), start, cluster, size.value)
    if (size.unknown || !(await bytes.skip(size.value))) break
  }
  const sounds = [...tracks.values()].filter(({ type, bytes: count }) => type === SOUND && count > 0)
  return sounds.map((track) => toLength(track, scale)).sort((a, b) => b.seconds - a.seconds)[0]
}

function addBlock(track: Track, block: Uint8Array, cluster: number, size: number): void {
  const named = numberAt(block, 0, false)?.length ?? 1
  if (block.length < named + 4) return
  const time = cluster + toDataView(block).getInt16(named)
  track.bytes += size
  track.first ??= time
  if (time > track.last) [track.before, track.last] = [track.last, time]
  if (track.opus) track.seconds += getOpusSeconds(block, named + 3)
}

/** Computes the length of a track. The last block counts as long as the one before it. */
function toLength({ opus, seconds, first = 0, before, last, bytes }: Track, scale: number): SoundLength {
  return { seconds: opus ? seconds : ((last - first + (last - before)) * scale) / NS, bytes }
}

/** Parses a number of one to eight bytes; the first contains the length. In a name the mark of the length is part of the value. */
function numberAt(bytes: Uint8Array, at: number, isName: boolean) {
  const first = bytes[at] ?? 0
  const length = Math.clz32(first) - 23
  if (first === 0 || length > 8 || at + length > bytes.length) return undefined
  let value = isName ? first : first & (0xff >> length)
  let unknown = !isName && value === 0xff >> length
  for (const next of bytes.subarray(at + 1, at + length)) {
    value = value * 256 + next
    unknown &&= next === 0xff
  }
  return { value, length, unknown }
}

const toInteger = (bytes: Uint8Array): number => bytes.subarray(0, 8).reduce((sum, byte) => sum * 256 + byte, 0)
