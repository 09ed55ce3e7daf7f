// Bodies that come in very many chunks are refused, packed or not: a chunk costs the same whatever it holds.
import type { IncomingMessage } from 'node:http'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { limitBytes, readRequestBody } from '../../http/middleware/body.ts'

const LIMIT = 1024 * 1024

const requestOf = (bytes: Uint8Array, chunkBytes: number, encoding?: string): IncomingMessage => {
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, at) =>
    Buffer.from(bytes.subarray(at * chunkBytes, (at + 1) * chunkBytes)),
  )
  const headers = encoding === undefined ? {} : { 'content-encoding': encoding }
  return Object.assign(Readable.from(chunks), { headers, complete: true }) as unknown as IncomingMessage
}

const body = randomBytes(40_000)
const forms: [name: string, bytes: Uint8Array, encoding?: string][] = [
  ['plain', body],
  ['gzip', gzipSync(body), 'gzip'],
  ['deflate', deflateSync(body), 'deflate'],
  ['br', brotliCompressSync(body), 'br'],
]

describe.each(forms)('a body that is %s', (_, bytes, encoding) => {
  it('is refused in chunks of one byte', async () => {
    await expect(readRequestBody(requestOf(bytes, 1, encoding), LIMIT)).rejects.toMatchObject({
      code: 'request.invalid',
      message: expect.stringContaining('small chunks'),
    })
  })

  it.each([4, 1000])('is read in chunks of %i bytes', async (chunkBytes) => {
    expect(Buffer.compare(await readRequestBody(requestOf(bytes, chunkBytes, encoding), LIMIT), body)).toBe(0)
  })
})

it('a body that is passed on is refused in chunks of one byte', async () => {
  const passed = limitBytes(LIMIT, { take: () => undefined })(requestOf(body, 1))
  const read = async () => {
    for await (const part of passed) expect(part.length).toBe(1)
  }
  await expect(read()).rejects.toMatchObject({ code: 'request.invalid' })
})
