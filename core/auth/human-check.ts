// Turnstile: is a human asking? Once passed, a browser is believed for a while, because a token is good for one check.
import { fail } from '../errors.ts'
import { parseJsonBody, type WebClient } from '../ports/web.ts'
import type { Settings } from '../settings/index.ts'
import type { HandlerContext } from './caller.ts'
import type { PendingVerifications } from './verification.ts'

const VERIFY_URL = 'https://challenges.cloudflare.com/turnstile/v0/siteverify'
const BELIEVED_MINUTES = 10

interface HumanCheckPorts {
  web: WebClient
  verifications: PendingVerifications
  settings(): Settings
}

/** @throws GatewayError human.failed, and `missing` for no token at all */
export type HumanCheck = (
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
