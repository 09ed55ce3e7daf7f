// Request bodies, bounded before anything reads them; packed ones by what they unpack to, and by how much more that is.
import type { IncomingMessage } from 'node:http'
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { GatewayError } from '../../core/index.ts'
import type { BodyShare } from '../body-budget.ts'

const KIB = 1024
const MIB = 1024 * KIB

const tooLarge = (limit: number) =>
  new GatewayError('request.too_large', {
    limit: limit < MIB ? `${Math.round(limit / KIB)} KiB` : `${Math.round(limit / MIB)} MiB`,
  })

/** A body may unpack to so many times its size. */
const MOST_RATIO = 100
/** So much may come of any packed body. Unit: bytes. */
const FREE_UNPACKED = MIB
/** A body may come in so many chunks, and in one more for each 64 bytes: one of a byte costs as much as one of 64 KiB. */
const FREE_CHUNKS = 16 * 1024
const SMALL_CHUNK_BYTES = 64

/**
 * Reads the whole body.
 * @param limit bytes, after unpacking
 * @param share told of the bytes as they come; may refuse them
 * @throws GatewayError request.too_large, request.invalid, request.unreadable, request.encoding, request.unpacks,
 * request.taken
 */
export function readBody(
  request: IncomingMessage,
  limit: number,
  share?: Pick<BodyShare, 'take'>,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    refuseTaken(request)
    const told = request.headers['content-length']
    if (told !== undefined && Number(told) > limit) throw tooLarge(limit)
    if (request.destroyed) throw new GatewayError('request.unreadable')
    const unpack = unpacker(request)
    const source = unpack ? request.pipe(unpack) : request
    const parts: Buffer[] = []
    let size = 0
    /** As it comes, before it is unpacked. */
    let arrived = 0
    let chunks = 0
    const count = (part: Buffer) => {
      arrived += part.length
      refuseScraps(++chunks, arrived)
    }
    const refuse = (error: GatewayError) => {
      request.unpipe()
      source.removeAllListeners('data')
      unpack?.destroy()
      parts.length = 0
      reject(error)
    }
    const taking = (take: (part: Buffer) => void) => (part: Buffer) => {
      try {
        take(part)
      } catch (error) {
        refuse(error as GatewayError)
      }
    }
    if (unpack) request.on('data', taking(count))
    source.on(
      'data',
      taking((part) => {
        if (!unpack) count(part)
        size += part.length
        parts.push(part)
        if (size > limit) throw tooLarge(limit)
        if (unpack && size > Math.max(FREE_UNPACKED, arrived * MOST_RATIO))
          throw new GatewayError('request.unpacks', { ratio: MOST_RATIO })
        share?.take(part.length)
      }),
    )
    source.on('end', () => resolve(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)))
    const broken = (error: Error) => refuse(new GatewayError('request.unreadable', {}, { cause: error }))
    request.on('error', broken)
    if (unpack) unpack.on('error', broken)
    request.on('close', () => request.complete || broken(new Error('the caller hung up')))
  })
}

/** @throws GatewayError request.invalid where so many bytes came in too many chunks */
function refuseScraps(chunks: number, bytes: number): void {
  if (chunks > FREE_CHUNKS + bytes / SMALL_CHUNK_BYTES)
    throw new GatewayError('request.invalid', { reason: 'the body comes in too many small chunks' })
}

/** A host's body parser may have been here before: its bytes never come again. @throws GatewayError request.taken */
function refuseTaken(request: IncomingMessage): void {
  if (request.readableDidRead) throw new GatewayError('request.taken')
}

/** A body that is not packed: none else is read but of who can pay. @throws as `readBody`, and request.packed */
export function readPlainBody(
  request: IncomingMessage,
  limit: number,
  share?: Pick<BodyShare, 'take'>,
): Promise<Uint8Array> {
  return packing(request) === undefined
    ? readBody(request, limit, share)
    : Promise.reject(new GatewayError('request.packed'))
}

/** The body as it was before it was packed. @throws GatewayError request.encoding, request.taken */
export function decompressBody(request: IncomingMessage): Readable {
  refuseTaken(request)
  const unpack = unpacker(request)
  if (!unpack) return request
  request.on('error', (error) => unpack.destroy(error))
  return request.pipe(unpack)
}

/** Passes so many bytes on, and no more; `share` may refuse them. @throws GatewayError request.too_large, request.invalid */
export const limitBytes = (limit: number, share: Pick<BodyShare, 'take'>) =>
  async function* (parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let size = 0
    let chunks = 0
    for await (const part of parts) {
      size += part.length
      refuseScraps(++chunks, size)
      if (size > limit) throw tooLarge(limit)
      share.take(part.length)
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
