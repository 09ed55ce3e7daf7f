// Reads multipart forms within limits: fields as JSON, files in memory or (larger ones) in temporary files without a name.
import { open, unlink, type FileHandle } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import { GatewayError } from '../../core/index.ts'
import { toJsonBytes } from '../../core/dialects/json/json-bytes.ts'
import type { FormParts, FormFile } from '../../core/dialects/media/multipart.ts'
import type { BodyShare } from '../budgets.ts'
import { limitBytes, decompressRequestBody } from './body.ts'

export interface ReadForm {
  /** The fields as JSON; a repeated field is a list. */
  body: Uint8Array
  form: FormParts
  /** Closes the temporary files, which deletes them. */
  discard(): Promise<void>
}

/** Maximum size of a file that stays in memory, in bytes. */
const IN_MEMORY = 256 * 1024
const READ_BYTES = 64 * 1024
const LIMITS = { fieldNameSize: 256, fieldSize: 1024 * 1024, fields: 128, files: 32, parts: 160, headerPairs: 32 }
const BOUNDARY = /^multipart\/form-data\s*;.*?boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i

/** True if the body of a request is a form. */
export const isFormRequest = ({ headers }: IncomingMessage): boolean => BOUNDARY.test(headers['content-type'] ?? '')

/**
 * Reads a form.
 * @param limit maximum size of the whole body after decompression, in bytes
 * @param share receives the number of bytes as they arrive, files included, and may refuse them
 * @throws GatewayError request.too_large, request.invalid
 */
export async function readRequestForm(
  request: IncomingMessage,
  limit: number,
  share: Pick<BodyShare, 'take'>,
): Promise<ReadForm> {
  const content_type = request.headers['content-type'] ?? ''
  const [, quoted, plain] = BOUNDARY.exec(content_type) ?? []
  const fields = new Map<string, string | string[]>()
  const streams: BusboyFileStream[] = []
  const storedFiles: Promise<FormFile>[] = []
  const handles: FileHandle[] = []
  const discard = async () => void (await Promise.all(handles.map((handle) => handle.close())))
  const reader = new Busboy({ headers: { 'content-type': content_type }, limits: { ...LIMITS, fileSize: limit } })
  const refuse = (reason: string) => reader.destroy(new GatewayError('request.invalid', { reason }))

  reader.on('field', (name, value, nameTruncated, valueTruncated) => {
    if (nameTruncated || valueTruncated) return refuse(`the field ${name.slice(0, 32)} is too large`)
    const before = fields.get(name)
    fields.set(name, before === undefined ? value : [before, value].flat())
  })
  reader.on('file', (name, stream, filename, _, type) => {
    streams.push(stream)
    const file = storeFile(stream, handles).then((bytes) => ({
      name,
      filename: filename ?? 'file',
      content_type: type,
      ...bytes,
    }))
    file.catch(() => undefined) // awaited below, or its failure has been reported already
    storedFiles.push(file)
  })
  for (const limited of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
    reader.on(limited, () => refuse('the form has too many parts'))
  }
  try {
    await pipeline(decompressRequestBody(request), limitBytes(limit, share), reader)
    const files = await Promise.all(storedFiles)
    return { body: toJsonBytes(Object.fromEntries(fields)), form: { boundary: quoted ?? plain ?? '', files }, discard }
  } catch (cause) {
    const error = cause as Error
    for (const stream of streams) stream.destroy(error)
    await Promise.allSettled(storedFiles)
    await discard()
    throw error instanceof GatewayError
      ? error
      : new GatewayError('request.invalid', { reason: 'the form cannot be read' }, { cause })
  }
}

type Bytes = Pick<FormFile, 'size' | 'read'>

/** Stores a file: in memory, or in a temporary file while it arrives if it is large. */
async function storeFile(stream: Readable, handles: FileHandle[]): Promise<Bytes> {
  let parts: Uint8Array[] = []
  let size = 0
  let handle: FileHandle | undefined
  for await (const part of stream as AsyncIterable<Uint8Array>) {
    size += part.length
    parts.push(part)
    if (size <= IN_MEMORY) continue
    if (!handle) handles.push((handle = await openUnnamedFile()))
    for (const waiting of parts) await handle.write(waiting)
    parts = []
  }
  const memory = parts
  return handle ? { size, read: () => readFrom(handle, size) } : { size, read: () => Readable.from(memory) }
}

/** Opens a temporary file and unlinks it at once, so that it is deleted when it is closed, even by a crash. */
async function openUnnamedFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `weir-${randomUUID()}`)
  const handle = await open(path, 'wx+', 0o600)
  await unlink(path)
  return handle
}

async function* readFrom(handle: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size;) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(Math.min(READ_BYTES, size - at)), 0, undefined, at)
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
