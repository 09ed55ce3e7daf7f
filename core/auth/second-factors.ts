// Sets up second factors and passkeys, and handles reauthentication.
import { fail } from '../errors.ts'
import { seconds } from '../ports/clock.ts'
import type { BrowserJson, RelyingParty } from '../ports/identity.ts'
import type { HostMachine } from '../ports/machine.ts'
import type { Settings } from '../settings/index.ts'
import { type User, USER_STATUS } from '../users/user.ts'
import type { HandlerContext } from './caller.ts'
import { getServerAddress } from './server-address.ts'
import type { SignInPorts } from './sign-in.ts'
import {
  checkPassword,
  getCodeTarget,
  getPasswordTarget,
  createBackupCodes,
  markReauthenticated,
  useSecondFactorCode,
} from './sign-in.ts'

export type SecondFactorPorts = SignInPorts & { machine: Pick<HostMachine, 'address'>; settings(): Settings }

const CHALLENGE_MINUTES = 5
const MAX_PASSKEYS = 20

/** @throws GatewayError second_factor.exists */
export async function beginTotp(ports: SecondFactorPorts, user: User) {
  const { storage, identity, settings } = ports
  if ((await storage.secondFactors.find(user.id))?.confirmed_time) fail('second_factor.exists')
  const secret = identity.codes.newSecret()
  await storage.secondFactors.begin(user.id, secret)
  return { secret, address: identity.codes.address(secret, user.username, settings().SystemName) }
}

/** The first right code makes it count. Backup codes are shown this once. @throws GatewayError second_factor.* */
export async function confirmTotp(ports: SecondFactorPorts, user: User, code: string, context: HandlerContext) {
  const { storage, identity, clock, attempt } = ports
  const factor = (await storage.secondFactors.find(user.id)) ?? fail('second_factor.none')
  if (factor.confirmed_time !== null) fail('second_factor.exists')
  await attempt(getCodeTarget(user.id), context, async () => {
    const step = identity.codes.stepOf(factor.secret, code.trim(), clock.now())
    if (step === null || !(await storage.secondFactors.useStep(user.id, step))) fail('second_factor.wrong')
  })
  const { codes, hashes } = createBackupCodes(ports, user.id)
  await storage.secondFactors.confirm(user.id, seconds(clock), hashes)
  return codes
}

/** @throws GatewayError second_factor.* */
export async function removeTotp(ports: SecondFactorPorts, user: User, code: string, context: HandlerContext) {
  await useSecondFactorCode(ports, user.id, code, context)
  await ports.storage.secondFactors.remove(user.id)
}

/** @throws GatewayError second_factor.* */
export async function renewBackupCodes(ports: SecondFactorPorts, user: User, code: string, context: HandlerContext) {
  await useSecondFactorCode(ports, user.id, code, context)
  const { codes, hashes } = createBackupCodes(ports, user.id)
  await ports.storage.secondFactors.renewBackups(user.id, hashes)
  return codes
}

function relyingParty({ settings, machine }: SecondFactorPorts): RelyingParty {
  // A passkey belongs to a name, so this machine has one.
  const address = getServerAddress(settings(), machine).replace('//127.0.0.1', '//localhost')
  const { hostname, origin } = new URL(address)
  return { id: hostname, name: settings().SystemName, origin }
}

export async function beginPasskey(ports: SecondFactorPorts, user: User): Promise<BrowserJson> {
  const { storage, identity, verifications } = ports
  const known = await storage.passkeys.listOfUser(user.id)
  const { options, challenge } = await identity.passkeys.buildRegistrationOptions(relyingParty(ports), user, known)
  await verifications.keep('passkey', `new ${user.id}`, challenge, CHALLENGE_MINUTES)
  return options
}

/** @throws GatewayError passkey.invalid */
export async function addPasskey(
  ports: SecondFactorPorts,
  user: User,
  { name, answer }: { name: string; answer: BrowserJson },
): Promise<string> {
  const { storage, identity, verifications, clock } = ports
  const challenge = (await verifications.take('passkey', `new ${user.id}`)) ?? fail('passkey.invalid')
  const made = await identity.passkeys.verifyRegistration(relyingParty(ports), answer, challenge)
  await storage.transaction(async (within) => {
    await within.users.lock(user.id)
    const full = (await within.passkeys.listOfUser(user.id)).length >= MAX_PASSKEYS
    if (full || (await within.passkeys.find(made.id))) fail('passkey.invalid')
    await within.passkeys.insert({ ...made, user_id: user.id, name, created_time: seconds(clock), used_time: 0 })
  })
  return made.id
}

/** Creates the options for this browser. With a user only their passkeys are accepted. */
export async function createPasskeyChallenge(ports: SecondFactorPorts, user: User | null, { session }: HandlerContext) {
  const { storage, identity, verifications } = ports
  const known = user ? await storage.passkeys.listOfUser(user.id) : []
  const { options, challenge } = await identity.passkeys.buildAuthenticationOptions(relyingParty(ports), known)
  await verifications.keep('passkey', `use ${session.browser()}`, challenge, CHALLENGE_MINUTES)
  return options
}

/**
 * Returns the user whose passkey answered the challenge of this browser. @throws GatewayError passkey.invalid,
 * access.banned
 */
export async function findPasskeyOwner(
  ports: SecondFactorPorts,
  answer: BrowserJson,
  context: HandlerContext,
): Promise<User> {
  const { storage, identity, verifications, clock, attempt } = ports
  const browser = context.session.browser()
  const challenge = (await verifications.take('passkey', `use ${browser}`)) ?? fail('passkey.invalid')
  const passkey = await storage.passkeys.find(typeof answer.id === 'string' ? answer.id : '')
  if (!passkey) fail('passkey.invalid')
  const target = { kind: 'passkey', of: passkey.id, user_id: passkey.user_id } as const
  await attempt(target, context, async () => {
    const counter = await identity.passkeys.verifyAuthentication(relyingParty(ports), answer, challenge, passkey)
    if (!(await storage.passkeys.use(passkey.id, counter, seconds(clock)))) fail('passkey.invalid')
  })
  const user = await storage.users.find(passkey.user_id)
  if (!user || user.DeletedAt !== null) fail('passkey.invalid')
  if (user.status !== USER_STATUS.enabled) fail('access.banned')
  return user
}

/** One of the ways to prove who one is. */
interface ReauthenticationProof {
  password?: string
  code?: string
  passkey?: BrowserJson
}

/**
 * Reauthenticates the session's owner. A user with an authenticator app, or one who answers with a passkey, must use
 * that.
 * @throws GatewayError user.wrong_original, second_factor.*, passkey.invalid, access.no_proof
 */
export async function reauthenticateSession(
  ports: SecondFactorPorts,
  user: User,
  proof: ReauthenticationProof,
  context: HandlerContext,
): Promise<void> {
  const { storage } = ports
  const factor = await storage.secondFactors.find(user.id)
  if (proof.passkey) {
    if ((await findPasskeyOwner(ports, proof.passkey, context)).id !== user.id) fail('passkey.invalid')
  } else if (factor && factor.confirmed_time !== null) {
    await useSecondFactorCode(ports, user.id, proof.code ?? '', context)
  } else {
    const hash = await storage.users.passwordHash(user.id)
    if (hash === '') fail('access.no_proof')
    await checkPassword(
      ports,
      { target: getPasswordTarget(user.id), password: proof.password ?? '', hash },
      context,
      () => fail('user.wrong_original'),
    )
  }
  await markReauthenticated(ports, context)
}

// Sensitive actions require that a session has been authenticated recently.

/**
 * Requires a recent authentication: the sign-in, or a later password, code or passkey. Access tokens and the terminal
 * do not need it, since setting them up required it.
 * @param minutes how long it lasts; 0: for ever
 * @param now epoch seconds
 * @throws GatewayError access.step_up
 */
export function requireRecentAuthentication({ caller, session }: HandlerContext, minutes: number, now: number): void {
  if (caller.via !== 'session' || minutes === 0) return
  if (!session.current || session.current.proven_time + minutes * 60 < now) fail('access.step_up')
}
