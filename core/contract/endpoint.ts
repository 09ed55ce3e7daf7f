// One declared API operation. Validation, permission, HTTP mount, typed client, OpenAPI and `weir call` derive from it.
import { z } from 'zod'
import { fillTemplate, EMPTY_WORDS, words, type Words } from '../errors.ts'

export type EndpointAccess = 'public' | 'user' | 'admin' | 'root'
/**
 * The scopes of an access token; each includes the ones before it. `usage` covers only the usage of its owner, `relay`
 * what calls need: channels and API tokens.
 */
export const ACCESS_TOKEN_SCOPES = ['usage', 'read', 'relay', 'all'] as const
export type AccessTokenScope = (typeof ACCESS_TOKEN_SCOPES)[number]

/** An endpoint that requires a user declares the scope that an access token needs. */
type Scoped = { access: 'public' } | { access: Exclude<EndpointAccess, 'public'>; scope: AccessTokenScope }

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

type InputSchema = z.ZodObject

/**
 * `path` names its parameters in braces (`/api/token/{id}`). Inputs of path, query and body arrive as one flat object,
 * so no two of them may use the same name. `beside` are fields that stand next to `data` in the envelope.
 */
export interface Endpoint<
  P extends InputSchema | undefined = InputSchema | undefined,
  Q extends InputSchema | undefined = InputSchema | undefined,
  B extends InputSchema | undefined = InputSchema | undefined,
  R extends z.ZodType = z.ZodType,
  S extends InputSchema | undefined = InputSchema | undefined,
> {
  method: Method
  path: string
  access: EndpointAccess
  /** The least that an access token must be for; the public needs none. */
  scope?: AccessTokenScope
  summary: Words
  /** A rate limit by address, in addition to that of the API as a whole (setting ApiRateLimits). */
  limit?: 'login' | 'verification' | 'reset' | 'redemption' | 'search'
  /**
   * A GET that changes something, as the specification has it: needs the New-Api-User header and, with a session, a
   * page of the same site. A POST of the same path does the same.
   */
  changes?: true
  /**
   * Money or secrets move: a session must have been proven lately (setting StepUpMinutes). Always, which the dispatch
   * sees to; or in the case these words name, which the handler sees to.
   */
  proof?: true | { when: Words }
  /** Answers before Weir is set up; every other public call is closed until then. */
  beforeSetup?: true
  /** Its body may be large: whole installations come in one. */
  large?: true
  /** Pages of any site may ask: what lets the caller in is in the request, not in the browser. */
  anyOrigin?: true
  /**
   * The row that forms send back whole: its fields are known, and read no further. Any other field that a body has and
   * that is not declared is refused, for it may have been meant to limit something.
   */
  row?: InputSchema
  /** The fields of the body whose null has its own meaning. In all others it means absent. */
  nulls?: readonly string[]
  /** A refusal repeats its sentence in `data`, where clients of the specification's payment calls read it. */
  sentenceInData?: true
  params?: P
  query?: Q
  body?: B
  reply: R
  replyFields?: S
}

/** Declares an endpoint; the identity function, there for its types. */
export function endpoint<
  R extends z.ZodType,
  P extends InputSchema | undefined = undefined,
  Q extends InputSchema | undefined = undefined,
  B extends InputSchema | undefined = undefined,
  S extends InputSchema | undefined = undefined,
>(declaration: Endpoint<P, Q, B, R, S> & Scoped): Endpoint<P, Q, B, R, S> {
  return declaration
}

/**
 * Describes the required reauthentication. It applies to sessions only, not to access tokens or to the terminal on the
 * host.
 */
export const describeReauthentication = ({ proof }: Pick<Endpoint, 'proof'>): Words =>
  proof === undefined ? SILENT : proof === true ? PROOF : fillTemplate(PROOF_WHEN, proof)

const SILENT = EMPTY_WORDS
const PROOF = words(' Requires recent reauthentication in a session.')
const PROOF_WHEN = words(' Requires recent reauthentication in a session: {when}.')

/** Describes the scope that access tokens need. */
export const describeRequiredScope = ({ scope }: Pick<Endpoint, 'scope'>): Words =>
  scope === undefined || scope === 'read'
    ? SILENT
    : fillTemplate(words(' Needs an access token of scope {scope}{scope2}.'), {
        scope,
        scope2: scope === 'all' ? '' : words(' or all'),
      })

/** One feature's endpoints by name. */
export type FeatureEndpoints = Record<string, Endpoint<any, any, any, any, any>>

type In<S> = S extends z.ZodType ? z.input<S> : unknown
type Out<S> = S extends z.ZodType ? z.output<S> : unknown
type Flat<T> = { [K in keyof T]: T[K] } & unknown

/** The input of a caller, before defaults are filled in. */
export type CallerInput<E> =
  E extends Endpoint<infer P, infer Q, infer B, any, any> ? Flat<In<P> & In<Q> & In<B>> : never

/** The input of a handler: parsed, with defaults. */
export type HandlerInput<E> =
  E extends Endpoint<infer P, infer Q, infer B, any, any> ? Flat<Out<P> & Out<Q> & Out<B>> : never

/** The reply for a client: `data` alone, or together with the further fields that the endpoint declares. */
export type EndpointReply<E> =
  E extends Endpoint<any, any, any, infer R, infer S>
    ? S extends z.ZodObject
      ? Flat<{ data: z.output<R> } & z.output<S>>
      : z.output<R>
    : never

/** The return value of a handler; the reply schema drops every field it does not name. */
export type HandlerReply<E> =
  E extends Endpoint<any, any, any, infer R, infer S>
    ? S extends z.ZodObject
      ? Flat<{ data: z.input<R> } & z.input<S>>
      : z.input<R>
    : never
