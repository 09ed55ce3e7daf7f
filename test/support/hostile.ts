// Requests of people who may do nothing: every address that answers nobody, with every body that was made to do harm.
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { endpointsByName } from '../../core/contracts.ts'
import { CALL_PATHS } from '../../http/relay-paths.ts'

export const KIB = 1024
export const MIB = 1024 * KIB

export interface Hostile {
  body: Uint8Array
  headers?: Record<string, string>
  /** What a public operation answers. */
  status: number[]
}

export const HOSTILE: Record<string, Hostile> = {
  'larger than 64 KiB': { body: Buffer.from(`{"a":"${'x'.repeat(65 * KIB)}"}`), status: [413] },
  gzip: { body: gzipSync(`{"a":"${' '.repeat(4 * MIB)}"}`), headers: { 'content-encoding': 'gzip' }, status: [415] },
  br: { body: brotliCompressSync(' '.repeat(MIB)), headers: { 'content-encoding': 'BR' }, status: [415] },
  deflate: { body: deflateSync('{}'), headers: { 'content-encoding': 'deflate' }, status: [415] },
  'of an unknown coding': { body: Buffer.from('{}'), headers: { 'content-encoding': 'zip' }, status: [415] },
  deep: { body: Buffer.from(`{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`), status: [400] },
  'no JSON': { body: Buffer.from('{"a":'), status: [400] },
  'no object': { body: Buffer.from('[{}]'), status: [400] },
  'no UTF-8': { body: Buffer.from('{"a":"\u00ff"}', 'latin1'), status: [400] },
  'of names of the prototype': { body: Buffer.from('{"__proto__":{"a":1},"constructor":1}'), status: [200, 401, 403] },
  'of many values': { body: Buffer.from(`{"a":[${'0,'.repeat(30_000)}0]}`), status: [200, 400, 401, 403] },
}

const ESCAPED = '\\u0041'.repeat(10 * KIB)
const message = (content: string) => `{"model":"gpt-4o-mini","messages":[{"role":"user","content":"${content}"}]}`

/** Bodies that are small enough to be read of anybody, and right enough to be looked into. */
export const LOOKED_INTO: Record<string, Pick<Hostile, 'body' | 'headers'>> = {
  'a call of 63 KiB': { body: Buffer.from(message('word '.repeat((63 * KIB) / 5))) },
  'a call of 63 KiB of letters that are escaped': { body: Buffer.from(message(ESCAPED)) },
  'a call of 63 KiB of wide letters': { body: Buffer.from(message('\u4e2d'.repeat(21 * KIB))) },
  'a call of many messages': {
    body: Buffer.from(`{"model":"gpt-4o-mini","messages":[${'{"role":"user","content":"a"},'.repeat(2000)}{}]}`),
  },
  'many names': {
    body: Buffer.from(`{${Array.from({ length: 5000 }, (_, at) => `"n${at}":0`).join(',')}}`),
  },
  'a field of 63 KiB in every place': {
    body: Buffer.from(
      `{"username":"${'a'.repeat(20_000)}","password":"${'b'.repeat(20_000)}","email":"${'@.'.repeat(10_000)}"}`,
    ),
  },
  'a form of many parts': {
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    body: Buffer.from('--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n'.repeat(1000)),
  },
}

export interface Place {
  name: string
  method: string
  path: string
}

export const methodOf = ({ method, changes }: { method: string; changes?: true }): string => (changes ? 'POST' : method)
export const filled = (path: string): string => path.replace(/\/$/, '').replace(/\{\w+\}/g, '1')

/** Places of the JSON API that answer nobody. */
export const publicPlaces: readonly Place[] = [
  ...[...endpointsByName]
    .filter(([, { access }]) => access === 'public')
    .map(([name, endpoint]) => ({ name, method: methodOf(endpoint), path: filled(endpoint.path) })),
  { name: 'the document', method: 'GET', path: '/api/openapi.json' },
  { name: 'a report of Epay', method: 'POST', path: '/api/user/epay/notify' },
  { name: 'a report of Stripe', method: 'POST', path: '/api/user/stripe/notify' },
  { name: 'the console', method: 'GET', path: '/' },
  { name: 'nothing', method: 'POST', path: '/nowhere' },
]

/** Calls of the relay. */
export const relayPlaces: readonly Place[] = [
  ...Object.keys(CALL_PATHS),
  '/v1/messages/count_tokens',
  '/v1beta/models/gpt-4o-mini:generateContent',
  '/v1beta/models/gpt-4o-mini:countTokens',
  '/pg/chat/completions',
].map((path) => ({ name: path, method: 'POST', path }))
