// The length of sound, of every format that is uploaded: as it is, with a header that lies, and cut in the middle.
// The files in sounds/ are 2.1 seconds of one tone, by ffmpeg; WAV files are written here.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { FormFile } from '../../core/dialects/media/multipart.ts'
import { addSoundLength } from '../../http/sound-length.ts'
import { chunk, wave, type Wave } from '../support/wave.ts'

const SECONDS = 2.1
/** What a coder puts around the sound, and how fine its frames are. */
const SLACK = 0.2

const sound = (name: string): Buffer => readFileSync(fileURLToPath(new URL(`sounds/${name}`, import.meta.url)))

/** In pieces of an odd size, as from a connection. */
const fileOf = (bytes: Buffer, filename: string, step = 997): FormFile => ({
  ...{ name: 'file', filename, content_type: 'application/octet-stream', size: bytes.length },
  async *read() {
    for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step)
  },
})
const lengthOf = async (bytes: Buffer, filename = 'sound') => {
  const { seconds = NaN, seconds_by } = await addSoundLength(fileOf(bytes, filename))
  return { seconds, seconds_by }
}
const close = (seconds: number) => expect.closeTo(seconds, 2) as number

describe('a WAV file', () => {
  const kinds: [string, Omit<Wave, 'seconds'>][] = [
    ['8 bits', { bits: 8, rate: 8000 }],
    ['16 bits', { bits: 16 }],
    ['24 bits, stereo', { bits: 24, rate: 44_100, channels: 2 }],
    ['32 bits, six channels', { bits: 32, rate: 48_000, channels: 6 }],
    ['floating point', { bits: 32, format: 3, rate: 48_000, channels: 2 }],
    ['double', { bits: 64, format: 3, rate: 22_050 }],
    ['µ-law', { bits: 8, format: 7, rate: 8000 }],
    ['A-law', { bits: 8, format: 6, rate: 8000 }],
    ['extensible', { bits: 24, format: 0xfffe, rate: 96_000, channels: 2 }],
  ]
  const more = { before: [chunk('LIST', Buffer.alloc(201, 1))], behind: [chunk('id3 ', Buffer.alloc(4001, 2))] }
  const lies: [string, Partial<Wave>][] = [
    ['nothing', {}],
    ['other chunks', more],
    ['no length', { dataSize: 0 }],
    ['a length without end', { dataSize: 0xffffffff, riffSize: 0xffffffff }],
    ['a length too large', { dataSize: 900_000_000 }],
    ['a length too small', { dataSize: 100 }],
    ['a whole of no size', { riffSize: 0 }],
    ['a whole too small', { riffSize: 50 }],
    ['a whole too large', { riffSize: 0x7fffffff }],
    ['a false number of bytes a second', { byteRate: 1 }],
    ['a false number of bytes a second, too many', { byteRate: 0xffffffff }],
  ]

  it.each(kinds)('of %s is as long as it is, whatever its header says', async (_, kind) => {
    for (const [lie, said] of lies) {
      const { seconds, seconds_by } = await lengthOf(wave({ ...kind, ...said, seconds: 1.2 }))
      expect({ lie, seconds, seconds_by }).toEqual({ lie, seconds: close(1.2), seconds_by: 'sound_length' })
    }
  })

  it('that was cut is as long as what is left', async () => {
    const whole = wave({ seconds: 4 })
    expect(await lengthOf(whole.subarray(0, 44 + 16_000 * 2 * 3))).toEqual({
      seconds: close(3),
      seconds_by: 'sound_length',
    })
  })

  it('that cannot be is reckoned from its size, and says so', async () => {
    const bytes = wave({ seconds: 2 })
    const tooFast = Buffer.from(bytes)
    tooFast.writeUInt32LE(0xffffffff, 24)
    const tooSlow = Buffer.from(bytes)
    tooSlow.writeUInt32LE(1, 24)
    for (const lie of [tooFast, tooSlow, bytes.subarray(0, 30), Buffer.alloc(64_000, 9)]) {
      expect(await lengthOf(lie)).toEqual({ seconds: lie.length / 8000, seconds_by: 'sound_size' })
    }
  })
})

const ALL = ['cbr.mp3', 'vbr.mp3', 'bare.mp3', 'late-tables.m4a', 'early-tables.m4a', 'fragments.mp4'].concat(
  ['frames.aac', 'packets.opus', 'vorbis.ogg', 'recorded.webm', 'timed.webm', 'vorbis.webm'],
  ['whole.flac', 'inside.oga', 'packed.wav', 'other.aiff'],
)

describe.each(ALL)('%s', (name) => {
  it('is as long as it is', async () => {
    const { seconds, seconds_by } = await lengthOf(sound(name), name)
    expect(seconds_by).toBe('sound_length')
    expect(Math.abs(seconds - SECONDS)).toBeLessThan(SLACK)
  })

  it('cut anywhere is never nearly free nor absurdly dear', async () => {
    const bytes = sound(name)
    for (const part of [0.3, 0.5, 0.7, 0.9]) {
      const cut = bytes.subarray(0, Math.floor(bytes.length * part))
      const { seconds, seconds_by } = await lengthOf(cut, name)
      expect(seconds).toBeLessThan(SECONDS + SLACK)
      expect(seconds).toBeGreaterThan(seconds_by === 'sound_size' ? cut.length / 8001 : 0)
    }
  })
})

describe('a header that lies', () => {
  it('of an MP3 with a table of frames changes nothing', async () => {
    const bytes = sound('vbr.mp3')
    const table = bytes.indexOf('Xing')
    expect(table).toBeGreaterThan(0)
    for (const frames of [1, 0x7fffffff]) {
      const lie = Buffer.from(bytes)
      lie.writeUInt32BE(frames, table + 8)
      expect(Math.abs((await lengthOf(lie)).seconds - SECONDS)).toBeLessThan(SLACK)
    }
  })

  it('of an MP3 behind a large picture changes nothing', async () => {
    const tag = Buffer.concat([
      Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 15, 66, 64]),
      Buffer.alloc(15 * 16_384 + 66 * 128 + 64, 0xff),
    ])
    const { seconds } = await lengthOf(Buffer.concat([tag, sound('bare.mp3')]))
    expect(Math.abs(seconds - SECONDS)).toBeLessThan(SLACK)
  })

  it('of a FLAC changes nothing', async () => {
    for (const samples of [0, 1, 0xffffffff]) {
      const lie = Buffer.from(sound('whole.flac'))
      lie.writeUInt32BE(samples, 22)
      expect(Math.abs((await lengthOf(lie)).seconds - SECONDS)).toBeLessThan(SLACK)
    }
  })

  it('of an Opus changes nothing', async () => {
    for (const come of [1n, 10n ** 15n]) {
      const lie = Buffer.from(sound('packets.opus'))
      for (let at = lie.indexOf('OggS'); at >= 0; at = lie.indexOf('OggS', at + 4)) lie.writeBigInt64LE(come, at + 6)
      expect(Math.abs((await lengthOf(lie)).seconds - SECONDS)).toBeLessThan(SLACK)
    }
  })

  it('of an M4A changes nothing', async () => {
    const lie = Buffer.from(sound('early-tables.m4a'))
    for (const name of ['mvhd', 'mdhd', 'tkhd']) lie.writeUInt32BE(1, lie.indexOf(name) + (name === 'tkhd' ? 24 : 20))
    lie.writeUInt32BE(1, lie.indexOf('stts') + 16)
    expect(Math.abs((await lengthOf(lie)).seconds - SECONDS)).toBeLessThan(SLACK)
  })
})
