// Stored responses by id: read, delete, list input items, cancel. Responses that Weir stores are answered here; for
// those that a provider stores, the channel and key that made them are called. Never charged.
import type { ChannelIndex } from '../../channels/channel-index.ts'
import { isGuarded } from '../../channels/channel.ts'
import { type RoutedChannel, upstreamModel } from '../../channels/routed-channel.ts'
import { jsonBytes } from '../../dialects/json-bytes.ts'
import { getMember, parseJsonBytes } from '../../dialects/json-value.ts'
import { withModel } from '../../dialects/named-answer.ts'
import { isDeferred } from '../../dialects/openai-responses/deferred.ts'
import { openaiResponses } from '../../dialects/openai-responses/index.ts'
import { inputPage } from '../../dialects/openai-responses/kept.ts'
import { fail } from '../../errors.ts'
import type { Signal } from '../../ports/signal.ts'
import type { Signer } from '../../ports/signer.ts'
import type { Upstream, UpstreamRequest } from '../../ports/upstream.ts'
import { buildUrl } from '../../providers/address.ts'
import { findProvider } from '../../providers/index.ts'
import { doorFor } from '../../providers/provider.ts'
import type { Settings } from '../../settings/index.ts'
import type { StoredTask } from '../../tasks/task.ts'
import { admitRead, type ReadPorts } from '../admit-read.ts'
import { readRefusedReply } from '../attempt.ts'
import type { CallCaller } from '../call.ts'
import { attemptError, AttemptError } from '../failure.ts'
import { authorizeRequest, getIdleTimeoutMs, getOperatorHeaders } from '../upstream-request.ts'
import type { BackgroundResponses } from './background-responses.ts'
import { MAX_WHOLE_BYTES, readWholeBody } from './read-body.ts'
import type { StoredResponseMatch, StoredResponses } from './stored-responses.ts'

/** A request about one stored response. */
export interface StoredResponseQuery {
  wanted: 'read' | 'delete' | 'input' | 'cancel'
  id: string
  query: URLSearchParams
}

/**
 * Returns the body of the reply.
 * @throws GatewayError response.missing, response.synchronous, response.background, response.away, task.open, and any
 * refusal of the token or of another read; AttemptError any error of the provider
 */
export type AnswerById = (caller: CallCaller, lookup: StoredResponseQuery, signal: Signal) => Promise<Uint8Array>

interface Ports extends ReadPorts {
  answers: StoredResponses
  deferred: BackgroundResponses
  channels: Pick<ChannelIndex, 'find'>
  upstream: Upstream
  signer: Signer
  settings(): Settings
}

const HEADERS_TIMEOUT_MS = 60_000

const ROUTES = {
  read: { method: 'GET', behind: '' },
  delete: { method: 'DELETE', behind: '' },
  input: { method: 'GET', behind: '/input_items' },
  cancel: { method: 'POST', behind: '/cancel' },
} as const

export function createAnswerById(ports: Ports): AnswerById {
  return async (caller, lookup, signal) => {
    const { id, wanted } = lookup
    await admitRead(caller, ports)
    const found = await ports.answers.find(id, caller)
    if (found === 'foreign') return fail('response.missing', { id })
    const task = !found || isBackground(found) ? await ports.deferred.find(id, caller) : undefined
    if (!found && !task) return fail('response.missing', { id })
    const responseBody = task
      ? await handleBackgroundResponse(task, found, lookup, ports)
      : found?.answer
        ? handleStoredResponse(found, lookup)
        : await callProvider(found?.at ?? fail('response.missing', { id }), lookup, signal, ports)
    if (wanted === 'delete') await ports.answers.remove(id)
    return responseBody
  }
}

const isBackground = ({ answer }: StoredResponseMatch): boolean => answer !== undefined && isDeferred(answer.response)

/** Handles a background response. A finished one can be cancelled repeatedly. */
async function handleBackgroundResponse(
  task: StoredTask,
  found: StoredResponseMatch | undefined,
  lookup: StoredResponseQuery,
  { deferred }: Ports,
): Promise<Uint8Array> {
  const { wanted, id } = lookup
  const missing = () => fail('response.missing', { id })
  switch (wanted) {
    case 'read':
      return jsonBytes(deferred.tell(task, found?.answer) ?? missing())
    case 'cancel':
      return jsonBytes(deferred.tell(await deferred.cancel(task), found?.answer) ?? missing())
    case 'delete':
      await deferred.forget(task)
      return jsonBytes({ id, object: 'response', deleted: true })
    case 'input':
      return found ? handleStoredResponse(found, lookup) : missing()
  }
}

/** Handles a response that Weir stores. */
function handleStoredResponse({ answer }: StoredResponseMatch, { wanted, id, query }: StoredResponseQuery): Uint8Array {
  if (!answer) return fail('response.missing', { id })
  switch (wanted) {
    case 'read':
      return jsonBytes(answer.response)
    case 'delete':
      return jsonBytes({ id, object: 'response', deleted: true })
    case 'input':
      return jsonBytes(inputPage(answer, query) ?? fail('response.item_missing', { id: query.get('after') ?? '' }))
    case 'cancel':
      return fail('response.synchronous')
  }
}

async function callProvider(
  at: StoredResponseMatch['at'],
  lookup: StoredResponseQuery,
  signal: Signal,
  ports: Ports,
): Promise<Uint8Array> {
  const channel = getMakerChannel(at, ports.channels)
  try {
    const request = await buildProviderRequest(channel, at, lookup, ports)
    const reply = await ports.upstream.send(request, signal)
    if (reply.status < 200 || reply.status > 299) {
      throw new AttemptError(await readRefusedReply(reply, openaiResponses, ports.clock))
    }
    const body = await readWholeBody(reply.body, MAX_WHOLE_BYTES)
    if (lookup.wanted !== 'read') return body
    // A client that disconnected from the stream has not paid for the rest of it.
    if (getMember(parseJsonBytes(body), 'background') === true) fail('response.background')
    return channel.settings.requested_model_in_answers && at.model
      ? withModel(body, at.model, openaiResponses.modelKeys)
      : body
  } catch (error) {
    throw attemptError(error, channel)
  }
}

/** Returns the channel with the one key that made the answer. */
function getMakerChannel({ channel_id, key }: StoredResponseMatch['at'], channels: Ports['channels']): RoutedChannel {
  const own = channels.find(channel_id)?.keys.find(({ fingerprint }) => fingerprint === key)
  return own?.channel ?? fail('response.away')
}

async function buildProviderRequest(
  channel: RoutedChannel,
  { model }: StoredResponseMatch['at'],
  { wanted, id, query }: StoredResponseQuery,
  { settings, signer }: Ports,
): Promise<UpstreamRequest> {
  const sent = upstreamModel(model, channel.mapping)
  const provider = findProvider(channel.type) ?? fail('response.away')
  const endpoint = doorFor(provider, openaiResponses, sent, channel)
  if (endpoint?.dialect !== openaiResponses) return fail('response.away')
  const head = { model, stream: false, include_usage: true, prompt_estimate: 1 }
  const { method, behind } = ROUTES[wanted]
  const url = new URL(buildUrl(provider, endpoint, channel, sent, head, settings()))
  url.pathname += `/${encodeURIComponent(id)}${behind}`
  if (method === 'GET') for (const [name, value] of query) if (name !== 'key') url.searchParams.append(name, value)
  const request: UpstreamRequest = {
    method,
    url: url.href,
    headers: { accept: 'application/json', ...(channel.settings.headers ? getOperatorHeaders(channel) : {}) },
    proxy: channel.settings.proxy || undefined,
    guarded: isGuarded(channel),
    headers_timeout_ms: HEADERS_TIMEOUT_MS,
    idle_timeout_ms: getIdleTimeoutMs(channel, model, settings()),
  }
  return authorizeRequest(endpoint.adjust?.(request) ?? request, channel, provider, endpoint, signer)
}
