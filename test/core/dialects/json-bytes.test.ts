// Changing top-level keys in JSON bytes, against JSON.parse.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  changeTopMembers,
  toJsonBytes,
  scanObjectMembers,
  readTopMember,
} from '../../../core/dialects/json/json-bytes.ts'

import { findExcess } from '../../../core/dialects/json/json-cost.ts'
import { parseRequestBody } from '../../../core/dialects/requests/request-body.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (run: Uint8Array) => new TextDecoder().decode(run)
const change = (json: string, changes: Record<string, unknown>) =>
  text(
    changeTopMembers(
      bytes(json),
      new Map(Object.entries(changes).map(([key, value]) => [key, value === null ? null : toJsonBytes(value)])),
    ),
  )

/** JSON text of an object, spelled with odd blanks. */
const spelled = fc
  .tuple(
    fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 3 }))),
    fc.constantFrom('', ' ', '\n\t'),
  )
  .map(([pairs, blank]) => {
    const written = pairs.map(
      ([key, value]) => JSON.stringify(key) + blank + ':' + blank + JSON.stringify(value, null, blank),
    )
    return `${blank}{${blank}${written.join(`${blank},${blank}`)}${blank}}${blank}`
  })

describe('members', () => {
  it('are the same where the cost of a body is counted, and are kept with it', () => {
    const limits = { depth: 64, cost: 10_000_000, item: 1 }
    fc.assert(
      fc.property(spelled, fc.boolean(), (json, hasMark) => {
        // A text within a byte order mark and a short one are read as any other.
        const long = json.replace(
          /\}(\s*)$/,
          (_, end: string) => `${/^\s*\{\s*\}\s*$/.test(json) ? '' : ','}"z":"${'z'.repeat(200)}"}${end}`,
        )
        const raw = bytes(`${hasMark ? '\ufeff' : ''}${long}`)
        const found = { start: -1, close: -1, members: [] }
        expect(findExcess(raw, limits, found)).toBeUndefined()
        expect(found).toEqual(scanObjectMembers(raw))
        expect(parseRequestBody(raw, limits)).toEqual(JSON.parse(long))
        expect(scanObjectMembers(raw)).toEqual(scanObjectMembers(raw.slice()))
      }),
    )
  })

  it.each([
    '{"\\x":1,"z":"Z"}',
    '{"a":1,"z":"Z"',
    '{"a" 1,"z":"Z"}',
    '{"a":1,,"z":"Z"}',
    '["a","Z"]',
    '{"a":"\\ud8","z":"Z"}',
  ])('of what is not an object of JSON are refused: %s', (json) => {
    const raw = bytes(json.replace('Z', 'z'.repeat(300)))
    expect(() => parseRequestBody(raw)).toThrow(expect.objectContaining({ code: 'request.unreadable' }))
  })

  it('are found where JSON.parse finds them', () => {
    fc.assert(
      fc.property(spelled, (json) => {
        const value = JSON.parse(json) as Record<string, unknown>
        const raw = bytes(json)
        const { members } = scanObjectMembers(raw)
        expect(new Set(members.map((one) => one.key))).toEqual(new Set(Object.keys(value)))
        for (const key of Object.keys(value)) expect(readTopMember(raw, key)).toEqual(value[key])
      }),
    )
  })

  it('may be spelled with escapes', () => {
    expect(readTopMember(bytes('{"mod\\u0065l":"x"}'), 'model')).toBe('x')
    expect(readTopMember(bytes('{"a\\\\":"}\\"","b":"\\\\"}'), 'b')).toBe('\\')
  })

  it.each(['', '[]', '"a"', '{', '{"a"', '{"a":', '{"a":"', '{"a":1', '{"a":[1}', '{"a":1,,}', '{a:1}', '{"a" 1}'])(
    'are refused in %j',
    (json) => {
      expect(() => scanObjectMembers(bytes(json))).toThrow(expect.objectContaining({ code: 'request.unreadable' }))
    },
  )
})

describe('changing', () => {
  it('touches nothing else', () => {
    expect(change('{ "a" : 1.0 ,"model":"x", "b":1e3,"c":"\\u00e9"}', { model: 'y' })).toBe(
      '{ "a" : 1.0 ,"model":"y", "b":1e3,"c":"\\u00e9"}',
    )
  })

  it('changes every occurrence of a key', () => {
    expect(change('{"model":"a","x":1,"model":"b"}', { model: 'c' })).toBe('{"model":"c","x":1,"model":"c"}')
  })

  it.each([
    ['{}', { a: 1 }, '{"a":1}'],
    ['{"a":1}', { a: null }, '{}'],
    ['{"a":1,"b":2,"c":3}', { a: null }, '{"b":2,"c":3}'],
    ['{"a":1,"b":2,"c":3}', { b: null }, '{"a":1,"c":3}'],
    ['{"a":1,"b":2,"c":3}', { b: null, c: null }, '{"a":1}'],
    ['{"a":1,"b":2}', { a: 9, b: null, d: 4 }, '{"a":9,"d":4}'],
    ['{"a":1}', { a: null, b: 2 }, '{"b":2}'],
    ['{"a":1}', { b: null }, '{"a":1}'],
  ])('%s with %j', (json, changes, expected) => {
    expect(change(json, changes)).toBe(expected)
  })

  it('means what the same change to the parsed value means', () => {
    const changes = fc.dictionary(fc.constantFrom('a', 'b', 'model', 'x', ''), fc.option(fc.jsonValue({ maxDepth: 2 })))
    fc.assert(
      fc.property(spelled, fc.array(fc.constantFrom('a', 'b', 'model', '')), changes, (json, more, wanted) => {
        const start = json.trimEnd().slice(0, -1).trimEnd()
        const known = more.map((key, index) => `${JSON.stringify(key)}:${index}`).join(', ')
        const glue = known === '' || start.endsWith('{') ? '' : ','
        const whole = `${start}${glue}${known}}`
        const expected = new Map(Object.entries(JSON.parse(whole) as object))
        for (const [key, value] of Object.entries(wanted)) {
          if (value === null) expected.delete(key)
          else expected.set(key, JSON.parse(JSON.stringify(value)))
        }
        expect(new Map(Object.entries(JSON.parse(change(whole, wanted)) as object))).toEqual(expected)
      }),
    )
  })

  // Where the work grew with the square of the length, this would take hours, and the test would run out of its time.
  it('costs little in a long text', () => {
    const content = JSON.stringify('a "word" and \\ more '.repeat(500_000))
    const long = bytes(`{"messages":[{"content":${content}}],"model":"x"}`)
    const changed = changeTopMembers(long, new Map([['model', toJsonBytes('y')]]))
    expect(Buffer.from(changed).subarray(-14).toString()).toBe('],"model":"y"}')
  })
})
