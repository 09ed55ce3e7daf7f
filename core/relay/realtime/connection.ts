// One attempt of a realtime session on one channel: opens a WebSocket to its provider.
import { requiresAddressCheck } from '../../channels/channel.ts'
import { type RoutedChannel, getUpstreamModelName } from '../../channels/routed-channel.ts'
import type { SelectedChannel } from '../../channels/router.ts'
import type { CallerDialect } from '../../dialects/dialect.ts'
import type { RequestHead } from '../../dialects/requests/head.ts'
import { fail } from '../../errors.ts'
import type { Clock, AbortSignalLike } from '../../ports/clock.ts'
import type { Conversation, UpstreamClient, UpstreamRequest } from '../../ports/upstream.ts'
import type { RequestSigner } from '../../ports/signer.ts'
import { buildEndpointUrl } from '../../providers/address.ts'
import { findProvider } from '../../providers/index.ts'
import { findCallEndpoint } from '../../providers/provider.ts'
import type { Settings } from '../../settings/index.ts'
import { readRefusedReply } from '../attempt.ts'
import type { Call } from '../call.ts'
import { buildAttemptError, AttemptError } from '../failure.ts'
import type { ModelCandidate } from '../model-candidates.ts'
import type { ObjectPlace } from '../objects/object-owners.ts'
import { authorizeRequest, buildTraceHeaders, getOperatorHeaders } from '../upstream-request.ts'

export interface RealtimeConnection {
  conversation: Conversation
  upstream_model: string
  /** The channel and key of the connection. */
  at: ObjectPlace
}

interface ConnectionPorts {
  upstream: UpstreamClient
  signer: RequestSigner
  clock: Clock
  settings: Settings
  /** Index of this attempt in the call, from 0. */
  attempt: number
}

/** @throws AttemptError */
export async function connectRealtime(
  call: Call,
  turn: ModelCandidate,
  { channel, key }: Pick<SelectedChannel, 'channel' | 'key'>,
  ports: ConnectionPorts,
): Promise<RealtimeConnection> {
  try {
    const at = { channel_id: channel.id, key: key.fingerprint }
    const { head, admission } = turn
    const headers = { ...call.headers, ...buildTraceHeaders(call, ports.attempt, ports.settings) }
    const request = { dialect: call.inbound, listedName: admission.listedName, head, headers, signal: call.signal }
    return { ...(await openRealtime(request, channel, ports)), at }
  } catch (error) {
    throw buildAttemptError(error, channel)
  }
}

/** The session to open. `listed`: the name under which the channels list the model. */
interface SessionRequest {
  dialect: CallerDialect
  listedName: string
  head: RequestHead
  headers?: Readonly<Record<string, string>>
  signal: AbortSignalLike
}

/** @throws AttemptError if the provider refuses; GatewayError upstream.*, channel.* */
export async function openRealtime(
  { dialect, listedName, head, headers, signal }: SessionRequest,
  channel: RoutedChannel,
  { upstream, signer, clock, settings }: Omit<ConnectionPorts, 'attempt'>,
): Promise<Omit<RealtimeConnection, 'at'>> {
  const provider = findProvider(channel.type) ?? fail('channel.wrong_operation')
  const model = getUpstreamModelName(listedName, channel.mapping)
  const endpoint = findCallEndpoint(provider, dialect, model, channel) ?? fail('channel.wrong_operation')
  if (!channel.base_url && !provider.base_url) fail('channel.base_url')
  const { proxy } = channel.settings
  const request: UpstreamRequest = {
    method: 'GET',
    url: buildSocketUrl(buildEndpointUrl(provider, endpoint, channel, model, head, settings), model),
    headers: { ...headers, ...getOperatorHeaders(channel) },
    headers_timeout_ms: 0,
    idle_timeout_ms: 0,
    guarded: requiresAddressCheck(channel),
    ...(proxy ? { proxy } : {}),
  }
  const authorized = await authorizeRequest(request, channel, provider, endpoint, signer)
  const max_frames_per_second = settings['relay.max_frames_per_second']
  const reply = await upstream.connect({ ...authorized, max_frames_per_second }, signal)
  if ('conversation' in reply) return { conversation: reply.conversation, upstream_model: model }
  throw new AttemptError(await readRefusedReply(reply.refused, endpoint.dialect, clock))
}

/** Returns the address of the WebSocket, with the model unless the address already names it as a deployment. */
function buildSocketUrl(http: string, model: string): string {
  const url = new URL(http.replace(/^http/, 'ws'))
  if (!url.searchParams.has('deployment')) url.searchParams.set('model', model)
  return url.href
}
