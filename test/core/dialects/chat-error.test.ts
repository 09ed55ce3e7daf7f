// Errors of providers: their words found, their secrets kept.
import { describe, expect, it } from 'vitest'
import { openaiChat } from '../../../core/dialects/openai-chat/index.ts'
import { redactSecrets } from '../../../core/dialects/answers/redact.ts'

const bytes = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
const read = (status: number, body: unknown) => openaiChat.readErrorReply(status, bytes(body))

describe('readError', () => {
  it('keeps the words of an OpenAI error', () => {
    const error = {
      message: 'too long',
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    }
    expect(read(400, { error })).toEqual({ status: 400, ...error, source: 'upstream' })
    expect(read(400, [{ error: { ...error, code: 400 } }])).toMatchObject({ message: 'too long', code: 400 })
    expect(JSON.parse(new TextDecoder().decode(openaiChat.writeErrorReply(read(400, { error }))))).toEqual({ error })
  })

  it.each([
    [{ message: 'm', msg: 'no' }, 'm'],
    [{ msg: 'm', err: 'no' }, 'm'],
    [{ err: 'm' }, 'm'],
    [{ error_msg: 'm' }, 'm'],
    [{ header: { message: 'm' } }, 'm'],
    [{ response: { error: { message: 'm' } } }, 'm'],
    [{ error: 'm' }, 'm'],
    [{ detail: 'm' }, 'm'],
    [{}, 'bad response status code 500'],
    [{ error: {} }, 'bad response status code 500'],
  ])('finds the words in %j', (body, message) => {
    expect(read(500, body)).toEqual({
      status: 500,
      message,
      type: 'upstream_error',
      code: 'bad_response_status_code',
      param: '500',
      source: 'upstream',
    })
  })

  it.each(['', '<html>nginx at 10.0.0.7</html>', 'null', '"text"', new Uint8Array([0xff, 0xfe, 0])])(
    'shows nothing of %j',
    (body) => {
      const failure = openaiChat.readErrorReply(502, typeof body === 'string' ? bytes(body) : body)
      expect(failure.message).toBe('bad response status code 502')
    },
  )
})

describe('redaction', () => {
  it.each([
    ['dial https://api.secret.host:8443/v1?key=abc failed', 'dial [url] failed'],
    ['Post "http://10.1.2.3/x": timeout', 'Post "[url]": timeout'],
    ['connect ECONNREFUSED 192.168.1.20:443', 'connect ECONNREFUSED [address]'],
    ['at fe80::1ff:fe23:4567:890a and 2001:db8:1:2:3:4:5:6 now', 'at [address] and [address] now'],
    ['Incorrect API key provided: sk-proj-abcdefgh1234.', 'Incorrect API key provided: [key].'],
    ['Incorrect API key provided: sk-ab***********wxyz.', 'Incorrect API key provided: [key].'],
    ['Authorization: Bearer abcdefghijkl', 'Authorization: [key]'],
    ['key AIzaSyA1234567890abcdef is bad', 'key [key] is bad'],
    ['for org-AbCdEf123456 on requests', 'for [key] on requests'],
    ['id 0123456789abcdef0123456789abcdef', 'id [key]'],
  ])('%s', (text, expected) => {
    expect(redactSecrets(text)).toBe(expected)
  })

  it.each([
    'maximum context is 128000 tokens',
    'at 12:34:56 std::vector failed',
    "The model `gpt-4o` doesn't exist",
    'messages[0].role: user',
  ])('leaves %s', (text) => {
    expect(redactSecrets(text)).toBe(text)
  })

  // Where the work grew with the square of the length, this would take hours, and the test would run out of its time.
  it('is quick and short on hostile text', () => {
    for (const piece of ['a:', '::', '1.', 'sk-', '*', 'https://', 'a1']) {
      expect(redactSecrets(piece.repeat(1_000_000)).length).toBeLessThan(2100)
    }
  })
})

describe('a disguised error', () => {
  const disguised = (body: unknown) => openaiChat.readAnswerReport(bytes(body)).failure

  it.each([
    [{ error: { message: 'm' } }, { status: 502, message: 'm' }],
    [{ error: { message: 'm', code: 429 } }, { status: 429, code: 429 }],
    [{ error: { message: 'm', status: 400, type: null } }, { status: 400 }],
    [{ error: { type: 'overloaded' } }, { status: 502, type: 'overloaded' }],
    [{ error: 'm' }, { status: 502, message: 'm' }],
    [{ choices: [{ error: { message: 'm', code: 502 }, message: {} }] }, { status: 502, message: 'm' }],
    [
      { choices: null, base_resp: { status_code: 1002, status_msg: 'slow down' } },
      { status: 429, message: 'slow down', code: 1002 },
    ],
    [{ base_resp: { status_code: 1008, status_msg: 'no balance' } }, { status: 402 }],
    [
      { code: 500, msg: 'm', success: false },
      { status: 500, message: 'm' },
    ],
    [{ error: { message: 'm', code: '429' } }, { status: 429, code: '429' }],
    [{ error: { message: 'm', status: '503', code: 'busy' } }, { status: 503, code: 'busy' }],
    [{ error: { message: 'm', code: 'busy', status_code: 401 } }, { status: 401, code: 'busy' }],
    [{ error: { message: 'm', status: 200, status_code: '600', code: 399.5 } }, { status: 502 }],
    [{ error: { message: 'm', status: '', status_code: [429], code: 'too_many' } }, { status: 502 }],
    ['<html></html>', { status: 502, code: 'bad_response_body' }],
  ])('sees through %j', (body, expected) => {
    expect(disguised(body)).toMatchObject({ ...expected, source: 'upstream' })
  })

  it.each([
    { choices: [{ message: { content: '"error":{"message":"x"}' } }], error: null },
    { choices: [], base_resp: { status_code: 0, status_msg: '' } },
    { choices: [{}], error: {} },
  ])('leaves %j', (body) => {
    expect(disguised(body)).toBeUndefined()
  })
})
