// Reads request bodies within limits. Compressed bodies are limited by their decompressed size and by the ratio of both sizes.
import type { IncomingMessage } from 'node:http'
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { type Gateway, GatewayError } from '../../core/index.ts'
import type { BodyShare } from '../budgets.ts'

const KIB = 1024
const MIB = 1024 * KIB

const tooLarge = (limit: number) =>
  new GatewayError('request.too_large', {
    limit: limit < MIB ? `${Math.round(limit / KIB)} KiB` : `${Math.round(limit / MIB)} MiB`,
  })

/** Maximum ratio of the decompressed size of a body to its size. */
const MOST_RATIO = 100
/** Decompressed size that is allowed at any ratio, in bytes. */
const FREE_UNPACKED = MIB
/** Maximum number of chunks of a body, plus one for each 64 bytes: a chunk of one byte costs as much as one of 64 KiB. */
const FREE_CHUNKS = 16 * 1024
const SMALL_CHUNK_BYTES = 64

/** A body of this size takes a turn of its own. Unit: bytes. */
const LARGE_BODY = 64 * KIB

/**
 * Waits until a large body may begin; a small one begins at once. A megabyte takes milliseconds, and a small call takes several
 * turns of the event loop: the bodies of a few agents would hold it back in each of them.
 */
export const waitForTurn = ({ ports }: Pick<Gateway, 'ports'>, body: Uint8Array): Promise<void> | undefined =>
  body.length < LARGE_BODY ? undefined : ports.takeLargeBodyTurn?.()

/**
 * Reads the whole body.
 * @param limit maximum size after decompression, in bytes
 * @param share receives the number of bytes as they arrive, and may refuse them
 * @throws GatewayError request.too_large, request.invalid, request.unreadable, request.encoding, request.unpacks,
 * request.taken
 */
export function readRequestBody(
  request: IncomingMessage,
  limit: number,
  share?: Pick<BodyShare, 'take'>,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    refuseTaken(request)
    const announced = request.headers['content-length']
    if (announced !== undefined && Number(announced) > limit) throw tooLarge(limit)
    if (request.destroyed) throw new GatewayError('request.unreadable')
    const unpack = unpacker(request)
    const source = unpack ? request.pipe(unpack) : request
    const parts: Buffer[] = []
    let size = 0
    /** Bytes received, before decompression. */
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
    source.on('end', () => {
      if (parts.length === 1 && parts[0]) return resolve(parts[0])
      const body = Buffer.concat(parts)
      // Another listener of the host may keep the chunks.
      if (!unpack && size >= LARGE_BODY && request.listenerCount('data') === 1) freeChunks(parts)
      resolve(body)
    })
    const broken = (error: Error) => refuse(new GatewayError('request.unreadable', {}, { cause: error }))
    request.on('error', broken)
    if (unpack) unpack.on('error', broken)
    request.on('close', () => request.complete || broken(new Error('the caller hung up')))
  })
}

/** A port without a receiver: the memory of buffers that are transferred to it is freed. */
const nowhere = new MessageChannel().port1
nowhere.close()

/**
 * Frees the memory of chunks at once. V8 marks its whole heap each time buffers have grown by 64 MB, and chunks that wait for that
 * are a third of what it counts (test/bench/PROFILE.md). Chunks that share their memory are left to it.
 */
const freeChunks = (chunks: readonly Buffer[]): void =>
  nowhere.postMessage(
    undefined,
    chunks.filter(({ buffer, length }) => buffer.byteLength === length).map(({ buffer }) => buffer as ArrayBuffer),
  )

/** @throws GatewayError request.invalid if the chunks are too many for the bytes */
function refuseScraps(chunks: number, bytes: number): void {
  if (chunks > FREE_CHUNKS + bytes / SMALL_CHUNK_BYTES)
    throw new GatewayError('request.invalid', { reason: 'the body comes in too many small chunks' })
}

/** Refuses a body that was read before, as by a parser of the host. @throws GatewayError request.taken */
function refuseTaken(request: IncomingMessage): void {
  if (request.readableDidRead) throw new GatewayError('request.taken')
}

/** Reads an uncompressed body. Compressed ones are accepted of paying callers only. @throws as `readBody`, and request.packed */
export function readPlainBody(
  request: IncomingMessage,
  limit: number,
  share?: Pick<BodyShare, 'take'>,
): Promise<Uint8Array> {
  return getContentCoding(request) === undefined
    ? readRequestBody(request, limit, share)
    : Promise.reject(new GatewayError('request.packed'))
}

/** Returns the decompressed body. @throws GatewayError request.encoding, request.taken */
export function decompressRequestBody(request: IncomingMessage): Readable {
  refuseTaken(request)
  const unpack = unpacker(request)
  if (!unpack) return request
  request.on('error', (error) => unpack.destroy(error))
  return request.pipe(unpack)
}

/** Passes on at most `limit` bytes; `share` may refuse them. @throws GatewayError request.too_large, request.invalid */
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

/** Returns the content coding of a body in lower case; undefined if it is not compressed. */
export function getContentCoding({ headers }: IncomingMessage): string | undefined {
  const name = (headers['content-encoding'] ?? '').trim().toLowerCase()
  return name === '' || name === 'identity' ? undefined : name
}

/** @throws GatewayError request.encoding */
function unpacker(request: IncomingMessage): Transform | undefined {
  const name = getContentCoding(request)
  if (name === undefined) return undefined
  if (Object.hasOwn(unpackers, name)) return unpackers[name]!()
  throw new GatewayError('request.encoding', { encoding: name, known: Object.keys(unpackers).join(', ') })
}
