// Decodes AWS's binary stream framing (application/vnd.amazon.eventstream) around events of Anthropic's format.
import { fail } from '../../errors.ts'
import { encodeEventFrames, type SseFrame, MAX_FRAME_BYTES } from './frames.ts'
import { asObject, parseJsonBytes, asText } from '../json/json-value.ts'

/** Total length, length of the headers, and the checksum of both. */
const PRELUDE_BYTES = 12
const CHECKSUM_BYTES = 4
const TEXT_HEADER = 7

const decoder = new TextDecoder()

/** Yields the events inside as server-sent events. */
export async function* readAwsEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held = new Uint8Array()
  for await (const run of body) {
    const bytes = held.length === 0 ? run : joined(held, run)
    const frames: SseFrame[] = []
    let at = 0
    for (;;) {
      const size = sizeAt(bytes, at)
      if (size === undefined || at + size > bytes.length) break
      frames.push(...parseMessage(bytes.subarray(at, at + size)))
      at += size
    }
    held = bytes.slice(at)
    if (frames.length > 0) yield encodeEventFrames(frames)
  }
  if (held.length > 0) fail('upstream.broken')
}

function sizeAt(bytes: Uint8Array, at: number): number | undefined {
  if (bytes.length - at < PRELUDE_BYTES) return undefined
  const size = toDataView(bytes).getUint32(at)
  return size < PRELUDE_BYTES + CHECKSUM_BYTES || size > MAX_FRAME_BYTES ? fail('upstream.unreadable') : size
}

function parseMessage(message: Uint8Array): SseFrame[] {
  const view = toDataView(message)
  const end = message.length - CHECKSUM_BYTES
  if (checksum(message.subarray(0, end)) !== view.getUint32(end)) fail('upstream.unreadable')
  const start = PRELUDE_BYTES + view.getUint32(4)
  const headers = parseHeaders(message.subarray(PRELUDE_BYTES, start))
  const payload = asObject(parseJsonBytes(message.subarray(start, end))) ?? {}
  if (headers[':message-type'] !== 'event') {
    const kind = headers[':exception-type'] ?? headers[':error-code'] ?? ''
    const words = asText(payload.message) ?? headers[':error-message'] ?? kind
    return [
      { event: 'error', data: JSON.stringify({ type: 'error', error: { type: errorType(kind), message: words } }) },
    ]
  }
  const data = asText(payload.bytes)
  if (data === undefined) return []
  const inner = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))
  const event = asText(asObject(parseJsonBytes(inner))?.type)
  return [{ ...(event ? { event } : {}), data: decoder.decode(inner) }]
}

/** Reads the text headers of a message. Headers of other types are skipped; none of them matters here. */
function parseHeaders(bytes: Uint8Array): Record<string, string> {
  const headers: Record<string, string> = {}
  const view = toDataView(bytes)
  for (let at = 0; at < bytes.length;) {
    const nameEnd = at + 1 + bytes[at]!
    const valueStart = nameEnd + 3
    if (valueStart > bytes.length || bytes[nameEnd] !== TEXT_HEADER) break
    const valueEnd = valueStart + view.getUint16(nameEnd + 1)
    headers[decoder.decode(bytes.subarray(at + 1, nameEnd))] = decoder.decode(bytes.subarray(valueStart, valueEnd))
    at = valueEnd
  }
  return headers
}

/** Maps AWS's exceptions to Anthropic's error types. */
const errorTypes: Record<string, string> = {
  throttlingException: 'rate_limit_error',
  validationException: 'invalid_request_error',
  serviceUnavailableException: 'overloaded_error',
  modelTimeoutException: 'timeout_error',
}
const errorType = (kind: string): string => (Object.hasOwn(errorTypes, kind) ? errorTypes[kind]! : 'api_error')

const toDataView = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}

/** CRC-32 (ISO 3309), a byte at a time. */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

function checksum(bytes: Uint8Array): number {
  let value = 0xffffffff
  for (const byte of bytes) value = table[(value ^ byte) & 0xff]! ^ (value >>> 8)
  return (value ^ 0xffffffff) >>> 0
}
