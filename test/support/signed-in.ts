// Callers as the gateway's faces hand them to it: nobody, or a user who has just signed in.
import { noSession, type Caller, type SessionControl } from '../../core/auth/caller.ts'
import { seconds, type Clock } from '../../core/ports/clock.ts'
import type { User } from '../../core/users/user.ts'

/** A stranger from another network. */
export const nobody: Caller = {
  ...{ user: null, token: null, via: 'none', ip: '203.0.113.9', request_id: 'r0', language: 'en' },
}

/** A user with a session. */
export const signedIn = (user: User): Caller => ({ ...nobody, user, via: 'session' })

/** The session of a user who has just proven who they are. */
export function justProven(clock: Clock): SessionControl {
  const now = seconds(clock)
  const times = { created_time: now, used_time: now, proven_time: now, expires_time: now + 3600 }
  return { ...noSession, current: { id: 0, id_hash: '', user_id: 0, ip: '', user_agent: '', ...times } }
}
