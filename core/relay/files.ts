// Files that a call refers to and the provider does not fetch itself: each is fetched once per call, by the guarded
// client or the operator's worker, counted among the bytes of its caller, and sent as bytes.
import { inlineFileAddresses, type EncodedFile, type FileKind } from '../dialects/addresses.ts'
import type { CallerDialect } from '../dialects/dialect.ts'
import { toJsonBytes } from '../dialects/json/json-bytes.ts'
import { parseJsonBytes } from '../dialects/json/json-value.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { fail } from '../errors.ts'
import type { YieldToEventLoop } from '../ports/later.ts'
import type { Random } from '../ports/random.ts'
import type { AbortSignalLike } from '../ports/signal.ts'
import type { UpstreamEndpoint } from '../providers/provider.ts'
import type { Settings } from '../settings/index.ts'
import type { Call } from './call.ts'
import type { FetchFile } from './fetch-file.ts'
import { FileMarks } from './file-marks.ts'

const MIB = 1024 * 1024
const MOST_FILES = 16
const MOST_BYTES = 20 * MIB

/** Returns the kinds of files that must be sent to that endpoint as bytes. */
export function listInlinedKinds(endpoint: UpstreamEndpoint, dialect: CallerDialect): readonly FileKind[] {
  if (endpoint.inlines) return endpoint.inlines
  // The chat format has no field for a file's address, so an address of another format would be lost.
  return endpoint.dialect === openaiChat && dialect !== openaiChat ? FILES : NONE
}

const FILES: readonly FileKind[] = ['file']
const NONE: readonly FileKind[] = []

/** Matches a value that is an address; slashes may be escaped. */
const ADDRESS = /"https?:\\?\//i
const decoder = new TextDecoder()

export interface FilePorts {
  fetchFile: FetchFile
  random: Random
  /** Without it, large bodies are assembled in one turn of the event loop. */
  yieldToEventLoop?: YieldToEventLoop
}

type FileCall = Pick<Call, 'body' | 'caller' | 'bytes' | 'signal'>

/** The files of one call, shared by all its attempts. */
export class CallFiles {
  private readonly ports: FilePorts
  private readonly call: FileCall
  private readonly signal: AbortSignalLike
  private remaining: number
  private marks: FileMarks | undefined
  /** Fetches by address. */
  private readonly fetched = new Map<string, Promise<EncodedFile>>()
  /** Marked bodies by the kinds of files that they contain as bytes. */
  private readonly bodies = new Map<string, Promise<Uint8Array>>()

  /** @param signal aborted when the files are no longer needed */
  constructor(
    ports: FilePorts,
    call: FileCall,
    settings: Pick<Settings, 'relay.max_body_megabytes'>,
    signal: AbortSignalLike,
  ) {
    this.ports = ports
    this.call = call
    this.remaining = settings['relay.max_body_megabytes'] * MIB
    this.signal = signal
  }

  /** Releases everything after a client disconnect, since no further attempt follows. */
  private release(): void {
    this.fetched.clear()
    this.bodies.clear()
    this.call.bytes?.end()
  }

  /**
   * Returns the call's body with placeholders instead of addresses; the same body if it refers to no files of these
   * kinds.
   * @throws GatewayError request.file, limit.bytes
   */
  markedBody(kinds: readonly FileKind[]): Promise<Uint8Array> {
    const key = kinds.join()
    const known = this.bodies.get(key) ?? this.markBody(kinds)
    this.bodies.set(key, known)
    return known
  }

  /** Inserts the files into a request that was made from a marked body. */
  fill(body: Uint8Array): Promise<Uint8Array> | Uint8Array {
    return this.marks ? this.marks.fill(body) : body
  }

  private async markBody(kinds: readonly FileKind[]): Promise<Uint8Array> {
    const { body } = this.call
    if (!ADDRESS.test(decoder.decode(body))) return body
    const request = parseJsonBytes(body)
    const places = new Map<string, number>()
    const urls = new Set<string>()
    inlineFileAddresses(request, (url, kind) => {
      places.set(url, (places.get(url) ?? 0) + 1)
      if (kinds.includes(kind)) urls.add(url)
      return undefined
    })
    if (urls.size === 0) return body
    if (urls.size > MOST_FILES) fail('request.file', { reason: `more than ${MOST_FILES} files` })
    const files = new Map<string, EncodedFile>()
    for (const url of urls) {
      const fetched = this.fetched.get(url) ?? this.fetch(url, places.get(url) ?? 1)
      this.fetched.set(url, fetched)
      files.set(url, await fetched)
    }
    return toJsonBytes(inlineFileAddresses(request, (url, kind) => (kinds.includes(kind) ? files.get(url) : undefined)))
  }

  /** Fetches a file. One that occurs several times is sent several times, and its bytes count as often. */
  private async fetch(url: string, times: number): Promise<EncodedFile> {
    if (this.fetched.size === 0) this.call.signal.addEventListener('abort', () => this.release(), { once: true })
    const file = await this.ports.fetchFile({
      url,
      user_id: this.call.caller.user.id,
      max_bytes: Math.min(MOST_BYTES, Math.floor(this.remaining / times)),
      count: (bytes) => {
        this.remaining -= bytes * times
        this.call.bytes?.take(bytes * times)
      },
      signal: this.signal,
    })
    this.marks ??= new FileMarks(this.ports.random, this.ports.yieldToEventLoop)
    return { type: file.type, data: this.marks.add(file) }
  }
}
