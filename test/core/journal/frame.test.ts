// The journal's format: what was written whole is read, whatever became of the rest.
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FrameWriter, HEADER, readFrames, UnknownJournal } from '../../../core/journal/frame.ts'

const writer = new FrameWriter(crc32)

function fileOf(payloads: string[]): Uint8Array {
  writer.begin(HEADER)
  for (const payload of payloads) writer.add(payload)
  return writer.written().slice()
}
const read = (bytes: Uint8Array) => readFrames(bytes, crc32)
const payloads = fc.array(fc.string({ unit: 'grapheme', maxLength: 60 }), { maxLength: 6 })
const texts = (all: Uint8Array[]) => all.map((bytes) => Buffer.from(bytes).toString())
const bytesOf = (text: string) => Buffer.byteLength(text)

describe('a journal file', () => {
  test('gives back what was written', () => {
    fc.assert(
      fc.property(payloads, (given) => {
        expect(texts(read(fileOf(given)).payloads)).toEqual(given)
        expect(read(fileOf(given)).damage).toEqual([])
      }),
    )
  })

  test('torn anywhere, has every record that is whole, and names the rest', () => {
    fc.assert(
      fc.property(payloads, fc.nat(), (given, at) => {
        const whole = fileOf(given)
        const cut = at % (whole.length + 1)
        const { payloads: found, damage } = read(whole.subarray(0, cut))
        expect(given.slice(0, found.length)).toEqual(texts(found))
        const ends = given.reduce<number[]>(
          (all, each) => [...all, (all.at(-1) ?? HEADER.length) + 12 + bytesOf(each)],
          [],
        )
        expect(found.length).toBe(ends.filter((end) => end <= cut).length)
        const last = found.length === 0 ? (cut < HEADER.length ? 0 : HEADER.length) : (ends[found.length - 1] ?? 0)
        expect(damage).toEqual(cut > last ? [{ kind: 'torn', at: last, bytes: cut - last }] : [])
      }),
    )
  })

  test('with any byte flipped, loses at most the record that it is in, and says where', () => {
    const given = ['one', 'two', 'three']
    const whole = fileOf(given)
    for (let at = HEADER.length; at < whole.length; at += 1)
      for (let bit = 0; bit < 8; bit += 1) {
        const flipped = whole.slice()
        flipped[at] = (flipped[at] ?? 0) ^ (1 << bit)
        const { payloads: found, damage } = read(flipped)
        expect(found).toHaveLength(2)
        expect(given).toEqual(expect.arrayContaining(texts(found)))
        const [bad] = damage
        expect(damage).toHaveLength(1)
        expect(bad && bad.at <= at && at < bad.at + bad.bytes).toBe(true)
        // A last record whose length says that there is more is one that was not written whole, as far as anybody can tell.
        const isLastLength = at >= whole.length - 'three'.length - 8 && at < whole.length - 'three'.length - 4
        if (!isLastLength) expect(bad?.kind).toBe('changed')
      }
  })

  test('of another program, or of a later version, is refused', () => {
    expect(() => read(new Uint8Array(Buffer.from('SQLite format 3')))).toThrow(UnknownJournal)
    const later = fileOf([])
    later[HEADER.length - 1] = 2
    expect(() => read(later)).toThrow(expect.objectContaining({ newer: true }))
  })
})
