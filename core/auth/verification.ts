// Short-lived secrets that work once: mailed codes, reset links, and sign-ins that continue at another service.
import { seconds, type Clock } from '../ports/clock.ts'
import type { Secrets } from '../ports/secrets.ts'
import { fail } from '../errors.ts'
import { parseJsonBody, type WebClient } from '../ports/web.ts'
import type { Settings } from '../settings/index.ts'
import type { HandlerContext } from './caller.ts'

/** Stored secrets, each with a purpose. `key` names the owner and is stored as a keyed hash, the payload encrypted. */
export interface VerificationStore {
  /** Replaces the payload of this purpose and key. `expires` in epoch seconds. */
  put(purpose: string, key: string, payload: string, expires: number): Promise<void>
  /** Counts an attempt. Returns the payload and the number of attempts so far; null if there is none, or if it has expired by `now`. */
  attempt(purpose: string, key: string, now: number): Promise<{ payload: string; attempts: number } | null>
  /** Removes the payload and returns it. Of two concurrent callers only one gets it. */
  take(purpose: string, key: string, now: number): Promise<string | null>
  /** Returns whether there is a payload. Counts no attempt. */
  holds(purpose: string, key: string, now: number): Promise<boolean>
  deleteExpired(now: number): Promise<void>
}

export type Purpose = 'email' | 'reset' | 'oauth' | 'human' | 'second_factor' | 'passkey'

export interface PendingVerifications {
  /** Keeps a payload for some minutes, in place of an earlier one. */
  keep(purpose: Purpose, key: string, payload: string, minutes: number): Promise<void>
  /** Returns whether this is the stored code, which stays valid for a few attempts. */
  matches(purpose: Purpose, key: string, code: string): Promise<boolean>
  /** Returns whether there is a payload. Counts no attempt. */
  holds(purpose: Purpose, key: string): Promise<boolean>
  /** Removes the payload and returns it; null if there is none. */
  take(purpose: Purpose, key: string): Promise<string | null>
  /** Returns the payload without removing it; null if there is none. A few reads are free, as attempts are. */
  look(purpose: Purpose, key: string): Promise<string | null>
}

/** A code of six hex digits is guessed in one of three million tries of this many. */
const MAX_ATTEMPTS = 5

interface VerificationPorts {
  storage: { verifications: VerificationStore }
  secrets: Pick<Secrets, 'same'>
  clock: Clock
}

export function createVerifications({
  storage: { verifications: store },
  secrets,
  clock,
}: VerificationPorts): PendingVerifications {
  const look = async (purpose: Purpose, key: string) => {
    const found = await store.attempt(purpose, key, seconds(clock))
    return found && found.attempts <= MAX_ATTEMPTS ? found.payload : null
  }
  return {
    keep: (purpose, key, payload, minutes) => store.put(purpose, key, payload, seconds(clock) + minutes * 60),
    async matches(purpose, key, code) {
      const stored = await look(purpose, key)
      return stored !== null && secrets.same(stored, code)
    },
    holds: (purpose, key) => store.holds(purpose, key, seconds(clock)),
    take: (purpose, key) => store.take(purpose, key, seconds(clock)),
    look,
  }
}

// Checks a Turnstile token. A browser that has passed is trusted for a while, because a token is valid for one check only.

const VERIFY_URL = 'https://challenges.cloudflare.com/turnstile/v0/siteverify'
const BELIEVED_MINUTES = 10

interface HumanCheckPorts {
  web: WebClient
  verifications: PendingVerifications
  settings(): Settings
}

/** @throws GatewayError human.failed, and `missing` for no token at all */
type HumanCheck = (
  token: string | undefined,
  context: HandlerContext,
  missing?: 'human.missing' | 'human.missing_reset',
) => Promise<void>

export function createHumanCheck({ web, verifications, settings }: HumanCheckPorts): HumanCheck {
  return async (token, { caller, session }, missing = 'human.missing') => {
    const { TurnstileCheckEnabled: enabled, TurnstileSecretKey: secret } = settings()
    if (!enabled || caller.via === 'local') return
    const browser = session.browser()
    if (browser !== '' && (await verifications.look('human', browser)) !== null) return
    if (!token) fail(missing)
    const reply = await web.send({
      method: 'POST',
      url: VERIFY_URL,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ secret, response: token, remoteip: caller.ip }).toString(),
    })
    if ((parseJsonBody(reply) as { success?: unknown } | undefined)?.success !== true) fail('human.failed')
    if (browser !== '') await verifications.keep('human', browser, 'passed', BELIEVED_MINUTES)
  }
}
