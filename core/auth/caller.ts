// The caller of an endpoint, and the control through which an interface starts and ends sessions.
import ipaddr from 'ipaddr.js'
import type {
  EndpointAccess,
  FeatureEndpoints,
  HandlerInput,
  HandlerReply,
  AccessTokenScope,
} from '../contract/endpoint.ts'
import { ACCESS_TOKEN_SCOPES } from '../contract/endpoint.ts'
import { type Language, fail } from '../errors.ts'
import type { Token } from '../tokens/token.ts'
import { USER_ROLE, type User } from '../users/user.ts'
import type { Session } from './stores.ts'

/**
 * `via` is the means of authentication: a browser session, an API token (`sk-…`), a management access token, the
 * terminal on the host (acts as the super administrator), or none.
 */
export interface Caller {
  user: User | null
  token: Token | null
  via: 'session' | 'token' | 'access_token' | 'local' | 'none'
  /** The access token, and what it may, for `via: 'access_token'`. Time in epoch seconds, -1 for no end. */
  access?: { id: number; scope: AccessTokenScope; expired_time: number }
  ip: string
  request_id: string
  language: Language
}

/** Starts and ends the caller's session; the interface decides how (as a cookie). */
export interface SessionControl {
  /** The session of this request; null for none. */
  current: Session | null
  /** Starts a session of the user, which replaces the present one. */
  start(user: User): Promise<void>
  end(): Promise<void>
  /** A secret name of the browser, signed in or not; empty for interfaces without cookies. */
  browser(): string
  /** The name under which accounts know the browser; empty for none. */
  presented: string
}

/** The session control of interfaces without sessions: the terminal. */
export const noSession: SessionControl = {
  start: async () => {},
  end: async () => {},
  current: null,
  browser: () => '',
  presented: '',
}

const rank: Record<EndpointAccess, number> = {
  public: 0,
  user: USER_ROLE.user,
  admin: USER_ROLE.admin,
  root: USER_ROLE.root,
}

/** Does the caller's credential cover this scope? Sessions and the terminal cover every scope. */
export const isFor = ({ via, access }: Caller, scope: AccessTokenScope = 'all'): boolean =>
  via !== 'access_token' || ACCESS_TOKEN_SCOPES.indexOf(access?.scope ?? 'read') >= ACCESS_TOKEN_SCOPES.indexOf(scope)

/** May this caller use operations of this access level? */
export const hasAccess = (caller: Caller, access: EndpointAccess): boolean =>
  access === 'public' || caller.via === 'local' || (caller.user?.role ?? 0) >= rank[access]

// Identifies a client by its address, if nothing better is known.

const SHARED_BITS = 64

/** Returns the key of an address. With IPv6 a household has a whole network of addresses. */
export function getAddressKey(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (address.kind() === 'ipv4') return address.toString()
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${SHARED_BITS}`).toString()
}

// The types of an endpoint's handler.

/**
 * The context of a handler in addition to its input. `session` starts and ends the caller's session, if the interface
 * has one.
 */
export interface HandlerContext {
  caller: Caller
  session: SessionControl
}

/** One function per endpoint; a missing one does not compile. */
export type ContractHandlers<F extends FeatureEndpoints> = {
  [K in keyof F]: (input: HandlerInput<F[K]>, context: HandlerContext) => Promise<HandlerReply<F[K]>>
}

/** Returns the signed-in user. @throws GatewayError access.login_required */
export const requireUser = ({ user }: Pick<Caller, 'user'>): User => user ?? fail('access.login_required')
