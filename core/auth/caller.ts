// The caller of an endpoint, and the control through which an interface starts and ends sessions.
import type { Session } from './session-store.ts'
import type { Token } from '../tokens/token.ts'
import { ROLE, type User } from '../users/user.ts'
import { SCOPES, type Access, type Scope } from '../contract/endpoint.ts'
import type { Language } from '../errors.ts'

/**
 * `via` is the means of authentication: a browser session, an API token (`sk-…`), a management access token, the
 * terminal on the host (acts as the super administrator), or none.
 */
export interface Caller {
  user: User | null
  token: Token | null
  via: 'session' | 'token' | 'access_token' | 'local' | 'none'
  /** The access token, and what it may, for `via: 'access_token'`. Time in epoch seconds, -1 for no end. */
  access?: { id: number; scope: Scope; expired_time: number }
  ip: string
  request_id: string
  language: Language
}

/** Starts and ends the caller's session; what that means (a cookie) is the face's business. */
export interface SessionControl {
  /** The session of this request; null for none. */
  current: Session | null
  /** A new session, in place of the one there was. */
  start(user: User): Promise<void>
  end(): Promise<void>
  /** A name for the browser, signed in or not, which only it knows; empty for a face without cookies. */
  browser(): string
  /** The name under which accounts know the browser; empty for none. */
  presented: string
}

/** A face without sessions: the terminal. */
export const noSession: SessionControl = {
  start: async () => {},
  end: async () => {},
  current: null,
  browser: () => '',
  presented: '',
}

const rank: Record<Access, number> = { public: 0, user: ROLE.user, admin: ROLE.admin, root: ROLE.root }

/** Is what the caller came with for this, too? Sessions and the terminal are for everything. */
export const isFor = ({ via, access }: Caller, scope: Scope = 'all'): boolean =>
  via !== 'access_token' || SCOPES.indexOf(access?.scope ?? 'read') >= SCOPES.indexOf(scope)

/** May this caller use operations of this access level? */
export const hasAccess = (caller: Caller, access: Access): boolean =>
  access === 'public' || caller.via === 'local' || (caller.user?.role ?? 0) >= rank[access]
