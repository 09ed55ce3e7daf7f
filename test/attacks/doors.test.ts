// Every path that a key opens: a key that is disabled, used from another address, or of a banned user opens none.
// Without a balance or beyond a limit no call reaches a provider, while answers that are paid for can be read, within
// the limit of reads.
import { expect, it } from 'vitest'
import { ApiRateSettings } from '../../core/settings/network.ts'
import { RELAY_OPERATIONS } from '../../http/relay.ts'
import { ESTIMATE_PREFIX, type RelayOperationName } from '../../http/relay-route.ts'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway } from '../support/gateway.ts'
import { send } from '../support/server.ts'
import { chatReply } from '../support/upstream.ts'

type Kind = 'ask' | 'estimate' | 'read' | 'list' | 'own'
interface Door {
  name: string
  method: string
  path: string
  kind: Kind
  /** The body below is whole for it, and a channel serves it: it is refused for money alone. */
  whole: boolean
}

const MODEL = 'a-model-of-all-doors'
const SERVED =
  /^\/v1\/(chat\/completions|completions|responses(\/compact)?|embeddings|moderations|images\/generations|messages)$|count|input_tokens|:generate|:stream/
const BODY = {
  ...{ model: MODEL, prompt: 'Hello', input: 'Hello', query: 'a', documents: ['a'], max_tokens: 9, voice: 'alloy' },
  messages: [{ role: 'user', content: 'Hello' }],
  contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
}

const filled = (path: string) =>
  path.replace('{model}', MODEL).replace(/\{\w+(?:=(\w+)[^}]*)?\}/g, (_, word: string | undefined) => word ?? 'none')

/** What a key opens by each operation. A test fails for one that is not here. */
const KINDS: Partial<Record<RelayOperationName, Kind>> = {
  call: 'ask',
  count: 'ask',
  estimate: 'estimate',
  answer: 'read',
  task: 'read',
  models: 'list',
  model: 'list',
  billing: 'own',
}
const keyed = Object.entries(RELAY_OPERATIONS).filter(([, { access }]) => access === 'key')

const DOORS: Door[] = [
  ...keyed.flatMap(([operation, { requests }]) =>
    requests.map(({ method, path, ...request }): Door => {
      const task = 'route' in request ? request.route : undefined
      const search = new URLSearchParams(task?.query).toString()
      const words = [method, path, ...(task ? [request.dialect.name, task.wants] : [])]
      const kind = task?.wants === 'submit' ? 'ask' : KINDS[operation as RelayOperationName]
      return {
        name: words.join(' '),
        method,
        path: filled(path) + (search && `?${search}`),
        kind: kind ?? 'own',
        whole: operation === 'billing' || SERVED.test(path),
      }
    }),
  ),
  { name: 'the log of a key', method: 'GET', path: '/api/log/token', kind: 'own', whole: true },
]

it('has a kind for each operation that a key opens', () => {
  expect(keyed.map(([operation]) => operation).sort()).toEqual(Object.keys(KINDS).sort())
})

describeWithGateway('a door', (weir) => {
  const open = async () => {
    await weir.set('ModelRatio', { [MODEL]: 1 })
    await weir.addChannel({ models: MODEL })
    await weir.addChannel({ models: MODEL, type: 14 })
    await weir.addChannel({ models: MODEL, type: 24 })
    weir.upstream.reply(({ path }) =>
      /count/i.test(path)
        ? { body: { input_tokens: 7, totalTokens: 7 } }
        : chatReply('Hello', { prompt_tokens: 3, completion_tokens: 2 }),
    )
  }
  const ask = async ({ key }: Caller, { method, path }: Door) => {
    const isLog = path === '/api/log/token'
    const whole = isLog ? `${path}?key=${key}` : path
    const body = method === 'POST' ? { body: BODY } : {}
    const { status, json } = await send(method, weir.url + whole, {
      headers: { authorization: `Bearer ${key}` },
      ...body,
    })
    return isLog && json.success === false ? 401 : status
  }
  /** Every door whose answer is another than is said, or behind which a provider was asked. */
  async function listOpened(caller: Caller, doors: readonly Door[], isRight: (status: number, door: Door) => boolean) {
    const wrong: string[] = []
    for (const door of doors) {
      weir.upstream.requests.length = 0
      const status = await ask(caller, door)
      if (!isRight(status, door)) wrong.push(`${door.name}: ${status}`)
      if (weir.upstream.requests.length > 0) wrong.push(`${door.name}: a provider was asked`)
    }
    return wrong
  }
  const of = (...kinds: Kind[]) => DOORS.filter(({ kind }) => kinds.includes(kind))
  const isClosed = (status: number) => status === 401 || status === 403
  const isRefused = (status: number, { whole }: Door) => (whole ? status === 403 : status >= 400 && status < 600)
  const isOpen = (status: number) => ![401, 402, 403, 429].includes(status)

  it('is closed to a key that is disabled, deleted or used elsewhere, and to users who are banned or gone', async () => {
    await open()
    const quota = 1_000_000
    const closed = {
      disabled: await weir.addCaller({ quota }),
      deleted: await weir.addCaller({ quota }),
      elsewhere: await weir.addCaller({ quota, token: { allow_ips: '192.0.2.0/24' } }),
      banned: await weir.addCaller({ quota, patch: { status: 2 } }),
      gone: await weir.addCaller({ quota }),
    }
    const { storage } = weir.gateway.ports
    await storage.tokens.update(closed.disabled.token.id, { status: 2 })
    await storage.tokens.delete(closed.deleted.token.id)
    await weir.root.client.users.delete({ id: closed.gone.user.id })
    const opened: Record<string, string[]> = {}
    for (const [name, caller] of Object.entries(closed)) opened[name] = await listOpened(caller, DOORS, isClosed)
    expect(opened).toEqual({ disabled: [], deleted: [], elsewhere: [], banned: [], gone: [] })
  })

  it('tells of its own balance and log where its key has expired or is used up, and opens nothing else', async () => {
    await open()
    const expired = await weir.addCaller({ quota: 1_000_000, token: { expired_time: 1_000_000 } })
    const spent = await weir.addCaller({ quota: 1_000_000, token: { remain_quota: 0 } })
    expect(await listOpened(expired, of('own'), (status) => status === 200)).toEqual([])
    expect(await listOpened(spent, of('own'), (status) => status === 200)).toEqual([])
    expect(await listOpened(expired, of('ask', 'estimate', 'read', 'list'), isClosed)).toEqual([])
    expect(await listOpened(spent, of('ask'), (status, door) => status === 401 || !door.whole)).toEqual([])
    expect(await listOpened(spent, of('read', 'list'), isOpen)).toEqual([])
  })

  it('leads to no provider without a balance; what is paid for can be read', async () => {
    await open()
    const poor = await weir.addCaller({ quota: 0 })
    expect(await listOpened(poor, of('ask'), isRefused)).toEqual([])
    expect(await listOpened(poor, of('estimate', 'read', 'list', 'own'), isOpen)).toEqual([])
  })

  it('leads to no provider beyond the requests of token, user and group; reads have a limit of their own', async () => {
    await open()
    const limited = await weir.addCaller({ quota: 1_000_000, token: { requests_per_minute: 1 } })
    const asks = of('ask').filter(({ whole }) => whole)
    const isLimited = (status: number) => status === 429
    const counts = asks.filter(({ path }) => /count/i.test(path))
    expect(counts.length).toBeGreaterThan(1)
    // A count is a request like another.
    await ask(limited, counts[0]!)
    const calls = [...asks, ...of('estimate').filter(({ path }) => SERVED.test(path.slice(ESTIMATE_PREFIX.length)))]
    expect(await listOpened(limited, calls, isLimited)).toEqual([])
    expect(await listOpened(limited, of('read', 'list', 'own'), isOpen)).toEqual([])
    for (const whose of ['user', 'group'] as const) {
      const ada = await weir.addCaller({ quota: 1_000_000, patch: { group: 'default' } })
      const name = whose === 'user' ? `user:${ada.user.id}` : 'group:default'
      await weir.set('RateLimits', { [name]: { requests_per_minute: 1 } })
      await ask(ada, counts[0]!)
      expect(await listOpened(ada, asks, isLimited), whose).toEqual([])
      await weir.set('RateLimits', {})
    }
    const off = Object.fromEntries(Object.keys(ApiRateSettings.shape).map((name) => [name, [0, 60]]))
    await weir.set('ApiRateLimits', { ...off, reads: [1, 60] })
    const reader = await weir.addCaller({ quota: 0 })
    const [first, ...others] = of('read')
    expect(isOpen(await ask(reader, first!))).toBe(true)
    expect(await listOpened(reader, others, isLimited)).toEqual([])
    expect(await listOpened(reader, of('list', 'own'), isOpen)).toEqual([])
  })

  it('that counts tokens takes nothing and leaves a row that says so', async () => {
    await open()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const before = await ada.balances()
    const counts = of('ask').filter(({ path }) => /count/i.test(path))
    for (const door of counts) expect(await ask(ada, door), door.name).toBe(200)
    expect(await ada.balances()).toEqual(before)
    const { items } = await weir.gateway.ports.storage.logs.list({ user_id: ada.user.id }, { offset: 0, limit: 9 })
    const rows = items.filter(({ other }) => other.includes('"count":true'))
    expect(rows).toHaveLength(counts.length)
    for (const row of rows)
      expect(row).toMatchObject({ type: 4, quota: 0, model_name: MODEL, token_id: ada.token.id, completion_tokens: 0 })
    expect(rows.every(({ prompt_tokens }) => prompt_tokens > 0)).toBe(true)
    expect((await weir.gateway.client.quota.verify()).open_holds).toBe(0)
  })
})
