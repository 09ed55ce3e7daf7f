// Signing in through another service, and binding one to an account.
import { fail } from '../errors.ts'
import { seconds } from '../ports/clock.ts'
import type { HostMachine } from '../ports/machine.ts'
import type { WebClient } from '../ports/web.ts'
import { isSubject, type User } from '../users/user.ts'
import type { HandlerContext } from './caller.ts'
import { requireRecentAuthentication } from './second-factors.ts'
import { codeSignInMethods } from './methods/index.ts'
import type { PendingSignIn, CodeMethod, ExternalIdentity } from './methods/login-method.ts'
import { toLoginMethod } from './methods/oidc.ts'
import { registerExternalUser, type RegistrationPorts } from './registration.ts'
import { signIn, type SignInPorts } from './sign-in.ts'

export type ServiceSignInPorts = RegistrationPorts &
  SignInPorts & { web: WebClient; machine: Pick<HostMachine, 'address'> }

const STATE_MINUTES = 10
const STATE_LENGTH = 32
const CHECK_LENGTH = 64

/** The state of a sign-in until the browser returns. */
interface Kept {
  /** Empty if the page chose the service. */
  provider: string
  browser: string
  /** The user who binds an identity; 0 for a sign-in. */
  user_id: number
  aff: string
  nonce?: string
  verifier?: string
}

async function findMethod({ storage, settings }: ServiceSignInPorts, type: string): Promise<CodeMethod> {
  const built = Object.hasOwn(codeSignInMethods, type) ? codeSignInMethods[type] : undefined
  const found = built ?? (await storage.loginServices.find(type).then((own) => (own ? toLoginMethod(own) : undefined)))
  if (!found) fail('provider.missing')
  if (!found.enabled(settings())) fail('oauth.off', { provider: found.label })
  return found
}

/** Creates the state for a page that redirects the browser itself. */
export async function beginSignInState(
  ports: ServiceSignInPorts,
  aff: string,
  context: HandlerContext,
): Promise<string> {
  return keepState(ports, { provider: '', aff }, context)
}

/**
 * Returns the address to redirect the browser to; only then nonce and PKCE are used. @throws GatewayError oauth.off,
 * oauth.unreachable
 */
export async function startServiceSignIn(
  ports: ServiceSignInPorts,
  { type, aff }: { type: string; aff: string },
  context: HandlerContext,
): Promise<string> {
  const { random, settings } = ports
  const method = await findMethod(ports, type)
  const checks = { nonce: random.text(CHECK_LENGTH), verifier: random.text(CHECK_LENGTH) }
  const state = await keepState(ports, { provider: type, aff, ...checks }, context)
  return method.authorizationUrl({ ...ports, settings: settings() }, { state, ...checks })
}

/** Stores the state. A signed-in user binds the service, and must reauthenticate before the redirect. */
async function keepState(
  { random, verifications, settings, clock }: ServiceSignInPorts,
  stored: Omit<Kept, 'browser' | 'user_id'>,
  context: HandlerContext,
): Promise<string> {
  const { caller, session } = context
  if (caller.user) requireRecentAuthentication(context, settings().StepUpMinutes, seconds(clock))
  const state = random.text(STATE_LENGTH)
  const whole: Kept = { ...stored, browser: session.browser(), user_id: caller.user?.id ?? 0 }
  await verifications.keep('oauth', state, JSON.stringify(whole), STATE_MINUTES)
  return state
}

/** null if the service was bound to the signed-in account. */
export type ServiceSignInResult = User | null

/** Handles the browser's return with a code. @throws GatewayError oauth.*, register.closed, user.deregistered, access.banned */
export async function handleServiceCallback(
  ports: ServiceSignInPorts,
  { type, code, state }: { type: string; code: string; state: string },
  context: HandlerContext,
): Promise<ServiceSignInResult> {
  const method = await findMethod(ports, type)
  const stored = await takeState(ports, type, state, context)
  if (code === '') fail('oauth.refused', { provider: method.label })
  const { nonce, verifier } = stored
  const pending: PendingSignIn = { state, ...(nonce ? { nonce } : {}), ...(verifier ? { verifier } : {}) }
  const person = await method.identify({ ...ports, settings: ports.settings() }, code, pending)
  return completeServiceSignIn(ports, { provider: type, label: method.label, aff: stored.aff }, person, context)
}

/** Verifies a state, which is valid once, in the same browser and for the same purpose. @throws GatewayError oauth.state */
async function takeState(
  { verifications }: ServiceSignInPorts,
  type: string,
  state: string,
  { caller, session }: HandlerContext,
): Promise<Kept> {
  const text = state === '' ? null : await verifications.take('oauth', state)
  const stored = text === null ? null : (JSON.parse(text) as Kept)
  if (!stored || stored.browser !== session.browser() || stored.user_id !== (caller.user?.id ?? 0)) fail('oauth.state')
  if (stored.provider !== '' && stored.provider !== type) fail('oauth.state')
  return stored
}

interface ServiceWay {
  provider: string
  label: string
  aff: string
  /** Services that only know existing accounts. */
  closed?: true
}

/** Signs the person in, registers them, or binds them to who is signed in. @throws GatewayError oauth.* */
export async function completeServiceSignIn(
  ports: ServiceSignInPorts,
  way: ServiceWay,
  person: ExternalIdentity,
  context: HandlerContext,
): Promise<ServiceSignInResult> {
  const { storage, clock } = ports
  const { provider, label, aff } = way
  if (!isSubject(person.subject)) fail('oauth.subject', { provider: label })
  const known = await storage.identities.find(provider, person.subject)
  const bind = (user_id: number) =>
    storage.identities.bind({ provider, subject: person.subject, user_id, created_time: seconds(clock) })
  const { user } = context.caller
  if (user) {
    if (known && known.user_id !== user.id) fail('oauth.taken', { provider: label })
    await bind(user.id)
    return null
  }
  if (known) return signIn(ports, (await storage.users.find(known.user_id)) ?? fail('user.missing'), context)
  if (way.closed) fail('oauth.unbound', { provider: label })
  const made = await registerExternalUser(ports, {
    provider,
    ...person,
    aff_code: aff,
    language: context.caller.language,
  })
  await bind(made.id)
  return signIn(ports, (await storage.users.find(made.id)) ?? made, context)
}
