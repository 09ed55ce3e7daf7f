// Frames out of bytes cut anywhere, in every spelling of line ends.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createFrameParser,
  createFrameSplitter,
  encodeFrame,
  type SseFrame,
} from '../../../core/dialects/answers/frames.ts'
import { GatewayError } from '../../../core/errors.ts'
import { cutAt } from '../../support/recordings.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (run: Uint8Array) => new TextDecoder().decode(run)

const parse = (runs: Uint8Array[]): SseFrame[] => {
  const parser = createFrameParser()
  return [...runs.flatMap((run) => parser.push(run)), ...parser.end()]
}

describe('reading frames', () => {
  it.each([
    ['LF', 'data: a\n\ndata: b\n\n'],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n'],
    ['CR', 'data: a\r\rdata: b\r\r'],
    ['mixed', 'data: a\r\n\ndata:b\n\r\n'],
    ['a byte order mark', '\ufeffdata: a\n\ndata: b\n\n'],
    ['comments and pings', ': ping\n\ndata: a\n\n:\n\nevent: x\n\n: note\ndata: b\nid: 4\nretry: 10\n\n'],
    ['no blank line at the end', 'data: a\n\ndata: b'],
  ])('understands %s, cut at every place', (_, stream) => {
    const whole = bytes(stream)
    for (let place = 0; place <= whole.length; place++) {
      expect(parse(cutAt(whole, [place]))).toEqual([{ data: 'a' }, { data: 'b' }])
    }
    expect(parse([...whole].map((byte) => Uint8Array.of(byte)))).toEqual([{ data: 'a' }, { data: 'b' }])
  })

  it('hands a frame out as soon as it is whole', () => {
    const parser = createFrameParser()
    expect(parser.push(bytes('data: a\n'))).toEqual([])
    expect(parser.push(bytes('\n'))).toEqual([{ data: 'a' }])
    expect(createFrameParser().push(bytes('data: a\r\rdata: b\r\r'))).toHaveLength(2)
    expect(createFrameParser().push(bytes('data: a\r\n\r\n'))).toHaveLength(1)
  })

  it('joins several data lines and keeps the event', () => {
    expect(parse([bytes('event: message\ndata: a\ndata:\ndata:  b\ndata\n\n')])).toEqual([
      { event: 'message', data: 'a\n\n b\n' },
    ])
  })

  it('reads back what it writes, cut anywhere', () => {
    const frame = fc.record(
      { event: fc.stringMatching(/^[a-z_.]{1,12}$/), data: fc.string({ unit: 'grapheme' }) },
      { requiredKeys: ['data'] },
    )
    fc.assert(
      fc.property(fc.array(frame), fc.array(fc.nat(2000)), (frames, places) => {
        const whole = bytes(frames.map((one) => text(encodeFrame(one))).join(''))
        const lines = (one: SseFrame) => ({ ...one, data: one.data.replace(/\r\n|\r/g, '\n').replace(/\ufeff/g, '') })
        expect(parse(cutAt(whole, places)).map(lines)).toEqual(frames.map(lines))
      }),
    )
  })
})

describe('splitting', () => {
  it('gives ranges of the run itself, and all bytes once', () => {
    const whole = bytes('data: a\n\n: c\n\ndata: b\n\nda')
    const found: string[] = []
    const splitter = createFrameSplitter()
    splitter.push(whole, (run, start, end) => {
      expect(run).toBe(whole)
      found.push(text(run.subarray(start, end)))
    })
    expect(found).toEqual(['data: a\n\n', ': c\n\n', 'data: b\n\n'])
    expect(text(splitter.peek())).toBe('da')
  })

  it('loses no byte in any cut', () => {
    const pieces = fc.array(fc.constantFrom('\r', '\n', 'data: x', ':', 'é', '\r\n'), { maxLength: 40 })
    fc.assert(
      fc.property(pieces, fc.array(fc.nat(100)), (parts, places) => {
        const whole = bytes(parts.join(''))
        const splitter = createFrameSplitter()
        let out = ''
        const raw: number[] = []
        for (const run of cutAt(whole, places)) {
          splitter.push(run, (from, start, end) => raw.push(...from.subarray(start, end)))
        }
        raw.push(...splitter.rest())
        out = text(Uint8Array.from(raw))
        expect(out).toBe(parts.join(''))
      }),
    )
  })

  it('refuses a frame beyond the limit, whole or in pieces', () => {
    const never = () => expect.unreachable()
    expect(() => createFrameSplitter(10).push(bytes('data: 123456789\n\n'), never)).toThrow(GatewayError)
    const splitter = createFrameSplitter(10)
    splitter.push(bytes('data: 1'), never)
    expect(() => splitter.push(bytes('23456'), never)).toThrow(expect.objectContaining({ code: 'upstream.unreadable' }))
  })

  it('copes with one large frame in many small runs', () => {
    const run = new Uint8Array(1024).fill(0x61)
    const splitter = createFrameSplitter()
    for (let index = 0; index < 8192; index++) splitter.push(run, () => {})
    let size = 0
    splitter.push(bytes('\n\n'), (_, start, end) => (size = end - start))
    expect(size).toBe(8 * 1024 * 1024 + 2)
  })
})
