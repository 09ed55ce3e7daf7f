// Fetches files that a caller refers to, and encodes them in base64 block by block as they arrive, so that no large
// file blocks the event loop.
import { fail, GatewayError } from '../errors.ts'
import type { AbortSignalLike } from '../ports/clock.ts'
import type { WebClient } from '../ports/web.ts'

/** Concurrent fetches of one user in this process; further ones wait. */
export const MAX_FETCHES_PER_FILE = 4

const TIMEOUT_MS = 30_000

/** Content types that providers read. */
const TYPES = /^(image|audio|video|text)\/[\w.+-]+$|^application\/(pdf|json|xml)$/
/** Content types that formats send as text. */
const TEXTS = /^text\/|^application\/(json|xml)$/

export interface FetchedFile {
  type: string
  /** The bytes in base64, as consecutive parts. */
  base64: readonly Uint8Array[]
  /** Length of the base64, in bytes. */
  length: number
  /** True if the content type is a text type and the bytes are UTF-8. */
  is_text: boolean
}

export interface FileRequest {
  url: string
  user_id: number
  /** Maximum length of the file, in bytes. */
  max_bytes: number
  /** Counts bytes as they arrive. An error that it throws ends the fetch. */
  count(bytes: number): void
  signal: AbortSignalLike
}

/** @throws GatewayError request.file; what `count` throws; the reason of the signal */
export type FetchFile = (request: FileRequest) => Promise<FetchedFile>

export function createFetchFile(web: WebClient): FetchFile {
  const turns = new UserTurns(MAX_FETCHES_PER_FILE)
  return async (request) => {
    await turns.take(request.user_id)
    try {
      if (request.signal.aborted) throw request.signal.reason
      return await fetchOne(request, web)
    } finally {
      turns.giveBack(request.user_id)
    }
  }
}

async function fetchOne({ url, max_bytes, count, signal }: FileRequest, web: WebClient): Promise<FetchedFile> {
  const encoder = new Base64Encoder()
  let refusal: unknown
  const take = (part: Uint8Array) => {
    try {
      if (signal.aborted) throw signal.reason
      count(part.length)
    } catch (error) {
      refusal = error
      throw error
    }
    encoder.add(part)
  }
  const request = { method: 'GET', url, max_bytes, timeout_ms: TIMEOUT_MS, by_worker: true, take } as const
  const { status, headers } = await web.send(request).catch((error: unknown) => {
    if (refusal !== undefined) throw refusal
    const reason = error instanceof GatewayError ? error.message : 'it could not be reached'
    throw new GatewayError('request.file', { reason }, { cause: error })
  })
  if (status !== 200) fail('request.file', { reason: `status ${status}` })
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (!TYPES.test(type)) fail('request.file', { reason: `its type is ${type.slice(0, 60) || 'not told'}` })
  const base64 = encoder.end()
  return {
    type,
    base64,
    length: base64.reduce((sum, part) => sum + part.length, 0),
    is_text: TEXTS.test(type) && isUtf8(base64),
  }
}

function isUtf8(base64: readonly Uint8Array[]): boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for (const part of base64) decoder.decode(fromBase64(part), { stream: true })
    decoder.decode()
    return true
  } catch {
    return false
  }
}

/** Decodes a part of base64. */
export const fromBase64 = (part: Uint8Array): Uint8Array => Buffer.from(Buffer.from(part).toString('latin1'), 'base64')

/**
 * Bytes that are encoded in one step: a multiple of three, which needs no padding. Smaller parts are collected first.
 */
const BLOCK_BYTES = 48 * 1024

class Base64Encoder {
  private readonly parts: Uint8Array[] = []
  private block = Buffer.allocUnsafe(BLOCK_BYTES)
  private filled = 0

  add(part: Uint8Array): void {
    for (let from = 0; from < part.length;) {
      const piece = part.subarray(from, from + BLOCK_BYTES - this.filled)
      this.block.set(piece, this.filled)
      this.filled += piece.length
      from += piece.length
      if (this.filled === BLOCK_BYTES) this.flush()
    }
  }

  end(): readonly Uint8Array[] {
    if (this.filled > 0) this.flush()
    return this.parts
  }

  private flush(): void {
    this.parts.push(Buffer.from(this.block.toString('base64', 0, this.filled), 'latin1'))
    this.filled = 0
  }
}

/** Limits each user to `most` turns at once. Waiting requests are served in order of arrival. */
class UserTurns {
  private readonly most: number
  private readonly taken = new Map<number, { count: number; waiting: (() => void)[] }>()

  constructor(most: number) {
    this.most = most
  }

  async take(user: number): Promise<void> {
    const own = this.taken.get(user) ?? { count: 0, waiting: [] }
    this.taken.set(user, own)
    if (own.count < this.most) own.count += 1
    else await new Promise<void>((go) => own.waiting.push(go))
  }

  giveBack(user: number): void {
    const own = this.taken.get(user)
    if (!own) return
    const next = own.waiting.shift()
    if (next) return next()
    own.count -= 1
    if (own.count === 0) this.taken.delete(user)
  }
}
