// Endpoint calls as HTTP requests: to a remote server, or through the socket of the server on this machine.
import http from 'node:http'
import https from 'node:https'
import { cleanBaseUrl } from '../../core/contract/url.ts'
import { toHttpRequest } from '../../core/contract/client.ts'
import { classifyNetworkFailure } from '../../core/adapters/start-error.ts'
import { parseEventStream, type ReplyEnvelope, type EventReply, type FileReply } from '../../core/contract/replies.ts'
import { errors, fillTemplate, type Language, type NetworkCode, type Words } from '../../core/errors.ts'
import { GatewayRefusal, GatewayUnreachable, UsageError } from '../failure.ts'
import { asUntranslatedText, type BilingualText } from '../language.ts'
import { findEndpoint, type CallEndpoint } from './endpoint-client.ts'
import type { EndpointFacts } from './endpoint-facts.ts'
import { words } from '../texts.ts'

export interface HttpTarget {
  /** Base address; with a socket path, only its path matters. */
  server: string
  socketPath?: string
  accessToken?: string
  language: Language
  /** Name of the other side in messages. */
  label: BilingualText
  /** Maximum silence, in ms. */
  patience_ms?: number
}

/** Longer than any channel test. A listening server that never answers must not block a script forever. */
const SILENCE_TIMEOUT_MS = 150_000
/** A file of everything starts only after all of it has been copied and read. */
const FILE_START_TIMEOUT_MS = 3_600_000

/** Creates a Send over HTTP; files are streamed. @throws Refusal for a refused call, Unreachable if no Weir answers */
export function createHttpSend(target: HttpTarget): CallEndpoint {
  return async (name, input) => {
    const endpoint = findEndpoint(name)
    if (!endpoint) throw new UsageError(fillTemplate(words('Unknown endpoint {name}.'), { name }))
    const request = toHttpRequest(endpoint, input)
    const patient = endpoint.replyKind === 'file' ? { ...target, patience_ms: FILE_START_TIMEOUT_MS } : target
    const reply = await exchange(patient, request.method, request.path, request.body)
    const file = endpoint.replyKind === 'file' && findFile(reply)
    if (file) return file
    if (endpoint.replyKind === 'events' && isEvents(reply)) return toEventReply(reply)
    const envelope = readEnvelope(await readText(reply))
    if (!envelope) {
      throw new GatewayUnreachable(
        PROXY_STATUSES.includes(reply.status)
          ? fillTemplate(BY_PROXY, { label: target.label, status: reply.status })
          : fillTemplate(NO_WEIR, { label: target.label, name, status: reply.status }),
      )
    }
    if (!envelope.success)
      throw new GatewayRefusal(
        envelope.message ? asUntranslatedText(envelope.message) : fillTemplate(words('{name} was refused'), { name }),
        envelope.code ?? String(reply.status),
        envelope.fields,
      )
    return unwrap(endpoint, envelope)
  }
}

/** Returns the content of an envelope: the data, extended by the declared fields of the envelope. */
function unwrap({ envelopeFields }: EndpointFacts, envelope: ReplyEnvelope): unknown {
  if (!envelopeFields) return envelope.data
  const declared = envelopeFields.map((field) => [field, envelope[field]])
  return { data: envelope.data, ...Object.fromEntries(declared) }
}

function readEnvelope(text: string): ReplyEnvelope | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && 'success' in value ? (value as ReplyEnvelope) : null
  } catch {
    return null
  }
}

interface HttpAnswer {
  status: number
  headers: http.IncomingHttpHeaders
  /** Throws Unreachable if it breaks off. */
  body: AsyncIterable<Uint8Array>
  /** Closes the stream; required if it is not read to its end. */
  close(): void
}

const isEvents = ({ headers }: HttpAnswer) => headers['content-type']?.startsWith('text/event-stream') === true

/** Reads events until their end; closing it here is not a failure. */
function toEventReply({ body, close }: HttpAnswer): EventReply {
  let ended = false
  async function* events() {
    try {
      yield* parseEventStream(decodeText(body))
    } catch (error) {
      if (!ended) throw error
    }
  }
  return {
    events: events(),
    end() {
      ended = true
      close()
    },
  }
}

/** Returns the file of a response; null for a refusal or a response without one. */
function findFile({ headers, body }: HttpAnswer): FileReply | null {
  const filename = /^attachment;.*filename="([^"]*)"/.exec(headers['content-disposition'] ?? '')?.[1]
  if (filename === undefined) return null
  const content_type = headers['content-type'] ?? ''
  return { content_type, filename, pieces: /^text\/|json/.test(content_type) ? decodeText(body) : body }
}

async function readText({ body }: HttpAnswer): Promise<string> {
  let text = ''
  for await (const piece of decodeText(body)) text += piece
  return text
}

/** Decodes text; a character may be split across two chunks. */
async function* decodeText(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const piece of body) yield decoder.decode(piece, { stream: true })
  yield decoder.decode()
}

function exchange(
  { server, socketPath, accessToken, language, label, patience_ms = SILENCE_TIMEOUT_MS }: HttpTarget,
  method: string,
  path: string,
  body: Record<string, unknown> | undefined,
): Promise<HttpAnswer> {
  const url = new URL(cleanBaseUrl(server) + path)
  const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  const transport = url.protocol === 'https:' ? https : http
  const headers = {
    accept: 'application/json',
    'accept-language': language,
    ...(payload ? { 'content-type': 'application/json', 'content-length': payload.length } : {}),
    ...(accessToken ? { authorization: `Bearer ${accessToken}` } : {}),
  }
  return new Promise((resolve, reject) => {
    // No keep-alive: a finished command should exit, and a stopping server should not wait for it.
    const request = transport.request(
      url,
      { method, headers, socketPath, agent: false, timeout: patience_ms },
      (reply) => {
        const { statusCode: status = 0, headers: answerHeaders } = reply
        resolve({ status, headers: answerHeaders, body: readBody(reply), close: () => reply.destroy() })
      },
    )
    const toUnreachable = (error: NodeJS.ErrnoException) =>
      new GatewayUnreachable(formatReason(label, error), { cause: error })
    async function* readBody(reply: http.IncomingMessage): AsyncGenerator<Uint8Array> {
      try {
        for await (const piece of reply) yield piece as Uint8Array
      } catch (error) {
        throw toUnreachable(error as NodeJS.ErrnoException)
      }
    }
    request.on('timeout', () => request.destroy(Object.assign(new Error('silent'), { code: 'ETIMEDOUT' })))
    request.on('error', (error) => reject(toUnreachable(error)))
    request.end(payload)
  })
}

/** Advice for each network error. */
const advice: Partial<Record<NetworkCode, Words>> = {
  'network.refused': words('is the server running?'),
  'network.name': words('is the name right?'),
  'network.tls': words('is its certificate right, and is it https?'),
}

const BY_PROXY = words('{label} cannot be reached: a proxy in between answered with status {status}.')
const NO_WEIR = words('{label} answered {name} with status {status} and no reply of Weir: is the address right?')
const NOT_OURS = words('{label} may not be opened by this user: its socket belongs to the user who started the server.')
const SILENT = words('{label} does not answer: is the server running?')
const CANNOT = words('{label} cannot be reached: {why}.')
const CANNOT_LOOK = words('{label} cannot be reached: {why} ({look}).')

function formatReason(label: BilingualText, error: NodeJS.ErrnoException): Words {
  if (error.code === 'EACCES') return fillTemplate(NOT_OURS, { label })
  if (error.code === 'ENOENT') return fillTemplate(SILENT, { label })
  const network = classifyNetworkFailure(error)
  if (network === undefined) return fillTemplate(CANNOT, { label, why: error.message })
  const look = advice[network]
  return fillTemplate(look ? CANNOT_LOOK : CANNOT, { label, why: errors[network], ...(look ? { look } : {}) })
}

/** Status codes that a proxy returns for itself, or for a server that it cannot reach. */
const PROXY_STATUSES = [407, 502, 503, 504]
