// Audio in answers, counted in bytes: its price depends on its length.
import { asText } from '../json/json-value.ts'

/** Bytes of raw audio (two per sample, 24 000 samples per second), and of compressed audio. */
export interface SoundBytes {
  raw: number
  packed: number
}

export const NO_SOUND: Readonly<SoundBytes> = { raw: 0, packed: 0 }

/** Formats and media types of uncompressed audio. */
const RAW = /^(?:audio\/)?(?:x-)?(?:pcm|l16|wav)/i

export const isRawAudio = (format: string): boolean => RAW.test(format)

/** Returns the decoded size of base64; 0 if the value is not a text. */
export const countBase64Bytes = (base64: unknown): number => Math.floor(((asText(base64)?.length ?? 0) * 3) / 4)

/** The audio of one answer so far. */
export class SoundCounter implements SoundBytes {
  raw = 0
  packed = 0

  add(bytes: number, format: string): void {
    this[isRawAudio(format) ? 'raw' : 'packed'] += bytes
  }
}
