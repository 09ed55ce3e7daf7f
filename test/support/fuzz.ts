// Asks every operation of the OpenAPI document with what nobody should send, as nobody, user, administrator and root.
import fc from 'fast-check'
import { ApiRateSettings } from '../../core/settings/network.ts'
import { declaredSettings } from '../../core/settings/index.ts'
import { newUser } from '../storage/samples.ts'
import { requestsOf, type FuzzRequest, type Hints } from './fuzz-values.ts'
import type { Json } from './json.ts'
import { send, startTestServer, type TestServer } from './server.ts'
import { startUpstream } from './upstream.ts'

export interface FuzzOptions {
  database?: string
  /** Requests to each operation. */
  requests: number
  seed: number
  /** Only operations whose id contains this. */
  only?: string
  /** `done`: requests that were answered with success. */
  each?(operation: string, done: number): void
}

const ROLES = { user: 1, admin: 10 } as const
type Role = keyof typeof ROLES | 'root' | 'nobody'

/** Longer than any answer may take, also on a busy machine. */
const HANG_MS = 30_000
/** Ids that stand for something; the askers themselves are none of them. */
const IDS = Array.from({ length: 20 }, (_, at) => at + 2)

/** Gives what went wrong: one line for each operation, with the smallest request that shows it. */
export async function fuzz({ requests, seed, only = '', each, ...options }: FuzzOptions): Promise<string[]> {
  const [server, upstream] = await Promise.all([startTestServer(options), startUpstream()])
  upstream.reply(() => ({ body: { data: [{ id: 'a-model' }], choices: [] } }))
  const problems: string[] = []
  const unhandled = (reason: unknown) => problems.push(`unhandled rejection: ${String(reason)}`)
  process.on('unhandledRejection', unhandled)
  try {
    const world = await furnished(server, upstream.url)
    const document = (await send('GET', `${server.url}/api/openapi.json`)).json
    for (const [path, methods] of Object.entries(document.paths as Record<string, Json>)) {
      for (const [method, operation] of Object.entries(methods as Record<string, Json>)) {
        // Bodies of the relay's calls have a fuzzer of their own.
        if (!('x-access' in operation) || !operation.operationId.includes(only)) continue
        const problem = await world.probe(method.toUpperCase(), requestsOf(path, operation, world.hints), {
          numRuns: requests,
          seed,
        })
        if (problem) problems.push(`${operation.operationId}: ${problem}`)
        each?.(operation.operationId, world.done())
      }
    }
    const { ok, faults } = await server.gateway.client.quota.verify()
    if (!ok) problems.push(`the books are wrong: ${JSON.stringify(faults)}`)
  } finally {
    process.off('unhandledRejection', unhandled)
    await upstream.close()
    await server.close()
  }
  return problems
}

async function furnished(server: TestServer, upstreamUrl: string) {
  const { gateway, url } = server
  const { client, ports } = gateway
  const { storage, secrets, random } = ports
  let said = ''
  ports.logger.error = (message, fields) => {
    said = `${message} ${JSON.stringify(fields, (_, value) => (value instanceof Error ? value.stack : value))}`
  }
  await client.site.setup({ username: 'root', password: 'a root password', confirmPassword: 'a root password' })
  for (const id of IDS) {
    await storage.users.insert(newUser({ username: `target${id}` }))
    await client.channels.create({ name: `c${id}`, type: 1, key: 'k', base_url: upstreamUrl, models: 'gpt-4o-mini' })
  }
  await client.tokens.create({ name: 'target' })
  await client.redemptions.create({ name: 'target', quota: 5, count: 9 })
  const hints: Hints = {
    ...{ id: IDS, user_id: IDS, token_id: IDS, channel: IDS, channel_id: IDS, ids: [IDS] },
    ...{ key: Object.keys(declaredSettings), model: ['gpt-4o-mini'], base_url: [upstreamUrl], type: [1, 2, 14, 24] },
    ...{ group: ['default', 'vip'], status_only: ['true'], format: ['csv', 'jsonl'], time_zone: ['Europe/Berlin'] },
    ...{ models: ['gpt-4o-mini', 'a,b'], other: [''], openai_organization: [''], setting: ['{}', '{"proxy":""}'] },
    ...{ model_mapping: ['', '{"a":"b"}'], status_code_mapping: ['{"429":503}'], param_override: ['{}'] },
    ...{ password: ['a root password', 'a new password'], quota: [1, 1000], status: [1, 2], p: [0, 1, 2] },
  }
  const options = await client.settings.list()
  const NO_LIMITS = JSON.stringify(
    Object.fromEntries(Object.keys(ApiRateSettings.shape).map((name) => [name, [0, 60]])),
  )
  const wanted = options
    .filter(({ set }) => set === undefined)
    .map(({ key, value }) => ({ key, value: key === 'ApiRateLimits' ? NO_LIMITS : value, secret: false }))
  /** Undoes what a change of settings has done to what the others are asked with. */
  const tidy = async () => {
    const now = new Map((await storage.settings.all()).map(({ key, value }) => [key, value]))
    const changed = wanted.filter(({ key, value }) => now.get(key) !== value)
    if (changed.length > 0) await storage.settings.save(changed)
    await storage.announce({ topic: 'settings', id: 0 })
  }
  await tidy()

  const root = (await storage.users.findRoot())!
  let made = 0
  /** Somebody new of a role: whoever asked before may have removed themselves. Of the super administrator there is one. */
  async function asker(role: Role): Promise<Record<string, string>> {
    if (role === 'nobody') return { 'new-api-user': '-1' }
    const user =
      role === 'root' ? root : await storage.users.insert(newUser({ username: `asker${++made}`, role: ROLES[role] }))
    const id = random.text(43)
    const now = Math.floor(Date.now() / 1000)
    const times = { created_time: now, used_time: now, proven_time: now, expires_time: now + 86_400 }
    await storage.sessions.insert({ id_hash: secrets.hash(id), user_id: user.id, ip: '', user_agent: '', ...times })
    return { cookie: `weir_session=${id}`, 'new-api-user': String(user.id) }
  }

  async function ask(method: string, { path, body }: FuzzRequest, headers: Record<string, string>) {
    const answer = await Promise.race([
      send(method, url + path, {
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body }),
      }),
      new Promise<null>((resolve) => setTimeout(resolve, HANG_MS, null).unref()),
    ])
    if (answer === null) throw new Error(`no answer in ${HANG_MS} ms`)
    if (answer.status >= 500) throw new Error(`${answer.status} ${answer.text.slice(0, 200)}; ${said.slice(0, 1500)}`)
    return answer
  }

  let done = 0
  return {
    hints,
    /** Requests of the last probe that succeeded. */
    done: () => done,
    /** Undefined where nothing went wrong. */
    async probe(method: string, arbitrary: fc.Arbitrary<FuzzRequest>, parameters: { numRuns: number; seed: number }) {
      done = 0
      const askers = new Map<Role, Record<string, string>>()
      const role = fc.constantFrom<Role>('root', 'root', 'root', 'admin', 'user', 'user', 'nobody')
      const details = await fc.check(
        fc.asyncProperty(role, arbitrary, async (as, request) => {
          const headers = askers.get(as) ?? (await asker(as))
          askers.set(as, headers)
          const { status, json } = await ask(method, request, headers)
          if (json?.success === true) done++
          if (status === 401) askers.delete(as)
        }),
        { ...parameters, interruptAfterTimeLimit: 300_000 },
      )
      await tidy()
      if (!details.failed) return undefined
      const [as, request] = details.counterexample ?? []
      const cause = details.errorInstance instanceof Error ? details.errorInstance.message : ''
      return `${method} ${JSON.stringify(request)} as ${as}: ${cause}`
    },
  }
}
