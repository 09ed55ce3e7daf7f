// Request bodies, bounded before anything reads them; gzip and br are bounded by what they unpack to.
import type { IncomingMessage } from 'node:http'
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { GatewayError } from '../../core/index.ts'

const KIB = 1024
const MIB = 1024 * KIB

const tooLarge = (limit: number) =>
  new GatewayError('request.too_large', {
    limit: limit < MIB ? `${Math.round(limit / KIB)} KiB` : `${Math.round(limit / MIB)} MiB`,
  })

/**
 * Reads the whole body.
 * @param limit bytes, after unpacking
 * @throws GatewayError request.too_large, request.unreadable, request.encoding
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  const { headers } = request
  if (headers['content-length'] !== undefined && Number(headers['content-length']) > limit) {
    throw tooLarge(limit)
  }
  const unpack = unpacker(request)
  const source = unpack ? request.pipe(unpack) : request
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let size = 0
    const refuse = (error: GatewayError) => {
      request.unpipe()
      source.removeAllListeners('data')
      reject(error)
    }
    source.on('data', (part: Buffer) => {
      size += part.length
      if (size > limit) refuse(tooLarge(limit))
      else parts.push(part)
    })
    source.on('end', () => resolve(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)))
    const broken = (error: Error) => refuse(new GatewayError('request.unreadable', {}, { cause: error }))
    request.on('error', broken)
    if (unpack) unpack.on('error', broken)
    request.on('close', () => request.complete || broken(new Error('the caller hung up')))
  })
}

/** The body as it was before it was packed. */
export function unpacked(request: IncomingMessage): Readable {
  const unpack = unpacker(request)
  if (!unpack) return request
  request.on('error', (error) => unpack.destroy(error))
  return request.pipe(unpack)
}

/** Passes so many bytes on, and no more. @throws GatewayError request.too_large */
export const bounded = (limit: number) =>
  async function* (parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let size = 0
    for await (const part of parts) {
      size += part.length
      if (size > limit) throw tooLarge(limit)
      yield part
    }
  }

const unpackers: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
}

/** How a body is packed; undefined where it is not. Names of codings are in any case. */
export function packing({ headers }: IncomingMessage): string | undefined {
  const name = (headers['content-encoding'] ?? '').trim().toLowerCase()
  return name === '' || name === 'identity' ? undefined : name
}

/** @throws GatewayError request.encoding */
function unpacker(request: IncomingMessage): Transform | undefined {
  const name = packing(request)
  if (name === undefined) return undefined
  if (Object.hasOwn(unpackers, name)) return unpackers[name]!()
  throw new GatewayError('request.encoding', { encoding: name, known: Object.keys(unpackers).join(', ') })
}
