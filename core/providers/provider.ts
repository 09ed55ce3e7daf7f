// A kind of channel, as data: address, authorization and dialects.
import type { ChannelForProvider } from './channel-for-provider.ts'
import type { AcceptedFeatures } from '../dialects/anthropic-messages/accepted-features.ts'
import type { CallFailure } from '../dialects/answers/call-failure.ts'
import type { DeferredAnswer } from '../dialects/answers/deferred-answer.ts'
import type { ModelNameSuffixes } from '../dialects/model-request.ts'
import type { RequestHead } from '../dialects/requests/head.ts'
import { findTranslation, type CallerDialect, type UpstreamDialect } from '../dialects/dialect.ts'
import type { TaskEndpoint } from '../dialects/tasks/task-dialect.ts'
import type { TaskFormat } from '../dialects/tasks/task-format.ts'
import type { ReasoningRule } from '../dialects/reasoning/family-row.ts'
import { findModelFamily } from '../dialects/reasoning/model-fit.ts'
import { isTaskOperation, type CallOperation } from '../models/operation.ts'
import { fail, words, type Words } from '../errors.ts'
import type { FileKind } from '../dialects/addresses.ts'
import type { Clock, AbortSignalLike } from '../ports/clock.ts'
import type { RequestSigner, UnsignedRequest } from '../ports/signer.ts'
import type { UpstreamReply, UpstreamRequest } from '../ports/upstream.ts'
import type { Settings } from '../settings/index.ts'

const OPENAI_CHAT = 'openai-chat'
const COMPACTION = 'openai-compaction'

/** A call to an endpoint. `base` is the base URL of the channel or of the provider, without a slash at the end. */
export interface EndpointCall {
  base: string
  /** The provider's name of the model. */
  model: string
  head: RequestHead
  settings: Settings
  channel: ChannelForProvider
}

/** One way into a provider: the dialect spoken there and where. A path is put behind the base URL. */
export interface UpstreamEndpoint {
  dialect: UpstreamDialect
  /** Path behind the base URL, or (from a function) a whole URL. */
  path: string | ((call: EndpointCall) => string)
  /** Returns the changes to a request by a model's name and the operator's settings. */
  adapt?(model: string, head: RequestHead, settings: Settings, channel: ChannelForProvider): RequestAdaptation
  /**
   * Returns true if the endpoint serves the model with the channel's key. Without it the endpoint serves all models.
   */
  serves?(model: string, channel: Pick<ChannelForProvider, 'key'>): boolean
  /** Returns true for calls that the model refuses here but accepts at another endpoint of the provider. */
  yields?(model: string, dialect: CallerDialect, head: RequestHead): boolean
  /** Fields that are refused here: they are left out, and named to the caller. */
  refuses?: readonly string[]
  /**
   * Flags and fields of Anthropic's format that this endpoint accepts. Others are removed, and listed for the caller.
   * undefined if it accepts all.
   */
  takes?: AcceptedFeatures
  /** The kinds of files that must be sent as bytes, because the endpoint does not fetch addresses. */
  inlines?: readonly FileKind[]
  /** The provider's only name for the maximum length of an answer, if it is the older one. */
  limit?: 'max_tokens'
  /** False where asking for usage in streams is refused. */
  stream_options?: boolean
  /** Authorization for this endpoint instead of the provider's. */
  authorize?: AuthorizeRequest
  /** Credentials that belong in the address. */
  query?: AuthorizeRequest
  /** Set for endpoints on a WebSocket: the request is one message, and each reply an event. */
  socket?: true
  /** Makes the last change to a request, in the dialect of the endpoint, before it is signed. */
  adjust?(request: UpstreamRequest): UpstreamRequest
  /** true if compatible servers may lack this path; then another format is used. */
  optional?: true
  /** A word of the refusal by which servers that have the path report that they do not know the request. */
  unknown_word?: string
  /** The polling of an asynchronous answer. */
  later?: DeferredAnswer
  /** The polling of background responses; undefined for base URLs without them. */
  deferred?(channel: Pick<ChannelForProvider, 'base_url'>): DeferredAnswer | undefined
  /** An answer out of a wrapping of the provider's own. */
  unwrap?(reply: UpstreamReply): UpstreamReply
}

/** An endpoint that counts the tokens of a prompt. */
export interface CountEndpoint extends UpstreamEndpoint {
  /** true if it only counts requests of its own format; others are counted by the next channel, or by Weir. */
  own_format_only?: true
}

/**
 * Returns the credentials of a request: headers (those of the request win), or parameters of its address. A promise
 * only if it signs or fetches something: a key in a header costs no turn of the event loop.
 * @throws GatewayError channel.key_format
 */
export type AuthorizeRequest = (
  channel: ChannelForProvider,
  request: UnsignedRequest,
  ports: { signer: RequestSigner },
) => Headers | Promise<Headers>

type Headers = Record<string, string>

/** The changes to a request before it is sent to an endpoint. */
export interface RequestAdaptation {
  /** The name to send, if the requested name contains more than the model. */
  model?: string
  implied?: ModelNameSuffixes
  /** Top-level fields that are added to a translated request, in the dialect of the endpoint. */
  defaults?: Record<string, unknown>
  /** They take precedence over the caller's headers. */
  headers?: Record<string, string>
}

/** Label and help of a field for channels of one type, instead of the general ones. */
export interface FieldHint {
  label: Words
  help?: Words
  placeholder?: string
  required?: boolean
}

export const API_KEY_LABEL = words('API key')

/** The endpoints by operation: `chat: […]`, `embeddings: […]`. */
export type EndpointsByOperation = Partial<Record<CallOperation, UpstreamEndpoint[]>>

export interface Provider extends EndpointsByOperation {
  /** The number stored in channels; never reused. */
  type: number
  id: string
  name: string
  /** Default address; empty where every channel must name its own. */
  base_url: string
  /** Models offered in the form; operators add and remove names. */
  models: string[]
  /** Environment variable in which people commonly keep a key for it. */
  env?: string
  needs_key: boolean
  /** The replacement for an ended service: existing channels stay, new ones are refused. */
  retired?: string
  authorize: AuthorizeRequest
  /**
   * How the provider handles reasoning in earlier turns of OpenAI's format. Its declaration overrides that of the
   * model's family. `by_model`: it serves models of any vendor. By default it refuses them.
   */
  thoughts?: ReasoningRule | 'by_model'
  /** true if every call of it makes something, so that it cannot be tested. */
  untestable?: true
  /** Asynchronous tasks: drawings, music, films. */
  tasks?: readonly TaskEndpoint[]
  /** Further addresses of its files, which are fetched with the channel's key. */
  files?: readonly string[]
  /** The endpoint that counts the tokens of a prompt without a charge. */
  count?: CountEndpoint
  /** GET path behind the base URL, or (from a function) a whole URL, that lists models. */
  models_path?: string | ((call: Pick<EndpointCall, 'base' | 'channel'>) => string)
  /** Cache lifetime of a prompt's beginning after its last use, in seconds; 300 if undefined. */
  cache_seconds?: number
  /** Returns the balance of a key's account, in the provider's currency. `ask` fetches the JSON at an address. */
  balance?(ask: FetchJson, channel: ChannelForProvider, now: Date): Promise<number>
  /** Answers in this process instead of over the network. */
  answer?(
    request: UpstreamRequest,
    channel: ChannelForProvider,
    clock: Clock,
    signal: AbortSignalLike,
    dialect?: UpstreamDialect,
  ): Promise<UpstreamReply>
  fields: { key?: FieldHint; other?: FieldHint; base_url?: FieldHint; openai_organization?: FieldHint }
  /** Its key names an address, or a part of one: a region, an endpoint for tokens. */
  key_has_address?: true
  /** Is the text a key as this provider's requests need it? Without it any text is. */
  hasKeyForm?(key: string): boolean
  /** Its address is used as it is; paths are not appended to it. */
  whole_address?: true
  /** Its key is one text of several lines. */
  key_has_lines?: true
  /** It refuses with status 400 what another channel may take: the next one is tried. */
  retries_bad_requests?: true
  /** Returns true if the text of a refusal means a bad key or account, in addition to the common texts. */
  accountFailed?(failure: CallFailure): boolean
  /** Default for a channel with an empty `other`. */
  other_default?: string
  /** Checks the further fields of a channel when it is saved. @throws GatewayError channel.other … */
  check?(channel: Pick<ChannelForProvider, 'other'>): void
}

/** Reads JSON from a path behind the channel's base URL, or a whole URL, with its key or with other headers. @throws GatewayError upstream.* */
export type FetchJson = (path: string, headers?: Headers) => Promise<unknown>

type Declaration = Omit<Provider, 'models' | 'fields' | 'needs_key' | 'authorize'> & Partial<Provider>

/** Declares a provider. The defaults are the common case: no suggested models, a bearer key and no special fields. */
export const provider = (declaration: Declaration): Provider => ({
  models: [],
  needs_key: true,
  authorize: bearer,
  fields: {},
  ...declaration,
})

/** Model names out of a comma list, which keeps a provider's record short. */
export const names = (commaList: string): string[] => commaList.split(',').map((name) => name.trim())

/** Creates the check of a key with so many parts between bars, none of them blank. */
export const hasKeyParts =
  (...counts: number[]) =>
  (key: string): boolean => {
    const parts = key.split('|').map((part) => part.trim())
    return counts.includes(parts.length) && !parts.includes('')
  }

/** `Authorization: Bearer KEY`. */
export function bearer(channel: ChannelForProvider): Record<string, string> {
  return channel.key === '' ? {} : { authorization: `Bearer ${channel.key}` }
}

/** Returns a channel's `other`, which must not be empty. @throws GatewayError channel.other */
export const requireOther = ({ other }: Pick<ChannelForProvider, 'other'>, field: Words): string =>
  other.trim() || fail('channel.other', { field })

/**
 * Finds the endpoint for a call: in the caller's format if the provider offers it, so that the bytes can pass through;
 * else the provider's first one for chat, and for other operations one that it can be translated to. An endpoint that
 * yields the call is skipped. Undefined if the provider does not serve such calls.
 * @param head undefined to find what the provider can do in general
 * @param missing an endpoint that the channel's server turned out not to have
 */
export function findCallEndpoint(
  provider: Provider,
  dialect: CallerDialect,
  model: string,
  channel: Pick<ChannelForProvider, 'key'>,
  head?: RequestHead,
  missing?: UpstreamEndpoint,
): UpstreamEndpoint | undefined {
  const all = listEndpoints(provider, dialect)
  const endpoints = missing ? all.filter((endpoint) => endpoint !== missing) : all
  const serves = (endpoint: UpstreamEndpoint) => endpoint.serves?.(model, channel) ?? true
  const takes = (endpoint: UpstreamEndpoint) => serves(endpoint) && !(head && endpoint.yields?.(model, dialect, head))
  return nearest(endpoints, dialect, takes) ?? (head ? nearest(endpoints, dialect, serves) : undefined)
}

/** Does the provider compact the conversations with this model? */
export const compactsConversations = (
  { chat = [] }: Pick<Provider, 'chat'>,
  model: string,
  channel: Pick<ChannelForProvider, 'key'>,
): boolean => chat.some(({ dialect, serves }) => dialect.name === COMPACTION && (serves?.(model, channel) ?? true))

/** Returns how that provider handles thoughts in earlier turns for a model. `asked` is the caller's name for the model. */
export function getEarlierReasoningRule(
  { thoughts = 'refuses' }: Provider,
  model: string,
  requested: string,
): ReasoningRule {
  return thoughts === 'by_model' ? (findModelFamily(model, OPENAI_CHAT, requested).thoughts ?? 'refuses') : thoughts
}

/** Returns the endpoints of an operation; tasks have separate ones. */
export const listEndpoints = (
  provider: Provider,
  { operation }: Pick<CallerDialect, 'operation'>,
): readonly UpstreamEndpoint[] => (isTaskOperation(operation) ? [] : (provider[operation] ?? []))

/**
 * Finds the endpoint for a task: in its format if the provider offers it, else in any format that can express such a
 * film. Undefined if the provider has no such tasks for the model.
 */
export function findProviderTaskEndpoint(
  { tasks = [] }: Provider,
  format: TaskFormat,
  model: string,
): TaskEndpoint | undefined {
  const able = tasks.filter(
    ({ dialect, serves }) => dialect.operation === format.operation && (serves?.(model) ?? true),
  )
  return (
    able.find(({ dialect }) => dialect.name === format.name) ?? (format.operation === 'video' ? able[0] : undefined)
  )
}

function nearest(
  endpoints: readonly UpstreamEndpoint[],
  dialect: CallerDialect,
  takes: (endpoint: UpstreamEndpoint) => boolean,
): UpstreamEndpoint | undefined {
  const own = endpoints.find((endpoint) => endpoint.dialect === dialect && takes(endpoint))
  if (own) return own
  return endpoints.find(
    (endpoint) => (dialect.operation === 'chat' || findTranslation(dialect, endpoint.dialect)) && takes(endpoint),
  )
}
