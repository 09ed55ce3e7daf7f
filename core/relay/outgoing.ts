// What goes out to a provider for a call: the caller's bytes, patched, or the request written in the provider's format.
import type { RoutedChannel } from '../channels/channel-index.ts'
import type { ImpliedWords, Place, RequestHead, WrittenRequest } from '../dialects/dialect.ts'
import type { AnyDialect, SpokenDialect } from '../dialects/format.ts'
import { valuesOf } from '../dialects/json-bytes.ts'
import { objectIn, parsedBytes } from '../dialects/json-value.ts'
import { writeForm } from '../dialects/multipart.ts'
import { withOwnProofs } from '../dialects/proof.ts'
import { withImplied } from '../dialects/reasoning.ts'
import { withSystemPrompt, type SystemPrompt } from '../dialects/system-prompt.ts'
import { fail } from '../errors.ts'
import type { Signer } from '../ports/signer.ts'
import type { UpstreamRequest } from '../ports/upstream.ts'
import { urlOf, type Adaptation, type Authorize, type Door, type Provider } from '../providers/provider.ts'
import type { Settings } from '../settings/index.ts'
import { idleMs } from './deadline.ts'

/** A call as its caller wrote it. */
export interface Asked {
  dialect: AnyDialect
  head: RequestHead
  body: Uint8Array
  place?: Place
  /** Headers that go on where the format stays. */
  headers?: Record<string, string>
}

export interface Outgoing {
  request: UpstreamRequest
  upstream_model: string
  /** What the provider's format has no word for. */
  dropped: string[]
}

/** Models that think long send nothing before their head. */
const HEADERS_TIMEOUT_MS = 600_000

/**
 * @param mapped the name the channel gives the model asked for
 * @throws GatewayError channel.base_url, and what the dialects refuse
 */
export function outgoing(
  asked: Asked,
  channel: RoutedChannel,
  provider: Provider,
  door: Door,
  mapped: string,
  settings: Settings,
): Outgoing {
  const { dialect, head, headers, place } = asked
  if (!channel.base_url && !provider.base_url && !provider.answer) fail('channel.base_url')
  const same = door.dialect === dialect
  const { headers: added, ...adapted } = door.adapt?.(mapped, head, settings, channel) ?? {}
  const plain = same && (channel.settings.pass_through_body_enabled || settings['global.pass_through_request_enabled'])
  const { model = mapped, implied, defaults }: Adaptation = plain ? {} : adapted
  const system = systemOf(channel)
  // Asking for usage is undone where the provider refuses to be asked.
  const own = door.stream_options === false ? { ...channel.override, stream_options: null } : channel.override
  const refused = plain ? [] : refusedIn(asked.body, door)
  const override = { ...own, ...Object.fromEntries(refused.map((key) => [key, null])) }
  // Within one format the patch below says what is implied, and the channel's own words.
  const written = plain
    ? { body: asked.body, dropped: [] }
    : same
      ? writtenFor(door.dialect, asked, model)
      : writtenFor(door.dialect, asked, model, implied, system)
  const patched = door.dialect.patchRequest(
    written.body,
    plain
      ? { model, head, override: {}, plain }
      : same
        ? { model, head, override, implied, system }
        : { model, head, override: { ...defaults, ...override } },
  )
  const form = same && place?.form ? writeForm(objectIn(parsedBytes(patched)) ?? {}, place.form) : undefined
  const request: UpstreamRequest = {
    method: 'POST',
    url: urlOf(provider, door, channel, model, head, settings),
    headers: {
      'content-type': form?.content_type ?? 'application/json',
      ...(form ? { 'content-length': String(form.size) } : {}),
      accept: acceptOf(dialect, head),
      ...(same ? headers : undefined),
      ...added,
      ...headersOf(channel),
    },
    ...(form ? { form } : { body: patched }),
    headers_timeout_ms: HEADERS_TIMEOUT_MS,
    idle_timeout_ms: idleMs(channel, head.model, settings),
    ...(channel.settings.proxy ? { proxy: channel.settings.proxy } : {}),
  }
  return {
    request: door.adjust?.(request) ?? request,
    upstream_model: model,
    dropped: [...written.dropped, ...refused],
  }
}

/** The operator's own words to the model. */
function systemOf({
  settings: { system_prompt: text, system_prompt_override },
}: RoutedChannel): SystemPrompt | undefined {
  return text ? { text, always: system_prompt_override === true } : undefined
}

/** The operator's own headers. Their names were checked when they were saved. */
export const headersOf = ({ settings: { headers } }: RoutedChannel): Record<string, string> | undefined =>
  headers && Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Which fields of a request are refused at that door. */
const refusedIn = (body: Uint8Array, { refuses = [] }: Door): string[] =>
  refuses.length === 0 ? [] : Object.keys(valuesOf(body, refuses))

/** Sound and plain transcripts are no JSON. */
function acceptOf(dialect: AnyDialect, { stream }: RequestHead): string {
  if (stream) return 'text/event-stream'
  return dialect.operation !== 'chat' && dialect.plain ? '*/*' : 'application/json'
}

/** The request with the proof of who pays for it; a promise only where something must be signed or asked for. */
export function authorized(
  request: UpstreamRequest,
  channel: RoutedChannel,
  provider: Provider,
  door: Door,
  signer: Signer,
): UpstreamRequest | Promise<UpstreamRequest> {
  const proof = (door.authorize ?? provider.authorize)(channel, request, { signer })
  const proven = (headers: Record<string, string>) => ({ ...request, headers: { ...headers, ...request.headers } })
  if (door.query) return withQuery(door.query(channel, request, { signer }), request.url, proof, proven)
  return proof instanceof Promise ? proof.then(proven) : proven(proof)
}

type Proof = ReturnType<Authorize>

async function withQuery(
  query: Proof,
  url: string,
  proof: Proof,
  proven: (headers: Record<string, string>) => UpstreamRequest,
): Promise<UpstreamRequest> {
  const address = new URL(url)
  for (const [name, value] of Object.entries(await query)) address.searchParams.set(name, value)
  return { ...proven(await proof), url: address.href }
}

/** The request as it came, or in another format, with all that was lost on the way. */
function writtenFor(
  to: SpokenDialect,
  { dialect, head, body, place }: Asked,
  model: string,
  implied?: ImpliedWords,
  system?: SystemPrompt,
): WrittenRequest {
  if (to === dialect && !head.borrowed) return { body, dropped: [] }
  if (dialect.operation !== 'chat' && dialect.as?.dialect === to) return dialect.as.write(body, model)
  if (to.operation !== 'chat' || dialect.operation !== 'chat') return fail('channel.wrong_operation')
  const { lost = [], ...request } = withImplied(withSystemPrompt(dialect.readRequest(body, place), system), implied)
  const written = to.writeRequest(withOwnProofs({ ...request, model }, to.name))
  return { body: written.body, dropped: [...new Set([...lost, ...written.dropped])] }
}
