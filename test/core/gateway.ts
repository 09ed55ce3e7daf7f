// A whole gateway in memory: real SQL on sqlite, providers that answer as told, time that stands still.
import { expect } from 'vitest'
import type { Caller } from '../../core/auth/caller.ts'
import type { CallSink } from '../../core/calls/sinks.ts'
import type { CallCaller } from '../../core/relay/call.ts'
import { createGateway, type Gateway } from '../../core/gateway.ts'
import { createOidcClient, oneTimeCodes, webauthnPasskeys } from '../../core/adapters/sign-in.ts'
import { createSecrets } from '../../core/adapters/crypto.ts'
import { openStorage } from '../../core/adapters/knex/index.ts'
import type { DatabaseLocation } from '../../core/adapters/knex/schema/open.ts'
import { createSigner } from '../../core/adapters/signer.ts'
import { seconds } from '../../core/ports/clock.ts'
import type { Logger } from '../../core/ports/logger.ts'
import type { Secrets } from '../../core/ports/secrets.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { USER_ROLE } from '../../core/users/user.ts'
import { createFakeClock, type FakeClock } from '../support/clock.ts'
import { silent } from '../support/databases.ts'
import { createMemoryUpstream, type MemoryUpstream } from '../support/memory-upstream.ts'
import { createMemoryMailer, createMemoryWeb, type MemoryMailer, type MemoryWeb } from '../support/memory-web.ts'
import { createMemoryMachine, type MemoryMachine } from '../support/memory-machine.ts'
import { createFakeRandom } from '../support/random.ts'
import { justProven, signedIn } from '../support/signed-in.ts'
import { migratedImage } from '../support/sqlite.ts'
import { formatPresentedKey } from '../../core/tokens/token.ts'

export type Role = 'user' | 'admin' | 'root'

export interface MemoryGateway extends Gateway {
  storage: Storage
  clock: FakeClock
  upstream: MemoryUpstream
  web: MemoryWeb
  mailer: MemoryMailer
  machine: MemoryMachine
  /** Somebody signed in with a role of their own; made at the first call. */
  as(role: Role): Promise<Caller>
  /** One endpoint for a caller: data, and what stands beside it. */
  ask(caller: Caller, name: string, input?: Record<string, unknown>): Promise<unknown>
  /** Asks and expects a refusal; gives its code. */
  refusal(caller: Caller, name: string, input?: Record<string, unknown>): Promise<string>
}

let processes = 1000

/** With the least that Argon2 takes; `test/storage/secrets.test.ts` checks the real cost. */
const cheapSecrets = createSecrets('a secret for tests', { memoryCost: 8, timeCost: 1, parallelism: 1 })

interface Given {
  logger?: Logger
  wrap?: (storage: Storage) => Storage
  isNew?: true
  /** The database to begin with, instead of an empty one that is set up. */
  image?: Uint8Array
  /** A database that stays, instead of one in memory. */
  place?: Pick<DatabaseLocation, 'database' | 'folder'>
  secrets?: Secrets
  sinks?: readonly CallSink[]
  /** A process before this one: the same database, providers and time. */
  over?: MemoryGateway
}

export async function openMemoryGateway(given: Given = {}): Promise<MemoryGateway> {
  const { logger = silent, secrets = cheapSecrets, over } = given
  const { clock, upstream } = over ?? { clock: createFakeClock(), upstream: createMemoryUpstream() }
  const place = async () => given.place ?? { memory: given.image ?? (await migratedImage()) }
  const opened = over?.storage ?? (await openStorage({ ...(await place()), secrets, clock, logger }))
  const storage = given.wrap?.(opened) ?? opened
  const web = createMemoryWeb()
  const mailer = createMemoryMailer()
  const identity = { oidc: createOidcClient(web), codes: oneTimeCodes, passkeys: webauthnPasskeys }
  const machine = createMemoryMachine()
  const outside = { upstream, web, mailer, machine, identity, signer: createSigner({ upstream, clock }) }
  const ports = { storage, ...outside, clock, logger, secrets, random: createFakeRandom((processes += 1)) }
  if (!given.isNew && !given.image && !over)
    await storage.setup.insert({ version: '1.2.3', initialized_at: seconds(clock) })
  const gateway = await createGateway(ports, { version: '1.2.3', sinks: given.sinks })
  const made = new Map<Role, Promise<Caller>>()

  async function signUp(role: Role): Promise<Caller> {
    const known = given.image && (await storage.users.findByLogin(`the-${role}`))
    if (known) return signedIn(known.user)
    const user = await storage.users.insert({
      ...{ username: `the-${role}`, display_name: role, role: USER_ROLE[role], group: 'default' },
      ...{ password_hash: '', created_time: 1_700_000_000 },
    })
    return signedIn(user)
  }

  /** Files that were given as replies. One that nobody reads keeps its temporary folder until it is closed. */
  const files: AsyncIterable<unknown>[] = []

  const dispatch: MemoryGateway['dispatch'] = async (...given) => {
    const answer = await gateway.dispatch(...given)
    if (isFile(answer.data)) files.push(answer.data.pieces)
    return answer
  }

  const ask: MemoryGateway['ask'] = async (caller, name, input = {}) => {
    const { data, replyFields: beside } = await dispatch(name, input, { caller, session: justProven(clock) })
    return Object.keys(beside).length > 0 ? { data, ...beside } : data
  }

  return {
    ...gateway,
    dispatch,
    storage,
    clock,
    upstream,
    web,
    mailer,
    machine,
    as(role) {
      if (over) return over.as(role)
      const known = made.get(role) ?? signUp(role)
      made.set(role, known)
      return known
    },
    ask,
    async close() {
      for (const pieces of files) await pieces[Symbol.asyncIterator]().return?.()
      await gateway.close()
    },
    async refusal(caller, name, input) {
      const outcome = await ask(caller, name, input).then(
        () => 'done',
        (error: unknown) => error,
      )
      expect(outcome).toHaveProperty('code')
      return (outcome as { code: string }).code
    },
  }
}

const isFile = (data: unknown): data is { pieces: AsyncIterable<unknown> } =>
  typeof data === 'object' && data !== null && 'pieces' in data

/** A user with `quota` and an unlimited token, as a caller of the relay. */
export async function openCaller(
  { storage, callers, as, ask }: MemoryGateway,
  { quota = 1_000_000, role = 'user' as Role } = {},
): Promise<CallCaller & { key: string }> {
  const root = await as('root')
  await ask(root, 'settings.update', { key: 'QuotaForNewUser', value: String(quota) })
  await ask(root, 'users.create', { username: 'caller', password: 'long enough' })
  const found = await storage.users.findByLogin('caller')
  const id = found?.user.id ?? 0
  if (role === 'admin') await storage.users.update(id, { role: USER_ROLE.admin })
  const user = await storage.users.find(id)
  const caller = signedIn(user!)
  const { key } = (await ask(caller, 'tokens.create', { name: 'laptop', unlimited_quota: true })) as { key: string }
  const known = await callers.find(formatPresentedKey(key))
  if (!known) throw new Error('the token that was just made is unknown')
  return { ...caller, ...known, via: 'token', key }
}

/** The caller with that key, whom the database of the gateway has already. */
export async function findCaller({ storage, callers }: MemoryGateway, key: string): Promise<CallCaller> {
  const known = await callers.find(formatPresentedKey(key))
  const found = await storage.users.findByLogin('caller')
  if (!known || !found) throw new Error('the database does not know the caller')
  return { ...signedIn(found.user), ...known, via: 'token' }
}

/** A store whose every operation fails as long as `failure` gives a reason. */
export function failingWhile<S extends object>(store: S, failure: () => Error | undefined): S {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...given: unknown[]): unknown => {
        const reason = failure()
        return reason ? Promise.reject(reason) : Reflect.apply(value, target, given)
      }
    },
  })
}
