// Sensitive actions require that a session has been authenticated recently.
import { fail } from '../errors.ts'
import type { HandlerContext } from './handler.ts'

/**
 * Requires a recent authentication: the sign-in, or a later password, code or passkey. Access tokens and the terminal
 * do not need it, since setting them up required it.
 * @param minutes how long it lasts; 0: for ever
 * @param now epoch seconds
 * @throws GatewayError access.step_up
 */
export function requireReauthentication({ caller, session }: HandlerContext, minutes: number, now: number): void {
  if (caller.via !== 'session' || minutes === 0) return
  if (!session.current || session.current.proven_time + minutes * 60 < now) fail('access.step_up')
}
