// Who is calling the JSON API: a session cookie, a management access token, or the terminal on the host.
import type { Context } from 'koa'
import {
  localCaller,
  GatewayError,
  seconds,
  type Caller,
  type Gateway,
  type SessionDoor,
  type User,
} from '../core/index.ts'
import { peerOf } from './peer.ts'

const COOKIE = 'session'
const SESSION_SECONDS = 30 * 24 * 3600
const ID_LENGTH = 43

/** True for requests that came through the data folder's socket. */
const isLocal = (context: Context) => (context.req.socket as { weirLocal?: boolean }).weirLocal === true

/**
 * The caller of an API request. `New-Api-User` is a consistency check, never an identity: it must name the caller, and
 * sessions must send it, which no foreign page can make a browser do.
 * @throws GatewayError access.user_mismatch, access.token_invalid
 */
export async function callerOf(gateway: Gateway, context: Context, isPublic: boolean): Promise<Caller> {
  const peer = peerOf(context.req)
  if (isLocal(context)) return { ...(await localCaller(gateway.ports)), language: peer.language }
  const none: Caller = { ...peer, user: null, token: null, via: 'none' }
  const bySession = await sessionUser(gateway, context)
  const claimed = context.get('new-api-user')
  if (bySession) {
    if (!isPublic && claimed !== String(bySession.id)) throw new GatewayError('access.user_mismatch')
    return { ...none, user: bySession, via: 'session' }
  }
  const presented = context
    .get('authorization')
    .replace(/^bearer\s+/i, '')
    .trim()
  if (presented === '' || isPublic) return none
  const user = await gateway.ports.storage.users.findByAccessToken(gateway.ports.secrets.hash(presented))
  if (!user) throw new GatewayError('access.token_invalid')
  if (claimed !== '' && claimed !== String(user.id)) throw new GatewayError('access.user_mismatch')
  return { ...none, user, via: 'access_token' }
}

async function sessionUser({ ports }: Gateway, context: Context): Promise<User | null> {
  const id = context.cookies.get(COOKIE)
  if (!id) return null
  const session = await ports.storage.sessions.find(ports.secrets.hash(id))
  if (!session || session.expires_time <= seconds(ports.clock)) return null
  const user = await ports.storage.users.find(session.user_id)
  return user && user.DeletedAt === null ? user : null
}

/** Starts and ends the cookie session of one request. */
export function sessionDoor({ ports }: Gateway, context: Context): SessionDoor {
  const { sessions } = ports.storage
  const end = async () => {
    const id = context.cookies.get(COOKIE)
    if (id) await sessions.delete(ports.secrets.hash(id))
    context.cookies.set(COOKIE, null)
  }
  return {
    end,
    async start(user) {
      // A new id at every login: one that was planted before is worth nothing.
      await end()
      const id = ports.random.text(ID_LENGTH)
      const now = seconds(ports.clock)
      await sessions.insert({
        id_hash: ports.secrets.hash(id),
        user_id: user.id,
        created_time: now,
        expires_time: now + SESSION_SECONDS,
      })
      context.cookies.set(COOKIE, id, {
        httpOnly: true,
        sameSite: 'lax',
        secure: context.secure,
        overwrite: true,
        maxAge: SESSION_SECONDS * 1000,
      })
    },
  }
}
