// The caller of the JSON API: identified by a session cookie, a management access token, or the socket of the host's terminal.
import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import type { Endpoint } from '../core/contract/endpoint.ts'
import { FRAMED_REQUEST_HEADER } from '../core/contract/frames.ts'
import { SESSION_COOKIE_NAME } from '../core/contract/openapi.ts'
import type { Caller, Gateway, Session, SessionControl, User } from '../core/index.ts'
import {
  loadLocalCaller,
  GatewayError,
  KNOWN_SECONDS,
  noSession,
  findAccessTokenOwner,
  seconds,
} from '../core/index.ts'
import { getCookiePath } from './base-path.ts'
import { getPeer, type RequestPeer } from './peer.ts'

/** Cookie of a browser that is not signed in, for what it has started: a sign-in by another service, a human check. */
const BROWSER_COOKIE = 'weir_browser'
/** Cookie that identifies a browser to the accounts that know it. It changes with each sign-in. */
const KNOWN_COOKIE = 'weir_known'
const SESSION_SECONDS = 30 * 24 * 3600
const BROWSER_SECONDS = 3600
const SESSION_ID = new RegExp(`(?:^|;\\s*)${SESSION_COOKIE_NAME}=([^;]+)`)
const ID_LENGTH = 43
const MAX_AGENT_LENGTH = 200
/** Precision of the stored last use of a session, in seconds. */
const USE_PRECISION_SECONDS = 60

/** True for requests that came through the data folder's socket. */
export const isLocal = (context: Context) => (context.req.socket as { weirLocal?: boolean }).weirLocal === true

/** The caller of a request, and the control of their session. */
export interface Asker {
  caller: Caller
  session: SessionControl
}

/**
 * Finds the caller of an API request. `New-Api-User` is a consistency check, never an identity: it must name the caller, and is
 * required with a session and for changes by GET, because no foreign page can make a browser send it.
 * @throws GatewayError access.user_mismatch, access.header_required, access.cross_site, access.token_invalid
 */
export async function resolveCaller(
  gateway: Gateway,
  context: Context,
  endpoint: Endpoint,
  prefix: string,
): Promise<Asker> {
  const peer = getPeer(gateway, context)
  if (isLocal(context)) {
    return { caller: { ...(await loadLocalCaller(gateway.ports)), language: peer.language }, session: noSession }
  }
  const claimed = context.get('new-api-user')
  const byGet = endpoint.changes && context.method === 'GET'
  if (byGet && claimed === '') throw new GatewayError('access.header_required')
  const known = await loadSession(gateway, context)
  const guarded = endpoint.access !== 'public' || endpoint.changes === true
  if (known && guarded && claimed !== String(known.user.id)) throw new GatewayError('access.user_mismatch')
  if (known && guarded && context.get('sec-fetch-site') === 'cross-site') throw new GatewayError('access.cross_site')
  const session = createSessionControl(gateway, context, known?.session ?? null, prefix)
  if (known) return { session, caller: { ...peer, user: known.user, token: null, via: 'session' } }
  const none: Caller = { ...peer, user: null, token: null, via: 'none' }
  const presented = context
    .get('authorization')
    .replace(/^bearer\s+/i, '')
    .trim()
  if (presented === '' || endpoint.access === 'public') return { session, caller: none }
  const caller = await findAccessTokenCaller(gateway, peer, presented)
  if (claimed !== '' && claimed !== String(caller.user?.id)) throw new GatewayError('access.user_mismatch')
  return { session, caller }
}

/** Finds the caller of an access token. @throws GatewayError access.token_invalid */
export async function findAccessTokenCaller(gateway: Gateway, peer: RequestPeer, presented: string): Promise<Caller> {
  const owner = await findAccessTokenOwner(gateway.ports, presented)
  if (!owner) throw new GatewayError('access.token_invalid')
  const { user, access } = owner
  return { ...peer, user, access, token: null, via: 'access_token' }
}

/** Loads the session of the request's cookie, with the current user. */
export const loadSession = (gateway: Gateway, context: Context) =>
  sessionById(gateway, context.cookies.get(SESSION_COOKIE_NAME))

async function sessionById(
  { ports }: Gateway,
  id: string | undefined,
): Promise<{ session: Session; user: User } | null> {
  const { sessions, users } = ports.storage
  if (!id) return null
  const session = await sessions.find(ports.secrets.hash(id))
  const now = seconds(ports.clock)
  if (!session || session.expires_time <= now) return null
  const user = await users.find(session.user_id)
  if (!user || user.DeletedAt !== null) return null
  if (now - session.used_time >= USE_PRECISION_SECONDS) await sessions.update(session.id, { used_time: now })
  return { session, user }
}

/**
 * Loads the signed-in user of a relay call, with the same checks as an API request that changes something.
 * @throws GatewayError access.login_required, access.user_mismatch, access.cross_site
 */
export async function requireSignedIn(gateway: Gateway, request: IncomingMessage): Promise<User> {
  const user = await loadViewingUser(gateway, request)
  if (request.headers['new-api-user'] !== String(user.id)) throw new GatewayError('access.user_mismatch')
  return user
}

/**
 * Loads the signed-in user whose page shows a file. Browsers send no extra headers for a film or a sound, so none is required.
 * @throws GatewayError access.login_required, access.cross_site
 */
export async function loadViewingUser(gateway: Gateway, { headers }: IncomingMessage): Promise<User> {
  const id = SESSION_ID.exec(headers.cookie ?? '')?.[1]
  const known = await sessionById(gateway, id)
  if (!known) throw new GatewayError('access.login_required')
  if (headers['sec-fetch-site'] === 'cross-site') throw new GatewayError('access.cross_site')
  return known.user
}

/**
 * True if the requesting page is in a frame of another site and the settings allow that. The page reports it in a header, which no
 * foreign page can send. Only secure pages and those of this machine can store partitioned cookies.
 */
const isFramed = ({ FrameAncestors }: ReturnType<Gateway['settings']>, context: Context): boolean =>
  FrameAncestors.length > 0 && context.get(FRAMED_REQUEST_HEADER) === '1'

/** Creates the control that starts and ends the cookie session of one request. Its cookies are valid below `prefix`. */
export function createSessionControl(
  { ports, settings }: Gateway,
  context: Context,
  current: Session | null,
  prefix: string,
): SessionControl {
  const { sessions, browsers } = ports.storage
  const path = getCookiePath(prefix)
  const framed = isFramed(settings(), context)
  const setCookie = (name: string, value: string | null, maxAgeSeconds: number) => {
    const { secure: encrypted } = getPeer({ settings }, context)
    const secure = framed || encrypted || settings().ServerAddress.startsWith('https://')
    // Behind a proxy the connection to Weir is plain while the one to the browser is encrypted.
    context.cookies.secure = secure
    context.cookies.set(name, value, {
      path,
      httpOnly: true,
      // In a frame of another site a browser stores only partitioned cookies, and sends them in frames of that site alone.
      ...(framed ? { sameSite: 'none', partitioned: true } : { sameSite: 'strict' }),
      secure,
      overwrite: true,
      maxAge: maxAgeSeconds * 1000,
    })
  }
  const end = async () => {
    const id = context.cookies.get(SESSION_COOKIE_NAME)
    if (id) await sessions.delete(ports.secrets.hash(id))
    if (current) await ports.storage.announce({ topic: 'users', id: current.user_id })
    setCookie(SESSION_COOKIE_NAME, null, 0)
  }
  let browser = context.cookies.get(BROWSER_COOKIE)
  const presented = context.cookies.get(KNOWN_COOKIE) ?? ''
  return {
    current,
    end,
    presented,
    browser() {
      if (!browser) setCookie(BROWSER_COOKIE, (browser = ports.random.text(ID_LENGTH)), BROWSER_SECONDS)
      return browser
    },
    async start(user) {
      // A new id at every sign-in prevents session fixation.
      await end()
      const id = ports.random.text(ID_LENGTH)
      const now = seconds(ports.clock)
      await sessions.insert({
        id_hash: ports.secrets.hash(id),
        user_id: user.id,
        ip: getPeer({ settings }, context).ip,
        user_agent: context.get('user-agent').slice(0, MAX_AGENT_LENGTH),
        created_time: now,
        used_time: now,
        proven_time: now,
        expires_time: now + SESSION_SECONDS,
      })
      setCookie(SESSION_COOKIE_NAME, id, SESSION_SECONDS)
      const name = ports.random.text(ID_LENGTH)
      await browsers.remember(user.id, { before: ports.secrets.hash(presented), hash: ports.secrets.hash(name) }, now)
      setCookie(KNOWN_COOKIE, name, KNOWN_SECONDS)
    },
  }
}
