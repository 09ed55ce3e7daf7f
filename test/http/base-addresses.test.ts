// Base addresses as people type them: every path of the relay is found behind every one of them, and nothing that is not
// the relay's is taken.
import { describe, expect, it } from 'vitest'
import { CALL_PATHS, findRelayRoute } from '../../http/relay-paths.ts'
import type { RelayRoute } from '../../http/relay-route.ts'

/** Every path of the relay's own table, with what it asks for. */
const openai = [
  ...Object.keys(CALL_PATHS).map((path) => `POST ${path.slice('/v1'.length)}`),
  'POST /engines/a%2Fb/embeddings',
  'GET /realtime',
  'GET /models',
  'GET /models/openai/gpt-4o',
]
const anthropic = ['POST /messages?beta=true', 'POST /messages/count_tokens', 'GET /models/a?limit=2']
const gemini = [
  'POST /models/a:generateContent',
  'POST /models/a/b:streamGenerateContent?alt=sse',
  'POST /models/v1:countTokens',
  'POST /models/a:embedContent',
  'POST /models/a:batchEmbedContents',
  'GET /models?key=k',
  'GET /models/a?key=k',
]

/** What is put before them, and the plain one that it stands for. */
const bases: [typed: string, plain: string][] = [
  ...['/v1/v1', '/openai/v1', '/anthropic/v1', '/v1/openai', '/v1/anthropic', '/api/v1', '//v1', '/v1/', '/v1//'],
  ...['/v1beta/openai', '/v1/v1beta/openai', '/v1beta/openai/v1', '/openai', '/anthropic', '/anthropic/v1/v1'],
].map((typed) => [typed, '/v1'])
const googles: [typed: string, plain: string][] = [
  ...['/v1beta/v1beta', '/v1/v1beta', '/gemini/v1beta', '/gemini', '/v1beta/', '/api/v1beta', '/openai/v1beta'],
].map((typed) => [typed, '/v1beta'])

const ask = (line: string, base: string): RelayRoute | undefined => {
  const [method = '', path = ''] = line.split(' ')
  return findRelayRoute(method, base + path)
}

describe.each([...openai, ...anthropic].map((line) => ({ line })))('$line', ({ line }) => {
  const plain = ask(line, '/v1')
  it('is the relay’s', () => expect(plain?.operation).not.toBe('unknown'))
  it.each(bases)('behind %s', (typed, base) => {
    const found = ask(line, typed)
    // Of a list, the format is the one that the address names.
    if (plain?.operation === 'models' || plain?.operation === 'model') {
      expect({ ...found, dialect: undefined }).toEqual({ ...ask(line, base), dialect: undefined })
    } else expect(found).toEqual(ask(line, base))
  })
  it('with a slash at its end', () => {
    const [path = '', search] = line.split('?')
    expect(ask(`${path}/${search ? `?${search}` : ''}`, '/v1')).toEqual(plain)
  })
})

describe.each(gemini.map((line) => ({ line })))('Google’s $line', ({ line }) => {
  it.each(googles)('is found behind %s', (typed, base) => {
    const found = ask(line, typed)
    expect(found?.operation).not.toBe('unknown')
    expect(found).toEqual(ask(line, base))
  })
})

describe('a base address without a version', () => {
  const calls = [...openai, ...anthropic, ...gemini].filter((line) => line.startsWith('POST'))
  it.each(calls)('is found: %s', (line) => expect(ask(line, '')).toEqual(ask(line, '/v1')))
})

describe('what is not the relay’s', () => {
  it.each([
    ...['GET /', 'GET /log', 'GET /models', 'GET /token/', 'GET /assets/v1/x.js', 'GET /v1x', 'POST /other'],
    ...['GET /api/verification', 'POST /api/user/login', 'GET /api/v1/nothing', 'POST /api/models', 'GET /openaix'],
    ...['POST /api/v1x/messages', 'GET /chat/completions', 'OPTIONS /api/status'],
  ])('is left alone: %s', (line) => {
    expect(ask(line, '')).toBeUndefined()
  })
})

describe('what is not served', () => {
  const formats: [headers: Record<string, string>, search: string, format: string][] = [
    [{}, '', 'openai-chat'],
    [{ authorization: 'Bearer sk-a' }, '', 'openai-chat'],
    [{ 'anthropic-version': '2023-06-01' }, '', 'anthropic-messages'],
    [{ 'x-api-key': 'sk-a' }, '', 'anthropic-messages'],
    [{ 'x-goog-api-key': 'sk-a' }, '', 'gemini-generate'],
    [{}, '?key=sk-a', 'gemini-generate'],
  ]
  it.each(formats)('is refused to a client with %j%s in the words of %s', (headers, search, format) => {
    for (const [method, path] of [
      ['GET', '/v1/files'],
      ['POST', '/v1/fine_tuning/jobs'],
      ['POST', '/v1/nothing'],
      ['GET', '/v1'],
    ] as const) {
      expect(findRelayRoute(method, path + search, headers)).toMatchObject({
        operation: 'unknown',
        dialect: { name: format },
      })
    }
  })

  it.each([
    ['GET /v1/chat/completions/x', 'openai-chat'],
    ['GET /v1/messages/batches', 'anthropic-messages'],
    ['POST /v1beta/models/a:predict', 'gemini-generate'],
    ['POST /v1beta/cachedContents', 'gemini-generate'],
    ['GET /anthropic/v1/files', 'anthropic-messages'],
    ['GET /gemini/v1/files', 'gemini-generate'],
  ])('is in the words of its own format where it has one: %s', (line, format) => {
    expect(ask(line, '')).toMatchObject({ operation: 'unknown', dialect: { name: format } })
  })
})
