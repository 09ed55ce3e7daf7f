// Sends an ordinary user's requests for endpoints of administrators to the user's own rows if the contract has an endpoint for
// them; otherwise the user gets an error that says so.
import type { WeirClient } from '../../core/contracts.ts'
import { errors, fillTemplate, joinList, type ErrorCode, type Words } from '../../core/errors.ts'
import { USER_ROLE, type User } from '../../core/users/user.ts'
import { GatewayRefusal, UsageError } from '../failure.ts'
import { endSentence } from '../language.ts'
import { findEndpoint, type CallEndpoint } from './endpoint-client.ts'
import type { EndpointFacts } from './endpoint-facts.ts'
import { words } from '../texts.ts'

const FORBIDDEN = 'access.forbidden'

/** An ordinary user, or an administrator, called an endpoint that needs more. */
export class RoleRequired extends GatewayRefusal {
  constructor(access: RestrictedAccess, user: Pick<User, 'username'>) {
    super(fillTemplate(REFUSALS[access], { username: user.username }), FORBIDDEN)
  }
}

export type RestrictedAccess = 'admin' | 'root'

const REFUSALS = {
  admin: words(
    'This needs an administrator, and "{username}" is an ordinary user. Ask an administrator, or use the access token of one: --access-token, or `weir login`.',
  ),
  root: words(
    'This needs the super administrator, and "{username}" is another user. Run it on the machine of Weir, or use an access token of the super administrator.',
  ),
}

/** Returns the endpoint that reads the caller's own rows in the same shape: `logs.listSelf` of `logs.list`. */
export function findOwnEndpoint(name: string): [string, EndpointFacts] | undefined {
  const [given, own] = [findEndpoint(name), findEndpoint(`${name}Self`)]
  const isCounterpart =
    given?.method === 'GET' &&
    own?.method === 'GET' &&
    own.access === 'user' &&
    given.params.every((param) => own.params.includes(param))
  return own && isCounterpart ? [`${name}Self`, own] : undefined
}

/**
 * Builds a Send that reads the caller's own rows instead, if the caller may not read everybody's.
 * @throws RoleRequired if there is no endpoint for the caller's own rows
 */
export function createPermittedSend(send: CallEndpoint): CallEndpoint {
  let isOrdinary = false
  const sendOwn = (name: string, [ownName, own]: [string, EndpointFacts], input: Record<string, unknown>) =>
    send(ownName, limitToOwn(findEndpoint(name), own, input)).catch((error: unknown) => {
      throw explainMissing(error)
    })
  return async (name, input) => {
    const own = findOwnEndpoint(name)
    if (own && isOrdinary) return sendOwn(name, own, input)
    try {
      return await send(name, input)
    } catch (error) {
      if (!(error instanceof GatewayRefusal) || error.code !== FORBIDDEN) throw error
      const access = findEndpoint(name)?.access
      if (access !== 'admin' && access !== 'root') throw error
      if (!own) throw (await explainRefusal(send, access)) ?? error
      isOrdinary = true
      return sendOwn(name, own, input)
    }
  }
}

/** Adds to the refusal of something that does not exist that only the user's own rows were searched. */
function explainMissing(error: unknown): unknown {
  if (!(error instanceof GatewayRefusal)) return error
  const isMissing = Object.hasOwn(errors, error.code) && errors[error.code as ErrorCode].kind === 'missing'
  return isMissing ? new GatewayRefusal(addOwnOnly(error.text), error.code, error.fields) : error
}

const OWN_ONLY = words('{problem} Only your own are searched: an administrator sees those of all users.')
const addOwnOnly = (problem: Words): Words => fillTemplate(OWN_ONLY, { problem: endSentence(problem) })

/** Adds to a problem with a missing row that only the own rows were searched, if the caller is an ordinary user. */
export async function explainToOrdinaryUser(weir: WeirClient, problem: Words): Promise<Words> {
  const { role } = await weir.users.self()
  return role < USER_ROLE.admin ? addOwnOnly(problem) : problem
}

/**
 * Checks the caller's role before a search that would hide the reason.
 * @throws RoleRequired if the caller's role is lower
 */
export async function requireRole(weir: WeirClient, access: RestrictedAccess): Promise<void> {
  const user = await weir.users.self()
  if (user.role < USER_ROLE[access]) throw new RoleRequired(access, user)
}

/** Returns the explained refusal if the caller's role is the cause. */
async function explainRefusal(send: CallEndpoint, access: RestrictedAccess): Promise<RoleRequired | undefined> {
  const user = (await send('users.self', {}).catch(() => undefined)) as User | null | undefined
  return user && user.role < USER_ROLE[access] ? new RoleRequired(access, user) : undefined
}

/** Returns the input without the empty filters that only administrators have. @throws UsageError if one is set */
function limitToOwn(
  all: EndpointFacts | undefined,
  own: EndpointFacts,
  input: Record<string, unknown>,
): Record<string, unknown> {
  const [known, accepted] = [all, own].map((facts) => new Set([...(facts?.params ?? []), ...(facts?.query ?? [])]))
  const others = Object.entries(input).filter(([name]) => known?.has(name) && !accepted?.has(name))
  const refused = others.filter(([, value]) => value !== undefined && value !== '' && value !== 0)
  if (refused.length > 0) throw refuseFilters(refused.map(([name, value]) => `${name}=${String(value)}`))
  return Object.fromEntries(Object.entries(input).filter(([name]) => accepted?.has(name)))
}

/** Builds the refusal of filters that only administrators have. */
export const refuseFilters = (names: readonly string[]) =>
  new UsageError(
    fillTemplate(words('Only an administrator can ask for {names}. Leave it out to see what is your own.'), {
      names: joinList(names),
    }),
  )
