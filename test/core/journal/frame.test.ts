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

  test('with any bit flipped, loses at most the record that it is in, nothing where it is around one, and says where', () => {
    const given = ['one', 'two', 'three']
    const whole = fileOf(given)
    const starts = given.map((_, index) => fileOf(given.slice(0, index)).length)
    for (let at = 0; at < whole.length; at += 1)
      for (let bit = 0; bit < 8; bit += 1) {
        const flipped = whole.slice()
        flipped[at] = (flipped[at] ?? 0) ^ (1 << bit)
        const { payloads: found, damage } = read(flipped)
        const inHead = starts.some((start) => at >= start && at < start + 8)
        const hit = at < HEADER.length || inHead ? -1 : starts.findLastIndex((start) => at >= start)
        expect(texts(found)).toEqual(given.filter((_, index) => index !== hit))
        const [bad] = damage
        expect(damage).toHaveLength(1)
        expect(bad && bad.at <= at && at < bad.at + bad.bytes).toBe(true)
        expect(bad?.kind).toBe('changed')
      }
  })

  test('whose header says another version is read where its frames are of this one', () => {
    const [first = 0] = HEADER
    for (const header of [
      HEADER.map(() => 0),
      Uint8Array.from([...HEADER.slice(0, 7), 9]),
      HEADER.with(0, first + 1),
    ]) {
      const changed = fileOf(['one', 'two'])
      changed.set(header)
      expect(texts(read(changed).payloads)).toEqual(['one', 'two'])
      expect(read(changed).damage).toEqual([{ kind: 'changed', at: 0, bytes: HEADER.length }])
    }
  })

  test('of another program, or of a later version, is refused', () => {
    expect(() => read(new Uint8Array(Buffer.from('SQLite format 3')))).toThrow(UnknownJournal)
    const later = fileOf([])
    later[HEADER.length - 1] = 2
    expect(() => read(later)).toThrow(expect.objectContaining({ newer: true }))
  })
})
