// Files that a request points at and the provider does not fetch itself: fetched by the guarded client, or by the
// operator's worker, and sent as bytes. Number and size are bounded.
import { filledAddresses, type Fetched, type FileKind } from '../dialects/addresses.ts'
import type { AnyDialect } from '../dialects/dialect.ts'
import { jsonBytes } from '../dialects/json-bytes.ts'
import { parsedBytes } from '../dialects/json-value.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { fail, GatewayError } from '../errors.ts'
import type { Web, WebReply } from '../ports/web.ts'
import type { Door } from '../providers/provider.ts'
import type { Settings } from '../settings/index.ts'

const MIB = 1024 * 1024
const MOST_FILES = 16
const MOST_BYTES = 20 * MIB
const TIMEOUT_MS = 30_000

/** What providers read of a file. */
const TYPES = /^(image|audio|video|text)\/[\w.+-]+$|^application\/(pdf|json|xml)$/

/** Which kinds of files must be sent as bytes at that door. */
export function inlineAt(door: Door, asked: AnyDialect): readonly FileKind[] {
  if (door.inlines) return door.inlines
  // Chat has no word for the address of a file: where another format had one, it would be lost.
  return door.dialect === openaiChat && asked !== openaiChat ? FILES : NONE
}

const FILES: readonly FileKind[] = ['file']
const NONE: readonly FileKind[] = []

/** A value that is an address; slashes may be escaped. */
const ADDRESS = /"https?:\\?\//i
const decoder = new TextDecoder()

/**
 * The body with bytes in place of addresses; the very same where it has none of these kinds.
 * @throws GatewayError request.file
 */
export async function withFiles(
  body: Uint8Array,
  kinds: readonly FileKind[],
  web: Web,
  settings: FetchSettings,
): Promise<Uint8Array> {
  if (!ADDRESS.test(decoder.decode(body))) return body
  const request = parsedBytes(body)
  const wanted = new Set<string>()
  filledAddresses(request, (url, kind) => {
    if (kinds.includes(kind)) wanted.add(url)
    return undefined
  })
  if (wanted.size === 0) return body
  if (wanted.size > MOST_FILES) fail('request.file', { reason: `more than ${MOST_FILES} files` })
  const files = new Map<string, Fetched>()
  let left = settings['relay.max_body_megabytes'] * MIB
  for (const url of wanted) {
    const { body: bytes, headers } = await fetched(url, Math.min(MOST_BYTES, left), web)
    left -= bytes.length
    const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
    if (!TYPES.test(type)) fail('request.file', { reason: `its type is ${type.slice(0, 60) || 'not told'}` })
    files.set(url, { type, data: base64(bytes) })
  }
  return jsonBytes(filledAddresses(request, (url, kind) => (kinds.includes(kind) ? files.get(url) : undefined)))
}

type FetchSettings = Pick<Settings, 'relay.max_body_megabytes'>

/** @throws GatewayError request.file */
async function fetched(url: string, max_bytes: number, web: Web): Promise<WebReply> {
  try {
    const reply = await web.send({ method: 'GET', url, max_bytes, timeout_ms: TIMEOUT_MS, by_worker: true })
    if (reply.status === 200) return reply
    return fail('request.file', { reason: `status ${reply.status}` })
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'request.file') throw error
    const reason = error instanceof GatewayError ? error.message : 'it could not be reached'
    throw new GatewayError('request.file', { reason }, { cause: error })
  }
}

/** So many bytes are spelled at once: an argument list has its limits. */
const AT_ONCE = 0x8000

function base64(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += AT_ONCE) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + AT_ONCE)))
  }
  return btoa(parts.join(''))
}
