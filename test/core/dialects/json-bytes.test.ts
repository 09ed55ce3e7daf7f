// Changing top-level keys in JSON bytes, against JSON.parse.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  changeTopMembers,
  joinParts,
  toJsonBytes,
  scanObjectMembers,
  spliceTopMembers,
  writeObject,
  readTopMember,
} from '../../../core/dialects/json/json-bytes.ts'

import { findExcess } from '../../../core/dialects/json/json-cost.ts'
import { anthropicMessages } from '../../../core/dialects/anthropic-messages/index.ts'
import { geminiGenerate } from '../../../core/dialects/gemini-generate/index.ts'
import { openaiChat } from '../../../core/dialects/openai-chat/index.ts'
import { openaiResponses } from '../../../core/dialects/openai-responses/index.ts'
import { isPlainBody } from '../../../core/dialects/requests/measured-body.ts'
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

  it('copies nothing of a long text, and changes it as a short one', () => {
    const build = (content: string) => bytes(`{"model":"x","gone":1,"content":"${content}","stream":true}`)
    const changes = new Map([
      ['model', toJsonBytes('y')],
      ['gone', null],
      ['more', toJsonBytes(1)],
    ])
    const parts = spliceTopMembers(build('a'.repeat(100_000)), changes)
    const short = spliceTopMembers(build('a'), changes)
    expect(text(joinParts(short))).toBe('{"model":"y","content":"a","stream":true,"more":1}')
    expect(text(joinParts(parts))).toBe(text(joinParts(short)).replace('"a"', `"${'a'.repeat(100_000)}"`))
    expect(short).toBeInstanceOf(Uint8Array)
    expect(Array.from(parts as Uint8Array[], ({ length }) => length > 100_000)).toEqual([false, true, false])
    const untouched = build('a'.repeat(100_000))
    expect(spliceTopMembers(untouched, new Map([['none', null]]))).toBe(untouched)
  })
})

describe('a written object', () => {
  const letters = fc.constantFrom(fc.string({ unit: 'grapheme-ascii' }), fc.string({ unit: 'grapheme' }))
  const objects = letters.chain((key) =>
    fc.dictionary(key, fc.option(fc.jsonValue({ maxDepth: 2 }), { nil: undefined })),
  )

  it('is what JSON.stringify writes, and its members are those that are found', () => {
    fc.assert(
      fc.property(objects, (object) => {
        const json = writeObject(object)
        expect(text(json)).toBe(JSON.stringify(object))
        expect(scanObjectMembers(json)).toEqual(scanObjectMembers(json.slice()))
      }),
    )
  })
})

describe('long requests, whose long texts are measured and not parsed', () => {
  const plain = ['word ', '\n', '"', '\\', '/', '\t', 'x'.repeat(90)]
  const spelledText = fc
    .tuple(
      fc.constantFrom(plain, [...plain, '\b', '\b7', 'é', '漢', '😀', '\ud83d']),
      fc.array(fc.nat(100), { minLength: 1, maxLength: 30 }),
      fc.constantFrom('', 'x'.repeat(300)),
      fc.constantFrom(
        ...[(json: string) => json, (json: string) => json, (json: string) => json.replaceAll('/', '\\/')],
        (json: string) => json.replaceAll('o', '\\u006f').replaceAll('é', '\\u00E9'),
        (json: string) => json.replaceAll('\\b', '\\u0008'),
      ),
    )
    .map(([parts, places, more, spell]) =>
      spell(JSON.stringify(places.map((place) => parts[place % parts.length]).join('') + more)),
    )
  /** Short ones may begin like the marks that stand for long ones. */
  const text = fc.oneof(
    { weight: 5, arbitrary: spelledText },
    fc.constantFrom('"\\b"', '"\\b0"', '"\\u00081"', '"\\b2"'),
  )
  const name = fc.constantFrom(
    'content',
    'text',
    'arguments',
    'input',
    'name',
    'signature',
    'cont\\u0065nt',
    '\\"content',
  )
  const blank = fc.constantFrom('', ' ', '\n\t')
  const member = fc.tuple(name, blank, text).map(([key, space, value]) => `"${key}"${space}:${space}${value}`)
  const members = fc.array(member, { maxLength: 2 }).map((list) => list.map((each) => `,${each}`).join(''))
  const part = fc.tuple(text, members).map(([value, more]) => `{"type":"text","text":${value}${more}}`)
  const parts = fc.array(part, { maxLength: 3 }).map((list) => `[${list.join()}]`)
  const turn = fc
    .tuple(fc.oneof(text, parts), text, members)
    .map(
      ([content, called, more]) =>
        `{"role":"user","content":${content},"tool_calls":[{"id":"a","function":{"name":"f","arguments":${called}}}]${more}}`,
    )
  const turns: fc.Arbitrary<string> = fc.array(turn, { minLength: 1, maxLength: 3 }).map((list) => `[${list.join()}]`)
  const formats = [
    { dialect: openaiChat, write: (list: string) => `"messages":${list}` },
    { dialect: anthropicMessages, write: (list: string, one: string) => `"system":${one},"messages":${list}` },
    { dialect: openaiResponses, write: (list: string, one: string) => `"instructions":${one},"input":${list}` },
    { dialect: openaiResponses, write: (_: string, one: string) => `"input":${one}` },
    {
      dialect: geminiGenerate,
      write: (list: string) => `"contents":${list.replaceAll('"content":[', '"parts":[')}`,
    },
  ]
  type Change = { place: number; byte: number } | undefined
  const change = fc.option(fc.record({ place: fc.nat(), byte: fc.constantFrom(0, 9, 10, 34, 44, 92, 117, 0xc3) }), {
    nil: undefined,
  })

  /** A body of more than 8 KB, unless `filling` is empty: a shorter one is parsed as a whole. */
  function build(members: string, changed?: Change, filling = 'y'.repeat(8192)): Uint8Array {
    const raw = bytes(`{"filling":"${filling}","model":"m",${members},"user":"u"}`)
    const from = raw.length - bytes(`${members},"user":"u"}`).length
    if (changed) raw[from + (changed.place % (raw.length - from))] = changed.byte
    return raw
  }

  function read({ dialect }: (typeof formats)[number], body: Uint8Array): unknown {
    try {
      return dialect.readRequestHead(body)
    } catch (error) {
      return { code: (error as { code: string }).code, message: (error as Error).message }
    }
  }

  it('have the head, or the error, that parsing all of them gives', () => {
    fc.assert(
      fc.property(turns, text, change, fc.constantFrom(...formats), (list, one, changed, format) => {
        const members = format.write(list, one)
        const short = build(members, changed, '')
        fc.pre(short.length < 8192)
        expect(read(format, build(members, changed))).toEqual(read(format, short))
      }),
      { numRuns: 600 },
    )
  })

  it('have the same head whether their tools are known from a request before or not', () => {
    const buildWithTools = (description: string, filling = '') => {
      const tools = Array.from({ length: 20 }, (_, at) => ({ name: `t${at}`, description: description.repeat(10) }))
      const own = JSON.stringify(tools).replaceAll('o', '\\u006f')
      return build(
        `"max_tokens":5,"tools":${own},"messages":[{"role":"user"}],"input":"hi","contents":[{"parts":[{"text":"hi"}]}]`,
        undefined,
        filling,
      )
    }
    for (const { dialect } of formats) {
      for (const description of ['plain', 'é', 'a"b', 'plain']) {
        const short = buildWithTools(description)
        expect(short.length).toBeLessThan(8192)
        const whole = dialect.readRequestHead(short)
        for (let turn = 0; turn < 3; turn++) {
          const body = buildWithTools(description, 'y'.repeat(8192))
          expect(dialect.readRequestHead(body)).toEqual(whole)
          expect(isPlainBody(body)).toBe(false)
        }
      }
    }
  })

  it('are refused for the same value of too many, whether their tools are known or not', () => {
    const tools = JSON.stringify(Array.from({ length: 300 }, (_, at) => ({ name: `t${at}` })))
    const withNumbers = (numbers: number) =>
      build(`"messages":[{"role":"user"}],"logit_bias":[${'1,'.repeat(numbers)}1],"tools":${tools}`)
    const heads = Array.from({ length: 3 }, () => openaiChat.readRequestHead(withNumbers(10_000)))
    expect(new Set(heads.map((head) => JSON.stringify(head))).size).toBe(1)
    for (const [numbers, param] of [
      [1_490_000, 'tools'],
      [1_600_000, 'logit_bias'],
    ] as const) {
      expect(() => openaiChat.readRequestHead(withNumbers(numbers))).toThrow(
        expect.objectContaining({ code: 'request.too_many_values', parameters: expect.objectContaining({ param }) }),
      )
    }
  })

  it('are known to have each letter as itself only if they do', () => {
    const isPlain = (content: string) => {
      const body = build(`"messages":[{"role":"user","content":"${content}"}]`)
      openaiChat.readRequestHead(body)
      return isPlainBody(body)
    }
    const long = 'word \\n'.repeat(100)
    const contents = [long, `${long}\\u0041`, `${long}é`, '\\u0041', 'é', 'short']
    expect(contents.map(isPlain)).toEqual([true, false, false, false, false, true])
  })
})
