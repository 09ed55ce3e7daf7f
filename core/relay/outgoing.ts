// What goes out to a provider for a call: the caller's bytes, patched, or the request written in the provider's format.
import type { RoutedChannel } from '../channels/routed-channel.ts'
import type { ImpliedWords, Place, WrittenRequest } from '../dialects/model-request.ts'
import type { RequestHead } from '../dialects/head.ts'
import type { AnyDialect, SpokenDialect } from '../dialects/dialect.ts'
import { valuesOf } from '../dialects/json-bytes.ts'
import { objectIn, parsedBytes } from '../dialects/json-value.ts'
import { writeForm } from '../dialects/multipart.ts'
import { noProof, ownProof, withOwnProofs, withoutProofs } from '../dialects/proof.ts'
import { refuseKept } from '../dialects/kept.ts'
import { withImplied } from '../dialects/reasoning.ts'
import { fitted } from '../dialects/families.ts'
import { mended } from '../dialects/mending.ts'
import { withSystemPrompt, type SystemPrompt } from '../dialects/system-prompt.ts'
import { fail } from '../errors.ts'
import type { Signer } from '../ports/signer.ts'
import type { UpstreamRequest } from '../ports/upstream.ts'
import { urlOf } from '../providers/address.ts'
import type { Adaptation, Authorize, Door, Provider } from '../providers/provider.ts'
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
  const { dialect, head, place } = asked
  if (!channel.base_url && !provider.base_url && !provider.answer) fail('channel.base_url')
  const same = door.dialect === dialect
  const adapted = door.adapt?.(mapped, head, settings, channel) ?? NOTHING
  const plain = same && passesPlain(channel, settings)
  const model = (plain ? undefined : adapted.model) ?? mapped
  const refused = plain ? NONE : refusedIn(asked.body, door)
  const { body, dropped } = plain
    ? { body: plainBody(asked, door.dialect, model), dropped: NONE }
    : bodyFor(asked, channel, door, model, adapted, refused, settings)
  const form = same && place?.form ? writeForm(objectIn(parsedBytes(body)) ?? {}, place.form) : undefined
  const headers: Record<string, string> = {
    'content-type': form?.content_type ?? 'application/json',
    accept: acceptOf(dialect, head),
  }
  if (form) headers['content-length'] = String(form.size)
  if (same && asked.headers) Object.assign(headers, asked.headers)
  if (adapted.headers) Object.assign(headers, adapted.headers)
  if (channel.settings.headers) Object.assign(headers, headersOf(channel))
  const request: UpstreamRequest = {
    method: 'POST',
    url: urlOf(provider, door, channel, model, head, settings),
    headers,
    body: form ? undefined : body,
    form,
    proxy: channel.settings.proxy || undefined,
    headers_timeout_ms: HEADERS_TIMEOUT_MS,
    idle_timeout_ms: idleMs(channel, head.model, settings),
  }
  return {
    request: door.adjust?.(request) ?? request,
    upstream_model: model,
    dropped: refused.length > 0 ? [...dropped, ...refused] : dropped,
  }
}

/** Are requests of the provider's own format to go out as they came? */
export const passesPlain = ({ settings: own }: RoutedChannel, settings: Settings): boolean =>
  own.pass_through_body_enabled === true || settings['global.pass_through_request_enabled']

const NOTHING: Adaptation = {}
const NONE: string[] = []
/** What is left out where nobody takes the proofs of what was thought. */
const FORGOTTEN = ['reasoning_content']

/** The caller's own bytes, but for the model's name. */
const plainBody = ({ body, head }: Asked, dialect: SpokenDialect, model: string): Uint8Array =>
  dialect.patchRequest(body, { model, head, override: {}, plain: true })

/** The request as the channel wants it said. */
function bodyFor(
  asked: Asked,
  channel: RoutedChannel,
  door: Door,
  model: string,
  { implied, defaults }: Adaptation,
  refused: readonly string[],
  settings: Settings,
): WrittenRequest {
  const { head } = asked
  const system = systemOf(channel)
  let { override } = channel
  // Asking for usage is undone where the provider refuses to be asked.
  if (door.stream_options === false) override = { ...override, stream_options: null }
  if (refused.length > 0) override = { ...override, ...Object.fromEntries(refused.map((key) => [key, null])) }
  // Within one format the patch says what is implied, and the channel's own words.
  if (door.dialect === asked.dialect) {
    const { body, dropped } = writtenFor(door.dialect, asked, model, settings)
    const change = { model, head, override, implied, system, limit: door.limit }
    if (!channel.settings.mend_requests) return { body: door.dialect.patchRequest(body, change), dropped }
    const mend = mended(body, door.dialect.name, model, head.model)
    change.override = { ...mend.override, ...override }
    return { body: door.dialect.patchRequest(body, change), dropped: [...dropped, ...mend.lost] }
  }
  const { body, dropped } = writtenFor(door.dialect, asked, model, settings, implied, system)
  const change = { model, head, override: defaults ? { ...defaults, ...override } : override }
  return { body: door.dialect.patchRequest(body, change), dropped }
}

/** The operator's own words to the model. */
function systemOf({
  settings: { system_prompt: text, system_prompt_override },
}: RoutedChannel): SystemPrompt | undefined {
  return text ? { text, always: system_prompt_override === true } : undefined
}

/** The operator's own headers. Their names were checked when they were saved. */
export const headersOf = ({ settings: { headers = {} } }: RoutedChannel): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Which fields of a request are refused at that door. */
const refusedIn = (body: Uint8Array, { refuses = NONE }: Door): string[] =>
  refuses.length === 0 ? NONE : Object.keys(valuesOf(body, refuses))

/** Sound and plain transcripts are no JSON. */
function acceptOf(dialect: AnyDialect, { stream }: RequestHead): string {
  if (stream) return 'text/event-stream'
  return dialect.operation !== 'chat' && dialect.plain ? '*/*' : 'application/json'
}

/**
 * The request with the proof of who pays for it, added to its own headers; a promise only where something must be
 * signed or asked for.
 */
export function authorized(
  request: UpstreamRequest,
  channel: RoutedChannel,
  provider: Provider,
  door: Door,
  signer: Signer,
): UpstreamRequest | Promise<UpstreamRequest> {
  const proof = (door.authorize ?? provider.authorize)(channel, request, { signer })
  if (door.query) return withQuery(request, door.query(channel, request, { signer }), proof)
  return proof instanceof Promise ? proof.then((headers) => proven(request, headers)) : proven(request, proof)
}

type Proof = ReturnType<Authorize>

/** What the request says itself wins. */
function proven(request: UpstreamRequest, proof: Record<string, string>): UpstreamRequest {
  const { headers } = request
  for (const name in proof) headers[name] ??= proof[name] ?? ''
  return request
}

async function withQuery(request: UpstreamRequest, query: Proof, proof: Proof): Promise<UpstreamRequest> {
  const address = new URL(request.url)
  for (const [name, value] of Object.entries(await query)) address.searchParams.set(name, value)
  return { ...proven(request, await proof), url: address.href }
}

/**
 * The request as it came, or in another format, with all that was lost on the way.
 * @throws GatewayError request.kept_elsewhere, and what the dialects refuse
 */
function writtenFor(
  to: SpokenDialect,
  { dialect, head, body, place }: Asked,
  model: string,
  settings: Settings,
  implied?: ImpliedWords,
  system?: SystemPrompt,
): WrittenRequest {
  if (to === dialect) {
    const proofs = dialect.operation === 'chat' && (head.borrowed || head.forgets) ? dialect.withProofs : undefined
    if (!proofs) return { body, dropped: NONE }
    const proven = proofs(body, head.forgets ? noProof : ownProof(to.name), model)
    return head.forgets ? { ...proven, dropped: [...FORGOTTEN, ...proven.dropped] } : proven
  }
  if (dialect.operation !== 'chat' && dialect.as?.dialect === to) return dialect.as.write(body, model)
  if (to.operation !== 'chat' || dialect.operation !== 'chat') return fail('channel.wrong_operation')
  const read = withImplied(withSystemPrompt(dialect.readRequest(body, place), system), implied)
  refuseKept(read, to.name)
  const known = { ...read, model, asked: head.model }
  const { lost = [], ...request } = head.forgets ? withoutProofs(known) : withOwnProofs(known, to.name)
  const fit = fitted(request, to.name)
  const written = to.writeRequest(fit.request, settings['claude.prompt_caching'])
  const unkept = head.repeated?.store === true && head.kept_as === undefined ? ['store'] : NONE
  return {
    body: written.body,
    dropped: [...new Set([...lost, ...(head.forgets ? FORGOTTEN : NONE), ...unkept, ...fit.lost, ...written.dropped])],
  }
}
