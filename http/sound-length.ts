// Measures the length of a sound from its bytes. music-metadata reads only the formats without a reader here: it trusts headers, so
// a false header or a truncated file would cost next to nothing or thousands of times too much.
import { Readable } from 'node:stream'
import { soundSeconds } from '../core/index.ts'
import type { FormFile } from '../core/dialects/media/multipart.ts'
import { BufferedBytes, getTextAt, type SoundLength } from './sound/bytes.ts'
import { measureFlac, measureWav } from './sound/wav-flac.ts'
import { isMp4, measureMp4 } from './sound/mp4.ts'
import { isMpeg, measureMpeg } from './sound/mpeg.ts'
import { measureOgg } from './sound/ogg.ts'
import { isWebm, measureWebm } from './sound/webm.ts'

/** Limits of plausible bytes per second of sound: strongly compressed speech, and the largest output of lossy coders. */
const LEAST = 100
const MOST = 128_000
const MOST_LOSSLESS = 12_500_000

/**
 * Adds the length in seconds to a file. It is counted from the data, not taken from a header. If the data is not plausible or the
 * format is unknown, it is estimated from the size.
 */
export async function addSoundLength(file: FormFile): Promise<FormFile> {
  const found = await measureLength(file).catch(() => undefined)
  return found && isLikely(found)
    ? { ...file, seconds: found.seconds, seconds_by: 'sound_length' }
    : { ...file, seconds: soundSeconds(file.size), seconds_by: 'sound_size' }
}

function isLikely({ seconds, bytes, lossless }: SoundLength): boolean {
  const second = bytes / seconds
  return seconds > 0 && second >= LEAST && second <= (lossless ? MOST_LOSSLESS : MOST)
}

async function measureLength(file: FormFile): Promise<SoundLength | undefined> {
  const { size } = file
  const bytes = new BufferedBytes(file.read())
  try {
    const head = await bytes.peek(16)
    if (getTextAt(head, 0, 4) === 'RIFF' && getTextAt(head, 8, 4) === 'WAVE') return await measureWav(bytes, size)
    if (getTextAt(head, 0, 4) === 'fLaC') return await measureFlac(bytes, size)
    if (getTextAt(head, 0, 4) === 'OggS') return await measureOgg(bytes)
    if (isWebm(head)) return await measureWebm(bytes)
    if (isMp4(head)) return await measureMp4(bytes, size)
    if (isMpeg(head)) return await measureMpeg(bytes)
  } finally {
    await bytes.close()
  }
  return parseHeaders(file)
}

/** Reads the length of rare formats from their headers, with a library that is loaded for them only. */
async function parseHeaders(file: FormFile): Promise<SoundLength | undefined> {
  const { parseStream } = await import('music-metadata')
  const about = { mimeType: file.content_type, path: file.filename, size: file.size }
  const bytes = Readable.from(file.read(), { objectMode: false })
  // The stream reads ahead, and the file may be discarded by then.
  bytes.on('error', () => undefined)
  try {
    const { format } = await parseStream(bytes, about, { duration: true, skipCovers: true })
    const { duration, lossless, bitrate, sampleRate = 0, bitsPerSample = 0, numberOfChannels = 0 } = format
    if (!duration) return undefined
    // A truncated file is only as long as its data.
    const second = (bitrate ?? sampleRate * bitsPerSample * numberOfChannels) / 8
    const seconds = second > 0 ? Math.min(duration, file.size / second) : duration
    return { seconds, bytes: file.size, ...(lossless ? { lossless } : {}) }
  } finally {
    bytes.destroy()
  }
}
