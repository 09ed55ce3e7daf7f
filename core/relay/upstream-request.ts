// Builds the upstream request of a call: address, headers and body, without the fields that the endpoint refuses.
import { requiresAddressCheck, getTimeLimitMs, parseNameList } from '../channels/channel.ts'
import type { RoutedChannel } from '../channels/routed-channel.ts'
import type { DeferredAnswer } from '../dialects/answers/deferred-answer.ts'
import { fitToEndpoint } from '../dialects/anthropic-messages/accepted-features.ts'
import { type CallerDialect, findTranslation } from '../dialects/dialect.ts'
import { joinParts, readTopMembers } from '../dialects/json/json-bytes.ts'
import { asObject, parseJsonBytes } from '../dialects/json/json-value.ts'
import { writeFormParts } from '../dialects/media/multipart.ts'
import type { ModelNameSuffixes, PatchedRequest, RequestPlace, WrittenRequest } from '../dialects/model-request.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import type { ReasoningRule } from '../dialects/reasoning/family-row.ts'
import { fitRequestToModel, patchForModel } from '../dialects/reasoning/model-fit.ts'
import {
  dropEverySignature,
  dropSignatures,
  keepOwnSignature,
  keepOwnSignatures,
} from '../dialects/reasoning/reasoning-signature.ts'
import { addImpliedFields } from '../dialects/reasoning/reasoning.ts'
import { fitReasoning, fitReasoningBytes } from '../dialects/reasoning/thoughts.ts'
import type { RequestHead } from '../dialects/requests/head.ts'
import { refuseVendorData } from '../dialects/requests/shape.ts'
import { setTopFields, type SystemPrompt, withSystemPrompt } from '../dialects/requests/patch.ts'
import { fitRequestSizes, type ToolNames } from '../dialects/requests/sizes.ts'
import { orderRequestMessages, repairTurnOrder } from '../dialects/requests/turn-order.ts'
import { fail, GatewayError } from '../errors.ts'
import type { Clock, AbortSignalLike } from '../ports/clock.ts'
import type { RequestSigner } from '../ports/signer.ts'
import { getTraceHeaders } from '../ports/tracer.ts'
import type { UpstreamRequest } from '../ports/upstream.ts'
import { buildEndpointUrl } from '../providers/address.ts'
import type { AuthorizeRequest, Provider, RequestAdaptation, UpstreamEndpoint } from '../providers/provider.ts'
import { getEarlierReasoningRule } from '../providers/provider.ts'
import type { Settings } from '../settings/index.ts'
import { type Call, createAbortSource } from './call.ts'

// Removes Anthropic fields and beta flags that a cloud's endpoint does not accept.

type Headers = Record<string, string>

/** The header with Anthropic's beta flags. */
const BETAS = 'anthropic-beta'

/**
 * Returns the request without the fields that the endpoint does not accept, and the names of those. Fields that the
 * operator sets by `param_override` are sent in any case.
 * @param own the caller's headers that are forwarded
 */
function dropUnacceptedFields(
  written: PatchedRequest,
  own: Headers | undefined,
  takes: NonNullable<UpstreamEndpoint['takes']>,
  model: string,
  head: RequestHead,
  { settings, override }: Pick<RoutedChannel, 'settings' | 'override'>,
): PatchedRequest & { headers: Headers | undefined } {
  const flags = own?.[BETAS]?.split(',').map((flag) => flag.trim()) ?? []
  const request = { body: joinParts(written.body), betas: flags.filter((flag) => flag !== '') }
  const more = [...parseNameList(settings.also_takes ?? ''), ...Object.keys(override)]
  const { body, betas, dropped } = fitToEndpoint(request, takes, [model, head.model], more)
  const { [BETAS]: _, ...others } = own ?? {}
  return {
    body,
    headers: betas.length > 0 ? { ...others, [BETAS]: betas.join(',') } : others,
    dropped: [...written.dropped, ...dropped],
  }
}

interface PreparedRequest {
  request: UpstreamRequest
  upstream_model: string
  /** Request fields that the provider's format cannot express. */
  dropped: string[]
  tool_names?: ToolNames
}

/** The destination of a request. */
interface UpstreamTarget extends BodyTarget {
  /** True if the body is sent unchanged when the formats are the same. */
  plain: boolean
  /** Set if the provider answers later and must be polled. */
  deferred?: DeferredAnswer
}

/** @throws GatewayError channel.base_url, and any refusal of the dialects */
export function prepareUpstreamRequest(
  callerRequest: CallerRequest,
  channel: RoutedChannel,
  { provider, endpoint, model: mapped, plain: asItCame, deferred: deferredAnswer }: UpstreamTarget,
  settings: Settings,
): PreparedRequest {
  const { dialect, head, place } = callerRequest
  if (!channel.base_url && !provider.base_url && !provider.answer) fail('channel.base_url')
  const same = endpoint.dialect === dialect
  const adapted = endpoint.adapt?.(mapped, head, settings, channel) ?? NOTHING
  const plain = same && asItCame
  const model = (plain ? undefined : adapted.model) ?? mapped
  const refused = plain ? NONE : findRefusedFields(callerRequest.body, endpoint)
  const written: PatchedRequest = plain
    ? {
        body: endpoint.dialect.patchRequestBody(callerRequest.body, { model, head, override: {}, plain: true }),
        dropped: NONE,
      }
    : buildRequestBody(callerRequest, channel, { provider, endpoint, model }, adapted, refused, settings)
  const own = same ? callerRequest.headers : undefined
  const taken =
    plain || !endpoint.takes ? undefined : dropUnacceptedFields(written, own, endpoint.takes, model, head, channel)
  const { body, dropped } = taken ?? written
  const passed = taken ? taken.headers : own
  const write = same ? writeFormParts : findTranslation(dialect, endpoint.dialect)?.writeForm
  const form = place?.form && write?.(asObject(parseJsonBytes(joinParts(body))) ?? {}, place.form)
  const headers: Record<string, string> = {
    'content-type': form?.content_type ?? 'application/json',
    accept: getAcceptHeader(dialect, head),
  }
  if (form) headers['content-length'] = String(form.size)
  if (passed) Object.assign(headers, passed)
  if (adapted.headers) Object.assign(headers, adapted.headers)
  if (callerRequest.extraHeaders) Object.assign(headers, callerRequest.extraHeaders)
  if (deferredAnswer?.headers) Object.assign(headers, deferredAnswer.headers)
  if (channel.settings.headers) Object.assign(headers, getOperatorHeaders(channel))
  const request: UpstreamRequest = {
    method: 'POST',
    url: buildEndpointUrl(provider, endpoint, channel, model, head, settings),
    headers,
    body: form ? undefined : deferredAnswer?.members ? setTopFields(body, deferredAnswer.members) : body,
    form,
    proxy: channel.settings.proxy || undefined,
    guarded: requiresAddressCheck(channel),
    headers_timeout_ms: getHeadTimeoutMs(channel, head.model, settings),
    idle_timeout_ms: getIdleTimeoutMs(channel, head.model, settings),
  }
  return {
    request: endpoint.adjust?.(request) ?? request,
    upstream_model: model,
    ...(written.tool_names ? { tool_names: written.tool_names } : {}),
    dropped: refused.length > 0 ? [...dropped, ...refused] : dropped,
  }
}

const NOTHING: RequestAdaptation = {}
const NONE: string[] = []
/** Returns the operator's own headers. Their names were checked when they were saved. */
export const getOperatorHeaders = ({ settings: { headers = {} } }: RoutedChannel): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const findRefusedFields = (body: Uint8Array, { refuses = NONE }: UpstreamEndpoint): string[] =>
  refuses.length === 0 ? NONE : Object.keys(readTopMembers(body, refuses))

/** Audio and plain transcripts are not JSON. */
function getAcceptHeader(dialect: CallerDialect, { stream }: RequestHead): string {
  if (stream) return 'text/event-stream'
  return dialect.operation !== 'chat' && dialect.plain ? '*/*' : 'application/json'
}

// Bodies: patched or translated requests.

/** The endpoint of the request, and the model name there. */
interface BodyTarget {
  provider: Provider
  endpoint: UpstreamEndpoint
  model: string
}
/**
 * Builds the request body for the channel: the caller's bytes, patched, or a translation to the provider's format.
 * @throws GatewayError request.kept_elsewhere, and any refusal of the dialects
 */
export function buildRequestBody(
  callerRequest: CallerRequest,
  channel: RoutedChannel,
  { provider, endpoint, model }: BodyTarget,
  { implied, defaults }: RequestAdaptation,
  refused: readonly string[],
  settings: Settings,
): PatchedRequest {
  const { head } = callerRequest
  const system = getSystemPrompt(channel)
  let { override } = channel
  // `stream_options` is removed if the provider refuses it.
  if (endpoint.stream_options === false) override = { ...override, stream_options: null }
  if (refused.length > 0) override = { ...override, ...Object.fromEntries(refused.map((key) => [key, null])) }
  const thoughts =
    endpoint.dialect.name === openaiChat.name ? getEarlierReasoningRule(provider, model, head.model) : 'takes'
  // Within one format the patch adds the implied fields and the channel's system prompt.
  if (endpoint.dialect === callerRequest.dialect) {
    const mends = channel.settings.mend_requests || channel.settings.force_format
    const { body, dropped } = dropReasoning(callerRequest, model, mends ? thoughts : 'takes')
    if (mends && !fitsSizes({ ...callerRequest, body })) {
      const translated = translateRequest(
        { endpoint, thoughts },
        { ...callerRequest, body },
        model,
        settings,
        implied,
        system,
      )
      const change = { model, head, override, limit: endpoint.limit }
      return {
        ...translated,
        body: endpoint.dialect.patchRequestBody(translated.body, change),
        dropped: [...dropped, ...translated.dropped],
      }
    }
    const change = { model, head, override, implied, system, limit: endpoint.limit }
    if (!channel.settings.mend_requests) return { body: endpoint.dialect.patchRequestBody(body, change), dropped }
    const mend = patchForModel(body, endpoint.dialect.name, model, head.model)
    const turns =
      callerRequest.dialect.operation === 'chat'
        ? repairTurnOrder(body, callerRequest.dialect, callerRequest.place)
        : undefined
    change.override = { ...turns?.override, ...mend.override, ...override }
    const lost = new Set([...dropped, ...mend.lost, ...(turns?.lost ?? [])])
    return { body: endpoint.dialect.patchRequestBody(body, change), dropped: [...lost] }
  }
  const { body, ...lost } = translateRequest({ endpoint, thoughts }, callerRequest, model, settings, implied, system)
  const change = { model, head, override: defaults ? { ...defaults, ...override } : override }
  return { ...lost, body: endpoint.dialect.patchRequestBody(body, change) }
}

/** Returns true if all lengths and counts are within the limits of the format. */
function fitsSizes({ dialect, body, place }: CallerRequest): boolean {
  if (dialect.operation !== 'chat') return true
  const request = dialect.readModelRequest(body, place)
  return fitRequestSizes(request, dialect.name).request === request
}

/** Returns the operator's system prompt. */
function getSystemPrompt({
  settings: { system_prompt: text, system_prompt_override },
}: RoutedChannel): SystemPrompt | undefined {
  return text ? { text, always: system_prompt_override === true } : undefined
}

/** Returns the caller's request without the reasoning and signatures that its provider does not accept. */
function dropReasoning(
  { dialect, head, body: original }: CallerRequest,
  model: string,
  rule: ReasoningRule,
): WrittenRequest {
  const { body, dropped } = rule === 'takes' ? { body: original, dropped: NONE } : fitReasoningBytes(original, rule)
  const proofs =
    dialect.operation === 'chat' && (head.borrowed || head.forgets) ? dialect.convertReasoningSignatures : undefined
  if (!proofs) return { body, dropped }
  const signed = proofs(body, head.forgets ? dropEverySignature : keepOwnSignature(dialect.name), model)
  return {
    ...signed,
    dropped: [...new Set([...dropped, ...(head.forgets ? REASONING_FIELDS : NONE), ...signed.dropped])],
  }
}

// Translations: a request in another format than the caller's, with all that was lost on the way.

/** A call as its caller wrote it. */
export interface CallerRequest {
  dialect: CallerDialect
  head: RequestHead
  body: Uint8Array
  place?: RequestPlace
  /** Headers that are forwarded if the format stays the same. */
  headers?: Record<string, string>
  /** Headers that every provider receives. */
  extraHeaders?: Record<string, string>
}

/** The target format, and the provider's rule for reasoning in earlier turns. */
interface Writing {
  endpoint: Pick<UpstreamEndpoint, 'dialect' | 'takes'>
  thoughts: ReasoningRule
}

/** Fields that are removed if no account accepts the reasoning signatures. */
const REASONING_FIELDS: readonly string[] = ['reasoning_content']

/**
 * @param implied fields that the channel's endpoint implies; `system`: the operator's system prompt
 * @throws GatewayError request.kept_elsewhere, and any refusal of the dialects
 */
function translateRequest(
  { endpoint: { dialect: to, takes }, thoughts }: Writing,
  { dialect, head, body, place }: CallerRequest,
  model: string,
  settings: Settings,
  implied: ModelNameSuffixes | undefined,
  system: SystemPrompt | undefined,
): WrittenRequest {
  const other = findTranslation(dialect, to)
  if (other && head.stream) return fail('request.untranslatable', { reason: 'a stream' })
  if (other) return other.write(body, model, place)
  if (to.operation !== 'chat' || dialect.operation !== 'chat') return fail('channel.wrong_operation')
  const read = addImpliedFields(withSystemPrompt(dialect.readModelRequest(body, place), system), implied)
  refuseVendorData(read, to.name)
  // An endpoint with a list of accepted Anthropic fields accepts no system turns in the conversation.
  const known = { ...read, model, requestedModel: head.model, ...(takes ? { system_first: true } : {}) }
  const prepared = head.forgets ? dropSignatures(known) : dialect === to ? known : keepOwnSignatures(known, to.name)
  const { lost = [], ...request } = fitReasoning(orderRequestMessages(prepared, to.name), thoughts)
  const sized = fitRequestSizes(request, to.name)
  const fit = fitRequestToModel(sized.request, to.name)
  const written = to.writeModelRequest(fit.request, settings['claude.prompt_caching'])
  const unkept = head.repeated?.store === true && head.kept_as === undefined ? ['store'] : NONE
  return {
    body: written.body,
    ...(sized.tool_names ? { tool_names: sized.tool_names } : {}),
    dropped: [
      ...new Set([
        ...lost,
        ...(head.forgets ? REASONING_FIELDS : NONE),
        ...unkept,
        ...sized.lost,
        ...fit.lost,
        ...written.dropped,
      ]),
    ],
  }
}

/**
 * Adds the channel's credentials to the request's own headers. Returns a promise only if something must be signed or
 * requested.
 */
export function authorizeRequest(
  request: UpstreamRequest,
  channel: RoutedChannel,
  provider: Provider,
  endpoint: UpstreamEndpoint,
  signer: RequestSigner,
): UpstreamRequest | Promise<UpstreamRequest> {
  const proof = (endpoint.authorize ?? provider.authorize)(channel, request, { signer })
  if (endpoint.query) return withQuery(request, endpoint.query(channel, request, { signer }), proof)
  return proof instanceof Promise
    ? proof.then((headers) => addMissingHeaders(request, headers))
    : addMissingHeaders(request, proof)
}

type Credentials = ReturnType<AuthorizeRequest>

/** Adds the headers that the request does not set itself. */
function addMissingHeaders(request: UpstreamRequest, proof: Record<string, string>): UpstreamRequest {
  const { headers } = request
  for (const name in proof) headers[name] ??= proof[name] ?? ''
  return request
}

async function withQuery(request: UpstreamRequest, query: Credentials, proof: Credentials): Promise<UpstreamRequest> {
  const address = new URL(request.url)
  for (const [name, value] of Object.entries(await query)) address.searchParams.set(name, value)
  return { ...addMissingHeaders(request, await proof), url: address.href }
}

/**
 * Returns the trace id and request id as headers for any provider and format; undefined for nearly all calls, which need
 * none. `attempt` is counted from 0.
 */
export function buildTraceHeaders(
  { trace, caller }: Pick<Call, 'trace' | 'caller'>,
  attempt: number,
  settings: Pick<Settings, 'relay.share_request_ids'>,
): Record<string, string> | undefined {
  const named = settings['relay.share_request_ids'] ? { 'x-request-id': caller.request_id } : undefined
  return trace ? { ...getTraceHeaders(trace, attempt), ...named } : named
}

// Timeouts of a channel, after which the next one is tried.

type TimeoutSettings = Pick<Settings, 'relay.first_content_seconds' | 'relay.idle_timeout_seconds'>

/** Returns the longest wait for the head of an answer, in ms; 0 for no limit. */
const getHeadTimeoutMs = (
  { settings: own }: RoutedChannel,
  model: string,
  settings: Pick<Settings, 'relay.head_seconds'>,
) => getTimeLimitMs(own.head_timeout_seconds, model) ?? settings['relay.head_seconds'] * 1000

/**
 * Returns the longest wait for a stream's first content, in ms; 0 for no limit. The channel's own setting takes
 * precedence.
 */
export const getFirstContentTimeoutMs = (
  { settings: own }: RoutedChannel,
  model: string,
  settings: TimeoutSettings,
): number => getTimeLimitMs(own.first_content_timeout_seconds, model) ?? settings['relay.first_content_seconds'] * 1000

/** Returns the longest silence inside an answer, in ms; 0 for no limit. */
export const getIdleTimeoutMs = ({ settings: own }: RoutedChannel, model: string, settings: TimeoutSettings): number =>
  getTimeLimitMs(own.idle_timeout_seconds, model) ?? settings['relay.idle_timeout_seconds'] * 1000

interface Deadline {
  /** Aborted when the time is up or the client disconnects. */
  signal: AbortSignalLike
  /** The failure, once the time is up. */
  passed(): GatewayError | undefined
  /** Stops the timer: from here on only a client disconnect aborts. */
  met(): void
}

/** Starts the timer. */
export function createDeadline(clock: Clock, ms: number, caller: AbortSignalLike): Deadline {
  const ended = createAbortSource()
  let failure: GatewayError | undefined
  const onAbort = () => ended.now(caller.reason)
  if (caller.aborted) onAbort()
  else caller.addEventListener('abort', onAbort, { once: true })
  const stop = clock.every(ms, () => {
    stop()
    failure = new GatewayError('upstream.slow', { seconds: ms / 1000 })
    ended.now(failure)
  })
  return { signal: ended.signal, passed: () => failure, met: () => stop() }
}
