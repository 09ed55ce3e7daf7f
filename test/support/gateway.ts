// A whole Weir for tests: server, database, a set-up administrator, a provider that answers as told, and people with keys.
//
//   describeWithGateway('the chat door', (weir) => {
//     it('answers', async () => {
//       await weir.addChannel()
//       const ada = await weir.addCaller({ quota: 1_000_000 })
//       weir.upstream.reply(chatReply('Hello', { prompt_tokens: 3, completion_tokens: 2 }))
//       await ada.openai.chat.completions.create({ model: weir.model, messages })
//       await ada.balances()
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, describe } from 'vitest'
import type { Channel, ChannelForm } from '../../core/channels/channel.ts'
import type { Token } from '../../core/tokens/token.ts'
import { ApiRateSettings } from '../../core/settings/network.ts'
import type { User } from '../../core/users/user.ts'
import type { UserPatch } from '../../core/users/store.ts'
import { createCaller, type Caller } from './caller.ts'
import { listDatabaseKinds, type DatabaseKind } from './database-kinds.ts'
import { migratedDatabase } from './postgres.ts'
import { justProven, signedIn } from './signed-in.ts'
import { createVisitor, startTestServer, type TestServer, type TestServerOptions, type Visitor } from './server.ts'
import { startUpstream, type Answerer, type TestUpstream } from './upstream.ts'

export const ROOT = { username: 'root', password: 'a root password' }
export const UPSTREAM_KEY = 'upstream-secret-0123456789'
/** A model with a price in the built-in tables. */
export const MODEL = 'gpt-4o-mini'

type ChannelFields = Partial<ChannelForm> & { status?: number; key?: string }
type TokenFields = Partial<Pick<Token, 'name' | 'remain_quota' | 'unlimited_quota' | 'expired_time' | 'group'>> &
  Partial<Pick<Token, 'model_limits_enabled' | 'model_limits' | 'allow_ips'>> &
  Partial<Pick<Token, 'budget_day' | 'budget_week' | 'budget_month' | 'time_zone'>> &
  Partial<Pick<Token, 'requests_per_minute' | 'tokens_per_minute' | 'max_concurrent'>>

export interface TestGateway extends TestServer {
  upstream: TestUpstream
  /** Stops the server while its provider goes on. */
  stop(): Promise<void>
  /** The administrator, signed in. */
  root: Visitor
  rootId: number
  model: string
  /** Nobody, on this server. */
  visitor(options?: { accessToken?: string }): Visitor
  /** A new ordinary user; `patch` is what no endpoint sets yet. */
  addUser(options?: { quota?: number; patch?: UserPatch }): Promise<{ user: User; password: string }>
  /** A new user, signed in. */
  addVisitor(options?: { quota?: number; patch?: UserPatch }): Promise<Visitor & { user: User; password: string }>
  /** A new user with a token (unlimited, if nothing else is said). */
  addCaller(options?: { quota?: number; patch?: UserPatch; token?: TokenFields }): Promise<Caller>
  /** Another token of a user. */
  addToken(user: User, fields?: TokenFields): Promise<Token>
  changeUser(id: number, patch: UserPatch): Promise<void>
  /** An OpenAI-compatible channel at the test upstream, for the group `default` and MODEL. */
  addChannel(fields?: ChannelFields): Promise<Channel>
  /** Sets a setting until the end of the test. */
  set(key: string, value: unknown): Promise<void>
  /** What usage of a model costs by the tables of prices, in quota units. */
  due(
    usage: { prompt: number; cached?: number; completion: number },
    options?: { model?: string; group?: number },
  ): number
}

/** No limit on how often the API is asked. */
const NO_LIMITS = Object.fromEntries(Object.keys(ApiRateSettings.shape).map((name) => [name, [0, 60]]))

const DEFAULT_ANSWER: Answerer = () => ({ status: 500, body: { error: { message: 'no answer was told' } } })

/** Starts it all on one database. */
export async function openTestGateway(
  options: TestServerOptions = {},
): Promise<TestGateway & { clean(): Promise<void> }> {
  const [server, upstream] = await Promise.all([startTestServer(options), startUpstream()])
  const { gateway, url } = server
  const { client } = gateway
  await client.site.setup({ ...ROOT, confirmPassword: ROOT.password })
  await client.settings.update({
    options: [
      // One machine asks for everybody here; tests of a limit set their own.
      { key: 'ApiRateLimits', value: JSON.stringify(NO_LIMITS) },
      // As installations before it hold: small balances show small charges. Its own tests switch it on.
      { key: 'StrictHold', value: 'false' },
    ],
  })
  const root = createVisitor(url)
  const rootId: number = (await root.login(ROOT.username, ROOT.password)).json.data.id
  const { storage } = gateway.ports
  const atFirst = new Map((await storage.settings.all()).map(({ key, value }) => [key, value]))
  let names = 0
  /** One at a time: what a new user begins with is a setting. */
  let making: Promise<unknown> = Promise.resolve()

  const weir: TestGateway & { clean(): Promise<void> } = {
    ...server,
    upstream,
    root,
    rootId,
    model: MODEL,
    visitor: (as) => createVisitor(url, as),
    async addUser({ quota = 0, patch } = {}) {
      const username = `user${++names}`
      const password = `password ${names}`
      const made = making.then(async () => {
        if (quota !== gateway.settings().QuotaForNewUser)
          await client.settings.update({ key: 'QuotaForNewUser', value: String(quota) })
        await client.users.create({ username, password })
      })
      making = made.catch(() => undefined)
      await made
      const user = (await gateway.ports.storage.users.findByLogin(username))?.user as User
      if (patch) await weir.changeUser(user.id, patch)
      return { user: { ...user, ...patch } as User, password }
    },
    async addVisitor(fields) {
      const { user, password } = await weir.addUser(fields)
      const visitor = createVisitor(url)
      await visitor.login(user.username, password)
      return { ...visitor, user, password }
    },
    async addToken(user, fields = {}) {
      const form = { name: 'test', unlimited_quota: fields.remain_quota === undefined, ...fields }
      const door = { caller: signedIn(user), session: justProven(gateway.ports.clock) }
      return (await gateway.dispatch('tokens.create', form, door)).data as Token
    },
    async addCaller({ token: fields, patch, ...rest } = {}) {
      const { user, password } = await weir.addUser(rest)
      const token = await weir.addToken(user, fields)
      // Only now: a banned user could not have made the token.
      if (patch) await weir.changeUser(user.id, patch)
      return createCaller(weir, user, password, token)
    },
    async changeUser(id, patch) {
      await gateway.ports.storage.users.update(id, patch)
      await gateway.ports.storage.announce({ topic: 'users', id })
    },
    async addChannel(fields = {}) {
      const { status, ...rest } = fields
      const form = { name: `channel ${++names}`, type: 1, key: UPSTREAM_KEY, base_url: upstream.url, models: MODEL }
      const [made] = await root.client.channels.create({ ...form, ...rest })
      if (!made) throw new Error('no channel was made')
      return status === undefined ? made : root.client.channels.update({ id: made.id, status })
    },
    async set(key, value) {
      await root.client.settings.update({
        key,
        value: typeof value === 'object' ? JSON.stringify(value) : String(value),
      })
    },
    due({ prompt, cached = 0, completion }, { model = MODEL, group = 1 } = {}) {
      const { ModelRatio, CompletionRatio, CacheRatio } = gateway.settings()
      const ratio = ModelRatio[model] ?? Number.NaN
      const output = CompletionRatio[model] ?? 4
      const weighed = prompt - cached + cached * (CacheRatio[model] ?? 1) + completion * output
      return Math.max(1, Math.round(weighed * ratio * group))
    },
    async clean() {
      upstream.reply(DEFAULT_ANSWER)
      upstream.requests.length = 0
      for (const { id } of await storage.channels.all()) await client.channels.delete({ id })
      upstream.hangUp()
      const changed = await listChangedSettings()
      if (changed.length > 0) {
        await storage.settings.save(changed)
        await storage.announce({ topic: 'settings', id: 0 })
      }
    },
    stop: server.close,
    async close() {
      await upstream.close()
      await server.close()
    },
  }
  upstream.reply(DEFAULT_ANSWER)
  return weir

  /** What puts the settings back to what they were at first, by whatever way a test has changed them. */
  async function listChangedSettings() {
    const current = new Map((await storage.settings.all()).map(({ key, value }) => [key, value]))
    const keys = new Set([...atFirst.keys(), ...current.keys()])
    return [...keys]
      .filter((key) => atFirst.get(key) !== current.get(key))
      .map((key) => ({ key, value: atFirst.get(key) ?? null, secret: false }))
  }
}

type Suite = (weir: TestGateway, kind: DatabaseKind) => void

/**
 * Runs a suite over the gateway of this worker, which other files use too, on each database of the test file. Channels, settings
 * and the upstream are put back after every test; users, tokens, teams and rows stay, so a test looks only at what it made.
 */
export function describeWithGateway(name: string, suite: Suite): void {
  describeOnDatabases(name, suite, openWorkerGateway, async () => undefined)
}

/**
 * Runs a suite over a gateway of its own: for suites that look at all there is (every row, every user, the memory of the
 * process), that change what no test puts back, or that need other options.
 */
export function describeWithOwnGateway(
  name: string,
  suite: Suite,
  options: Omit<TestServerOptions, 'database'> = {},
): void {
  describeOnDatabases(
    name,
    suite,
    (kind) => openGatewayOn(kind, options),
    (weir) => weir.close(),
  )
}

function describeOnDatabases(
  name: string,
  suite: Suite,
  open: (kind: DatabaseKind) => Promise<OpenedGateway>,
  leave: (weir: OpenedGateway) => Promise<void>,
): void {
  describe.each(listDatabaseKinds())(`${name} on %s`, (kind) => {
    const weir = {} as OpenedGateway
    beforeAll(async () => {
      const opened = await open(kind)
      Object.assign(weir, opened)
      return () => leave(opened)
    })
    afterEach(() => weir.clean())
    suite(weir, kind)
  })
}

type OpenedGateway = Awaited<ReturnType<typeof openTestGateway>>

const openGatewayOn = async (kind: DatabaseKind, options: TestServerOptions): Promise<OpenedGateway> =>
  openTestGateway({ ...options, ...(kind === 'postgres' ? { database: await migratedDatabase() } : {}) })

const ofWorker = new Map<DatabaseKind, Promise<OpenedGateway>>()

/**
 * The gateway that the suites of this worker share; it ends with the worker. A worker of a slow machine outlives a proof of
 * identity, so the administrator gives a fresh one to each suite.
 */
async function openWorkerGateway(kind: DatabaseKind): Promise<OpenedGateway> {
  const opening = ofWorker.get(kind) ?? openGatewayOn(kind, {})
  ofWorker.set(kind, opening)
  const opened = await opening
  await opened.root.client.auth.stepUp({ password: ROOT.password })
  return opened
}

/** Waits until something holds (at most `ms`); gives what it was. */
export async function eventually<T>(look: () => T | Promise<T>, holds: (seen: T) => boolean, ms = 20_000): Promise<T> {
  const deadline = Date.now() + ms
  for (;;) {
    const seen = await look()
    if (holds(seen)) return seen
    if (Date.now() > deadline) throw new Error(`waited in vain; last seen: ${JSON.stringify(seen)}`)
    await sleep(10)
  }
}
