// Sends a question about a task to a channel, and reads its JSON answer.
import { requiresAddressCheck } from '../../channels/channel.ts'
import type { RoutedChannel } from '../../channels/routed-channel.ts'
import { toJsonBytes } from '../../dialects/json/json-bytes.ts'
import { parseJsonBytes, type JsonObject } from '../../dialects/json/json-value.ts'
import type { TaskEndpoint, TaskRequest } from '../../dialects/tasks/task-dialect.ts'
import type { TaskFormat } from '../../dialects/tasks/task-format.ts'
import { fail } from '../../errors.ts'
import type { Clock, AbortSignalLike } from '../../ports/clock.ts'
import type { RequestSigner } from '../../ports/signer.ts'
import type { ReplyBody, UpstreamClient, UpstreamReply, UpstreamRequest } from '../../ports/upstream.ts'
import { joinProviderPath } from '../../providers/address.ts'
import { findProvider } from '../../providers/index.ts'
import { readWholeBody } from '../answers/read-body.ts'
import { readRefusedReply } from '../attempt.ts'
import { AttemptError } from '../failure.ts'
import { getOperatorHeaders } from '../upstream-request.ts'
import { writeFormParts, type FormFile, type StreamedForm } from '../../dialects/media/multipart.ts'

const DATA = /^data:([^;,]+);base64,(.+)$/s
const BOUNDARY = 'weir-form-7MA4YWxkTrZu0gW'

function buildTaskForm(json: JsonObject): StreamedForm {
  const files: FormFile[] = []
  const fields: JsonObject = {}
  for (const [name, value] of Object.entries(json)) {
    const [, content_type, data] = (typeof value === 'string' && DATA.exec(value)) || []
    if (content_type === undefined || data === undefined) fields[name] = value
    else files.push(buildFile(name, content_type, data))
  }
  return writeFormParts(fields, { boundary: BOUNDARY, files })
}

/** Decodes base64. */
export function decodeBase64(base64: string): Uint8Array {
  const letters = atob(base64)
  const bytes = new Uint8Array(letters.length)
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = letters.charCodeAt(at)
  return bytes
}

function buildFile(name: string, content_type: string, data: string): FormFile {
  const bytes = decodeBase64(data)
  const filename = `${name}.${content_type.split('/')[1] ?? 'bin'}`
  return {
    name,
    filename,
    content_type,
    size: bytes.length,
    async *read() {
      yield bytes
    },
  }
}

export interface TaskQueryPorts {
  upstream: UpstreamClient
  signer: RequestSigner
  clock: Clock
}

/** The channel and limits of a question. `format` parses refusals. */
export interface TaskQueryTarget {
  channel: RoutedChannel
  endpoint: Pick<TaskEndpoint, 'at' | 'headers'>
  format: Pick<TaskFormat, 'readErrorReply'>
  /** Longest wait for the answer, in ms. */
  patience_ms: number
  /** Headers that every provider receives. */
  extraHeaders?: Record<string, string>
}

/** No provider sends more for a hundred tasks, or a larger film inside its answer. */
const MAX_ANSWER_BYTES = 128 * 1024 * 1024

/** @throws GatewayError channel.*, upstream.*; AttemptError if the provider refuses */
export async function queryTask(
  question: TaskRequest,
  { channel, endpoint, format, patience_ms, extraHeaders }: TaskQueryTarget,
  signal: AbortSignalLike,
  ports: TaskQueryPorts,
): Promise<unknown> {
  const { json, form, headers: own } = question
  const written = form && json ? buildTaskForm(json) : undefined
  const request: UpstreamRequest = {
    ...buildTaskRequest(question, channel, endpoint),
    body: written || !json ? undefined : toJsonBytes(json),
    form: written,
    headers_timeout_ms: patience_ms,
    idle_timeout_ms: patience_ms,
  }
  if (json) request.headers['content-type'] = written?.content_type ?? 'application/json'
  if (written) request.headers['content-length'] = String(written.size)
  Object.assign(request.headers, extraHeaders, own)
  const reply = await sendAuthorized(request, channel, signal, ports)
  if (reply.status < 200 || reply.status > 299)
    throw new AttemptError(await readRefusedReply(reply, format, ports.clock))
  return parseJsonBytes(await readWholeBody(reply.body, MAX_ANSWER_BYTES))
}

/** Fetches a file from a provider's address as a stream, with the channel's key if the file needs it. */
export async function fetchTaskFile(
  { url, keyed, range }: { url: string; keyed: boolean; range?: string },
  { channel, endpoint, patience_ms }: Omit<TaskQueryTarget, 'format'>,
  signal: AbortSignalLike,
  ports: TaskQueryPorts,
): Promise<UpstreamReply> {
  const answersItself = findProvider(channel.type)?.answer !== undefined
  let [at, sendsKey] = [url, keyed]
  for (let hop = 0; ; hop += 1) {
    const { headers, ...rest } = buildTaskRequest({ method: 'GET', path: at }, channel, endpoint)
    const request: UpstreamRequest = {
      ...rest,
      headers: { accept: '*/*', ...(sendsKey ? headers : {}), ...(range === undefined ? {} : { range }) },
      headers_timeout_ms: patience_ms,
      idle_timeout_ms: patience_ms,
    }
    const reply = await (sendsKey || answersItself
      ? sendAuthorized(request, channel, signal, ports)
      : ports.upstream.send(request, signal))
    const next = MOVED.has(reply.status) ? reply.headers.location : undefined
    if (!next || hop === MOST_HOPS) return reply
    await readWholeBody(reply.body, 64 * 1024).catch(() => undefined)
    const to = new URL(next, request.url)
    // A foreign address is not fetched from inside this network on a provider's word: the client gets the redirect.
    if (!isOwnHost(to.href, channel)) return { ...reply, status: 302, headers: { location: to.href }, body: NOTHING }
    // The key is sent only to its own host.
    sendsKey = sendsKey && to.origin === new URL(request.url).origin
    at = to.href
  }
}

const MOVED = new Set([301, 302, 303, 307, 308])
const MOST_HOPS = 3

function buildTaskRequest(
  { method, path }: TaskRequest,
  channel: RoutedChannel,
  endpoint: TaskQueryTarget['endpoint'],
) {
  const provider = findProvider(channel.type) ?? fail('channel.wrong_operation')
  if (!channel.base_url && !provider.base_url && !provider.answer) fail('channel.base_url')
  return {
    method,
    url: /^https?:/.test(path) ? path : (endpoint.at?.(path, channel) ?? joinProviderPath(provider, channel, path)),
    headers: {
      accept: 'application/json',
      ...endpoint.headers,
      ...(channel.settings.headers ? getOperatorHeaders(channel) : {}),
    } as Record<string, string>,
    proxy: channel.settings.proxy || undefined,
    guarded: requiresAddressCheck(channel),
  }
}

/** Sends a request with the provider's authorization. Headers of the request take precedence. */
async function sendAuthorized(
  request: UpstreamRequest,
  channel: RoutedChannel,
  signal: AbortSignalLike,
  { upstream, signer, clock }: TaskQueryPorts,
): Promise<UpstreamReply> {
  const provider = findProvider(channel.type) ?? fail('channel.wrong_operation')
  const proof = await provider.authorize(channel, request, { signer })
  request.headers = { ...proof, ...request.headers }
  return provider.answer ? provider.answer(request, channel, clock, signal) : upstream.send(request, signal)
}

const NOTHING: ReplyBody = (async function* () {})()

/**
 * Returns true for an address of the provider itself: only there is the key sent, and only from there are files
 * forwarded.
 */
export function isOwnHost(url: string, channel: RoutedChannel): boolean {
  if (!/^https?:/.test(url)) return true
  const { base_url = '', files = [] } = findProvider(channel.type) ?? {}
  const homes = [channel.base_url, base_url, ...files]
  return homes.some((home) => URL.canParse(home) && new URL(home).host === new URL(url).host)
}
