// A method of signing in through an identity provider.
import type { IdentityServices } from '../../ports/identity.ts'
import type { WebClient, WebReply } from '../../ports/web.ts'
import type { HostMachine } from '../../ports/machine.ts'
import type { Settings } from '../../settings/index.ts'
import { fail, GatewayError } from '../../errors.ts'

/** A user's identity at the service. */
export interface ExternalIdentity {
  /** Stable at the service, compared letter for letter. */
  subject: string
  username?: string
  display_name: string
  /** Only if the service has verified it. */
  email?: string
}

/** The state stored when the sign-in started. `nonce` and `verifier` exist only if Weir redirected the browser. */
export interface PendingSignIn {
  state: string
  nonce?: string
  verifier?: string
}

export interface MethodPorts {
  web: WebClient
  identity: IdentityServices
  machine: Pick<HostMachine, 'address'>
  settings: Settings
}

/** A service that sends the browser back with a code. */
export interface CodeMethod {
  label: string
  enabled(settings: Settings): boolean
  /** Returns the sign-in address for the browser. */
  authorizationUrl(ports: MethodPorts, pending: Required<PendingSignIn>): Promise<string>
  /** @throws GatewayError oauth.* */
  identify(ports: MethodPorts, code: string, pending: PendingSignIn): Promise<ExternalIdentity>
}

/**
 * Sends a request to a service, named `label` in errors.
 * @throws GatewayError oauth.unreachable
 */
export async function requestFromService(
  web: WebClient,
  label: string,
  request: Parameters<WebClient['send']>[0],
): Promise<WebReply> {
  try {
    return await web.send({ timeout_ms: 5_000, ...request })
  } catch (error) {
    const detail = error instanceof GatewayError ? (error.detail ?? error.code) : String(error)
    throw new GatewayError('oauth.unreachable', { provider: label }, { cause: error, detail })
  }
}

/** A field of an answer as text; numbers count, everything else is empty. */
export function getAnswerField(answer: unknown, name: string): string {
  const value = (answer as Record<string, unknown> | null | undefined)?.[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** @throws GatewayError oauth.token for an empty one */
export const parseAccessToken = (answer: unknown, label: string): string =>
  getAnswerField(answer, 'access_token') || fail('oauth.token', { provider: label })
