// What goes out to a provider for a call: its address, its headers, and its body (request-body.ts).
import { isGuarded } from '../channels/channel.ts'
import type { RoutedChannel } from '../channels/routed-channel.ts'
import type { RequestHead } from '../dialects/head.ts'
import type { AnyDialect } from '../dialects/dialect.ts'
import type { WrittenRequest } from '../dialects/model-request.ts'
import type { LaterAnswer } from '../dialects/later-answer.ts'
import { withFields } from '../dialects/patch.ts'
import { valuesOf } from '../dialects/json-bytes.ts'
import { asObject, parsedBytes } from '../dialects/json-value.ts'
import { writeForm } from '../dialects/multipart.ts'
import type { ToolNames } from '../dialects/sizes.ts'
import { fail } from '../errors.ts'
import type { UpstreamRequest } from '../ports/upstream.ts'
import { buildUrl } from '../providers/address.ts'
import type { Adaptation, UpstreamEndpoint } from '../providers/provider.ts'
import type { Settings } from '../settings/index.ts'
import { getHeadTimeoutMs, getIdleTimeoutMs } from './deadline.ts'
import { buildRequestBody, type Target } from './request-body.ts'
import { takenThere } from './taken-there.ts'
import type { CallerRequest } from './written-anew.ts'

export interface PreparedRequest {
  request: UpstreamRequest
  upstream_model: string
  /** What the provider's format has no word for. */
  dropped: string[]
  tool_names?: ToolNames
}

/** Where a request goes. */
export interface UpstreamTarget extends Target {
  /** As it came, where the formats are the same. */
  plain: boolean
  /** It answers later. */
  later?: LaterAnswer
}

/** @throws GatewayError channel.base_url, and what the dialects refuse */
export function prepareUpstreamRequest(
  asked: CallerRequest,
  channel: RoutedChannel,
  { provider, door, model: mapped, plain: asItCame, later }: UpstreamTarget,
  settings: Settings,
): PreparedRequest {
  const { dialect, head, place } = asked
  if (!channel.base_url && !provider.base_url && !provider.answer) fail('channel.base_url')
  const same = door.dialect === dialect
  const adapted = door.adapt?.(mapped, head, settings, channel) ?? NOTHING
  const plain = same && asItCame
  const model = (plain ? undefined : adapted.model) ?? mapped
  const refused = plain ? NONE : refusedIn(asked.body, door)
  const written: WrittenRequest = plain
    ? { body: door.dialect.patchRequest(asked.body, { model, head, override: {}, plain: true }), dropped: NONE }
    : buildRequestBody(asked, channel, { provider, door, model }, adapted, refused, settings)
  const own = same ? asked.headers : undefined
  const taken = plain || !door.takes ? undefined : takenThere(written, own, door.takes, model, head, channel)
  const { body, dropped } = taken ?? written
  const passed = taken ? taken.headers : own
  const form = same && place?.form ? writeForm(asObject(parsedBytes(body)) ?? {}, place.form) : undefined
  const headers: Record<string, string> = {
    'content-type': form?.content_type ?? 'application/json',
    accept: acceptOf(dialect, head),
  }
  if (form) headers['content-length'] = String(form.size)
  if (passed) Object.assign(headers, passed)
  if (adapted.headers) Object.assign(headers, adapted.headers)
  if (asked.beside) Object.assign(headers, asked.beside)
  if (later?.headers) Object.assign(headers, later.headers)
  if (channel.settings.headers) Object.assign(headers, getOperatorHeaders(channel))
  const request: UpstreamRequest = {
    method: 'POST',
    url: buildUrl(provider, door, channel, model, head, settings),
    headers,
    body: form ? undefined : later?.members ? withFields(body, later.members) : body,
    form,
    proxy: channel.settings.proxy || undefined,
    guarded: isGuarded(channel),
    headers_timeout_ms: getHeadTimeoutMs(channel, head.model, settings),
    idle_timeout_ms: getIdleTimeoutMs(channel, head.model, settings),
  }
  return {
    request: door.adjust?.(request) ?? request,
    upstream_model: model,
    ...(written.tool_names ? { tool_names: written.tool_names } : {}),
    dropped: refused.length > 0 ? [...dropped, ...refused] : dropped,
  }
}

const NOTHING: Adaptation = {}
const NONE: string[] = []
/** The operator's own headers. Their names were checked when they were saved. */
export const getOperatorHeaders = ({ settings: { headers = {} } }: RoutedChannel): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Which fields of a request are refused at that door. */
const refusedIn = (body: Uint8Array, { refuses = NONE }: UpstreamEndpoint): string[] =>
  refuses.length === 0 ? NONE : Object.keys(valuesOf(body, refuses))

/** Sound and plain transcripts are no JSON. */
function acceptOf(dialect: AnyDialect, { stream }: RequestHead): string {
  if (stream) return 'text/event-stream'
  return dialect.operation !== 'chat' && dialect.plain ? '*/*' : 'application/json'
}
