// MP4 and M4A: the tables of the tracks contain the number and the durations of the samples of sound.
import { getTextAt, toDataView, type BufferedBytes, type SoundLength } from './bytes.ts'

/** Maximum size of the tables, in bytes. */
const MAX_TABLES = 16 * 1024 * 1024
const HOLDERS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'moof', 'traf', 'mvex'])

interface Track {
  sound: boolean
  /** Time units per second. */
  scale: number
  units: number
  samples: number
  bytes: number
  /** Sampling rate of AAC, whose samples have a fixed length of 1024 at this rate; undefined for other codecs. */
  aac?: number
}

/** Default duration and size of the samples of a fragment or a track. */
interface Usual {
  duration: number
  size: number
}

export const isMp4 = (head: Uint8Array): boolean => getTextAt(head, 4, 4) === 'ftyp'

/** Measures a file. @param size of the file, in bytes */
export async function measureMp4(bytes: BufferedBytes, size: number): Promise<SoundLength | undefined> {
  const tracks = new Map<number, Track>()
  const usual = new Map<number, Usual>()
  let sound = 0
  for (;;) {
    const head = await bytes.peek(16)
    if (head.length < 8) break
    const view = toDataView(head)
    const stated = view.getUint32(0)
    const wide = stated === 1 && head.length === 16
    const length = wide ? Number(view.getBigUint64(8)) : stated === 0 ? size - bytes.at : stated
    const name = getTextAt(head, 4, 4)
    if (length < 8) break
    if (name === 'mdat') sound += Math.min(length, size - bytes.at)
    if ((name === 'moov' || name === 'moof') && length <= MAX_TABLES) {
      boxes((await bytes.peek(length)).subarray(8), { id: 0, tracks, usual })
    }
    if (!(await bytes.skip(length))) break
  }
  const soundTracks = [...tracks.values()].filter((track) => track.sound && track.samples > 0)
  return soundTracks
    .map((track) => toLength(track, tracks.size === 1 ? sound : Infinity))
    .sort((a, b) => b.seconds - a.seconds)[0]
}

/** Computes the length of a track. A truncated file lacks some of its samples, so only the `present` bytes count. */
function toLength({ units, scale, samples, bytes, aac = 0 }: Track, present: number): SoundLength {
  const stated = scale > 0 ? units / scale : 0
  const seconds = Math.max(stated, aac > 0 ? (samples * 1024) / aac : 0)
  const part = bytes > present ? present / bytes : 1
  return { seconds: seconds * part, bytes: bytes * part }
}

interface BoxPlace {
  id: number
  tracks: Map<number, Track>
  usual: Map<number, Usual>
}

function boxes(bytes: Uint8Array, place: BoxPlace): void {
  for (let at = 0; at + 8 <= bytes.length;) {
    const length = toDataView(bytes).getUint32(at)
    if (length < 8) return
    const name = getTextAt(bytes, at + 4, 4)
    const body = bytes.subarray(at + 8, at + length)
    if (HOLDERS.has(name)) boxes(body, place)
    else if (body.length >= 8) take(name, body, place)
    at += length
  }
}

function take(name: string, body: Uint8Array, place: BoxPlace): void {
  const view = toDataView(body)
  const word = (at: number): number => (at + 4 <= body.length ? view.getUint32(at) : 0)
  const version = view.getUint8(0)
  if (name === 'tkhd' || name === 'tfhd' || name === 'trex')
    place.id = word(name === 'tkhd' && version ? 20 : name === 'tkhd' ? 12 : 4)
  const track = getTrack(place)
  if (name === 'mdhd') track.scale = word(version ? 20 : 12)
  else if (name === 'hdlr') track.sound = getTextAt(body, 8, 4) === 'soun'
  else if (name === 'stsd' && getTextAt(body, 12, 4) === 'mp4a') track.aac = word(40) >>> 16
  else if (name === 'stts')
    for (let n = 0; n < word(4) && n * 8 < body.length; n++) track.units += word(8 + n * 8) * word(12 + n * 8)
  else if (name === 'stsz') addSizes(track, word, body.length)
  else if (name === 'trex') place.usual.set(place.id, { duration: word(12), size: word(16) })
  else if (name === 'tfhd') addUsual(place, word)
  else if (name === 'trun') addRun(track, place.usual.get(place.id), word, body.length)
}

function getTrack({ id, tracks }: BoxPlace): Track {
  const known = tracks.get(id) ?? { sound: false, scale: 0, units: 0, samples: 0, bytes: 0 }
  if (id > 0) tracks.set(id, known)
  return known
}

type ReadWord = (at: number) => number

function addSizes(track: Track, word: ReadWord, length: number): void {
  const each = word(4)
  track.samples += word(8)
  if (each > 0) track.bytes += each * word(8)
  else for (let at = 12; at + 4 <= length; at += 4) track.bytes += word(at)
}

/** Reads the defaults of a fragment. Flags show which of them it contains, in this order. */
function addUsual({ id, usual }: BoxPlace, word: ReadWord): void {
  const flags = word(0) & 0xffffff
  let at = 8 + (flags & 1 ? 8 : 0) + (flags & 2 ? 4 : 0)
  const known = usual.get(id) ?? { duration: 0, size: 0 }
  const own = { ...known }
  if (flags & 8) own.duration = word(at)
  at += flags & 8 ? 4 : 0
  if (flags & 16) own.size = word(at)
  usual.set(id, own)
}

function addRun(track: Track, usual: Usual | undefined, word: ReadWord, length: number): void {
  const flags = word(0) & 0xffffff
  const count = word(4)
  let at = 8 + (flags & 1 ? 4 : 0) + (flags & 4 ? 4 : 0)
  const [longs, sizes] = [flags & 0x100, flags & 0x200]
  const step = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length * 4
  for (let n = 0; n < count && at <= length; n++, at += step) {
    track.units += longs ? word(at) : (usual?.duration ?? 0)
    track.bytes += sizes ? word(at + (longs ? 4 : 0)) : (usual?.size ?? 0)
    track.samples++
  }
}
