// Files that a call points at and the provider does not fetch itself: each is fetched once in a call, by the guarded client or
// the operator's worker, counted among the bytes of its caller, and sent as bytes.
import { fillAddresses, type Fetched, type FileKind } from '../dialects/addresses.ts'
import type { AnyDialect } from '../dialects/dialect.ts'
import { jsonBytes } from '../dialects/json-bytes.ts'
import { parseJsonBytes } from '../dialects/json-value.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { fail } from '../errors.ts'
import type { YieldToEventLoop } from '../ports/later.ts'
import type { Random } from '../ports/random.ts'
import type { Signal } from '../ports/signal.ts'
import type { UpstreamEndpoint } from '../providers/provider.ts'
import type { Settings } from '../settings/index.ts'
import type { Call } from './call.ts'
import type { FetchFile } from './fetch-file.ts'
import { FileMarks } from './file-marks.ts'

const MIB = 1024 * 1024
const MOST_FILES = 16
const MOST_BYTES = 20 * MIB

/** Which kinds of files must be sent as bytes at that door. */
export function inlineAt(door: UpstreamEndpoint, asked: AnyDialect): readonly FileKind[] {
  if (door.inlines) return door.inlines
  // Chat has no word for the address of a file: where another format had one, it would be lost.
  return door.dialect === openaiChat && asked !== openaiChat ? FILES : NONE
}

const FILES: readonly FileKind[] = ['file']
const NONE: readonly FileKind[] = []

/** A value that is an address; slashes may be escaped. */
const ADDRESS = /"https?:\\?\//i
const decoder = new TextDecoder()

export interface FilePorts {
  fetchFile: FetchFile
  random: Random
  /** Without one, large bodies are put together in one turn. */
  later?: YieldToEventLoop
}

type FileCall = Pick<Call, 'body' | 'caller' | 'bytes' | 'signal'>

/** The files of one call, whatever channels and models it is tried with. */
export class CallFiles {
  private readonly ports: FilePorts
  private readonly call: FileCall
  private readonly signal: Signal
  private left: number
  private marks: FileMarks | undefined
  /** By their addresses. */
  private readonly fetched = new Map<string, Promise<Fetched>>()
  /** The call's body, by the kinds of files that it is to hold as bytes. */
  private readonly bodies = new Map<string, Promise<Uint8Array>>()

  /** @param signal aborted when nobody waits for the files any more */
  constructor(ports: FilePorts, call: FileCall, settings: Pick<Settings, 'relay.max_body_megabytes'>, signal: Signal) {
    this.ports = ports
    this.call = call
    this.left = settings['relay.max_body_megabytes'] * MIB
    this.signal = signal
  }

  /** Nothing is tried again for a caller who has left. */
  private letGo(): void {
    this.fetched.clear()
    this.bodies.clear()
    this.call.bytes?.end()
  }

  /**
   * The call's body with marks in place of addresses; the very same where it has none of these kinds.
   * @throws GatewayError request.file, limit.bytes
   */
  markedBody(kinds: readonly FileKind[]): Promise<Uint8Array> {
    const key = kinds.join()
    const known = this.bodies.get(key) ?? this.markBody(kinds)
    this.bodies.set(key, known)
    return known
  }

  /** A request made of a marked body, with the bytes in place of the marks. */
  fill(body: Uint8Array): Promise<Uint8Array> | Uint8Array {
    return this.marks ? this.marks.fill(body) : body
  }

  private async markBody(kinds: readonly FileKind[]): Promise<Uint8Array> {
    const { body } = this.call
    if (!ADDRESS.test(decoder.decode(body))) return body
    const request = parseJsonBytes(body)
    const places = new Map<string, number>()
    const wanted = new Set<string>()
    fillAddresses(request, (url, kind) => {
      places.set(url, (places.get(url) ?? 0) + 1)
      if (kinds.includes(kind)) wanted.add(url)
      return undefined
    })
    if (wanted.size === 0) return body
    if (wanted.size > MOST_FILES) fail('request.file', { reason: `more than ${MOST_FILES} files` })
    const files = new Map<string, Fetched>()
    for (const url of wanted) {
      const fetched = this.fetched.get(url) ?? this.fetch(url, places.get(url) ?? 1)
      this.fetched.set(url, fetched)
      files.set(url, await fetched)
    }
    return jsonBytes(fillAddresses(request, (url, kind) => (kinds.includes(kind) ? files.get(url) : undefined)))
  }

  /** A file that stands in several places is sent several times, and its bytes count as often. */
  private async fetch(url: string, times: number): Promise<Fetched> {
    if (this.fetched.size === 0) this.call.signal.addEventListener('abort', () => this.letGo(), { once: true })
    const file = await this.ports.fetchFile({
      url,
      user_id: this.call.caller.user.id,
      max_bytes: Math.min(MOST_BYTES, Math.floor(this.left / times)),
      count: (bytes) => {
        this.left -= bytes * times
        this.call.bytes?.take(bytes * times)
      },
      signal: this.signal,
    })
    this.marks ??= new FileMarks(this.ports.random, this.ports.later)
    return { type: file.type, data: this.marks.add(file) }
  }
}
