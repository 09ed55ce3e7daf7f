// Stored responses by id: read, delete, list input items, cancel. Responses that Weir stores are answered here; for
// those that a provider stores, the channel and key that made them are called. Never charged.
import type { ChannelIndex } from '../../channels/channel-index.ts'
import { requiresAddressCheck } from '../../channels/channel.ts'
import { type RoutedChannel, getUpstreamModelName } from '../../channels/routed-channel.ts'
import { toJsonBytes } from '../../dialects/json/json-bytes.ts'
import { getMember, parseJsonBytes } from '../../dialects/json/json-value.ts'
import { renameAnswerModel } from '../../dialects/answers/named-answer.ts'
import { isDeferred } from '../../dialects/openai-responses/response.ts'
import { openaiResponses } from '../../dialects/openai-responses/index.ts'
import { buildInputPage } from '../../dialects/openai-responses/stored-answer.ts'
import { fail } from '../../errors.ts'
import type { AbortSignalLike } from '../../ports/clock.ts'
import type { RequestSigner } from '../../ports/signer.ts'
import type { UpstreamClient, UpstreamRequest } from '../../ports/upstream.ts'
import { buildEndpointUrl } from '../../providers/address.ts'
import { findProvider } from '../../providers/index.ts'
import { findCallEndpoint } from '../../providers/provider.ts'
import type { Settings } from '../../settings/index.ts'
import type { StoredTask } from '../../tasks/task.ts'
import { admitReadRequest, type ReadPorts } from '../admission.ts'
import { readRefusedReply } from '../attempt.ts'
import type { CallCaller } from '../call.ts'
import { buildAttemptError, AttemptError } from '../failure.ts'
import { authorizeRequest, getIdleTimeoutMs, getOperatorHeaders } from '../upstream-request.ts'
import type { BackgroundResponses } from './background-responses.ts'
import { MAX_WHOLE_BYTES, readWholeBody } from './read-body.ts'
import type { StoredResponseMatch, StoredResponses } from './stored-responses.ts'

/** A request about one stored response. */
export interface StoredResponseQuery {
  action: 'read' | 'delete' | 'input' | 'cancel'
  id: string
  query: URLSearchParams
}

/**
 * Returns the body of the reply.
 * @throws GatewayError response.missing, response.synchronous, response.background, response.away, task.open, and any
 * refusal of the token or of another read; AttemptError any error of the provider
 */
export type AnswerById = (
  caller: CallCaller,
  lookup: StoredResponseQuery,
  signal: AbortSignalLike,
) => Promise<Uint8Array>

interface ResponsesByIdPorts extends ReadPorts {
  answers: StoredResponses
  deferred: BackgroundResponses
  channels: Pick<ChannelIndex, 'find'>
  upstream: UpstreamClient
  signer: RequestSigner
  settings(): Settings
}

const HEADERS_TIMEOUT_MS = 60_000

const ROUTES = {
  read: { method: 'GET', behind: '' },
  delete: { method: 'DELETE', behind: '' },
  input: { method: 'GET', behind: '/input_items' },
  cancel: { method: 'POST', behind: '/cancel' },
} as const

export function createAnswerById(ports: ResponsesByIdPorts): AnswerById {
  return async (caller, lookup, signal) => {
    const { id, action } = lookup
    await admitReadRequest(caller, ports)
    const found = await ports.answers.find(id, caller)
    if (found === 'foreign') return fail('response.missing', { id })
    const task = !found || isBackground(found) ? await ports.deferred.find(id, caller) : undefined
    if (!found && !task) return fail('response.missing', { id })
    const responseBody = task
      ? await handleBackgroundResponse(task, found, lookup, ports)
      : found?.answer
        ? handleStoredResponse(found, lookup)
        : await callProvider(found?.at ?? fail('response.missing', { id }), lookup, signal, ports)
    if (action === 'delete') await ports.answers.remove(id)
    return responseBody
  }
}

const isBackground = ({ answer }: StoredResponseMatch): boolean => answer !== undefined && isDeferred(answer.response)

/** Handles a background response. A finished one can be cancelled repeatedly. */
async function handleBackgroundResponse(
  task: StoredTask,
  found: StoredResponseMatch | undefined,
  lookup: StoredResponseQuery,
  { deferred }: ResponsesByIdPorts,
): Promise<Uint8Array> {
  const { action, id } = lookup
  const missing = () => fail('response.missing', { id })
  switch (action) {
    case 'read':
      return toJsonBytes(deferred.toReply(task, found?.answer) ?? missing())
    case 'cancel':
      return toJsonBytes(deferred.toReply(await deferred.cancel(task), found?.answer) ?? missing())
    case 'delete':
      await deferred.forget(task)
      return toJsonBytes({ id, object: 'response', deleted: true })
    case 'input':
      return found ? handleStoredResponse(found, lookup) : missing()
  }
}

/** Handles a response that Weir stores. */
function handleStoredResponse({ answer }: StoredResponseMatch, { action, id, query }: StoredResponseQuery): Uint8Array {
  if (!answer) return fail('response.missing', { id })
  switch (action) {
    case 'read':
      return toJsonBytes(answer.response)
    case 'delete':
      return toJsonBytes({ id, object: 'response', deleted: true })
    case 'input':
      return toJsonBytes(
        buildInputPage(answer, query) ?? fail('response.item_missing', { id: query.get('after') ?? '' }),
      )
    case 'cancel':
      return fail('response.synchronous')
  }
}

async function callProvider(
  at: StoredResponseMatch['at'],
  lookup: StoredResponseQuery,
  signal: AbortSignalLike,
  ports: ResponsesByIdPorts,
): Promise<Uint8Array> {
  const channel = getMakerChannel(at, ports.channels)
  try {
    const request = await buildProviderRequest(channel, at, lookup, ports)
    const reply = await ports.upstream.send(request, signal)
    if (reply.status < 200 || reply.status > 299) {
      throw new AttemptError(await readRefusedReply(reply, openaiResponses, ports.clock))
    }
    const body = await readWholeBody(reply.body, MAX_WHOLE_BYTES)
    if (lookup.action !== 'read') return body
    // A client that disconnected from the stream has not paid for the rest of it.
    if (getMember(parseJsonBytes(body), 'background') === true) fail('response.background')
    return channel.settings.requested_model_in_answers && at.model
      ? renameAnswerModel(body, at.model, openaiResponses.modelKeys)
      : body
  } catch (error) {
    throw buildAttemptError(error, channel)
  }
}

/** Returns the channel with the one key that made the answer. */
function getMakerChannel(
  { channel_id, key }: StoredResponseMatch['at'],
  channels: ResponsesByIdPorts['channels'],
): RoutedChannel {
  const own = channels.find(channel_id)?.keys.find(({ fingerprint }) => fingerprint === key)
  return own?.channel ?? fail('response.away')
}

async function buildProviderRequest(
  channel: RoutedChannel,
  { model }: StoredResponseMatch['at'],
  { action, id, query }: StoredResponseQuery,
  { settings, signer }: ResponsesByIdPorts,
): Promise<UpstreamRequest> {
  const sent = getUpstreamModelName(model, channel.mapping)
  const provider = findProvider(channel.type) ?? fail('response.away')
  const endpoint = findCallEndpoint(provider, openaiResponses, sent, channel)
  if (endpoint?.dialect !== openaiResponses) return fail('response.away')
  const head = { model, stream: false, include_usage: true, prompt_estimate: 1 }
  const { method, behind } = ROUTES[action]
  const url = new URL(buildEndpointUrl(provider, endpoint, channel, sent, head, settings()))
  url.pathname += `/${encodeURIComponent(id)}${behind}`
  if (method === 'GET') for (const [name, value] of query) if (name !== 'key') url.searchParams.append(name, value)
  const request: UpstreamRequest = {
    method,
    url: url.href,
    headers: { accept: 'application/json', ...(channel.settings.headers ? getOperatorHeaders(channel) : {}) },
    proxy: channel.settings.proxy || undefined,
    guarded: requiresAddressCheck(channel),
    headers_timeout_ms: HEADERS_TIMEOUT_MS,
    idle_timeout_ms: getIdleTimeoutMs(channel, model, settings()),
  }
  return authorizeRequest(endpoint.adjust?.(request) ?? request, channel, provider, endpoint, signer)
}
