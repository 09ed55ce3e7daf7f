// Every list that is declared to be sorted and walked: by each of its columns, both ways, while rows come and go.
import { describe, expect, it } from 'vitest'
import { endpointsByName } from '../../core/contracts.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { describeWithOwnGateway } from '../support/gateway.ts'
import { pickInTurn, runsAllTests } from '../support/suite.ts'
import { newChannel, newLog, newToken, newUser } from '../storage/samples.ts'

interface Row {
  id: number
  [field: string]: unknown
}
interface Told {
  rows: Row[]
  total: number
  next_cursor: string
  sums?: Record<string, number>
}
interface Listed {
  /** Adds a row; `n` counts them. */
  add(storage: Storage, n: number, root: number): Promise<unknown>
  remove?(storage: Storage, id: number): Promise<unknown>
}

const NAMES = ['ada', 'Zoe', '张三', 'Ada', 'émile', '李四', 'bob_%']
const nameOf = (n: number) => `${NAMES[n % NAMES.length]}${n % 2 === 0 ? '' : n}`
const TIME = 1_700_000_000
const keyOf = (n: number) => String(n).padStart(48, 'k')

const user: Listed = {
  add: ({ users }, n) => users.insert(newUser({ username: `${nameOf(n)} ${n}`, group: nameOf(n % 3) })),
}
const token: Listed = {
  add: ({ tokens }, n, user_id) =>
    tokens.insert(newToken({ user_id, key: keyOf(n), name: nameOf(n), expired_time: n % 3 === 0 ? -1 : TIME + n })),
  remove: ({ tokens }, id) => tokens.delete(id),
}
const code: Listed = {
  add: ({ redemptions }, n, user_id) =>
    redemptions.insert([
      { user_id, name: nameOf(n), key: keyOf(n), quota: 100 + (n % 3), created_time: TIME + (n % 4) },
    ]),
  remove: ({ redemptions }, id) => redemptions.delete(id),
}
const order: Listed = {
  add: ({ topups }, n, user_id) =>
    topups.insert({
      ...{ user_id, trade_no: `T${n}`, provider: 'epay', method: 'alipay', amount: n % 3, money: n % 4 },
      ...{ currency: 'USD', quota: n % 5, create_time: TIME + (n % 3) },
    }),
}
const call: Listed = {
  add: ({ logs }, n, user_id) =>
    logs.insert([newLog({ user_id, created_at: TIME + (n % 4), quota: n % 3, prompt_tokens: n % 5, use_time: n % 2 })]),
}

/** How each list gets rows. */
const lists: Record<string, Listed> = {
  'users.list': user,
  'users.search': user,
  'tokens.list': token,
  'tokens.search': token,
  'tokens.ofUser': token,
  'channels.list': {
    add: ({ channels }, n) => channels.insert([newChannel({ name: nameOf(n), priority: n % 3, weight: n % 2 })]),
    remove: ({ channels }, id) => channels.deleteMany({ ids: [id] }),
  },
  'redemptions.list': code,
  'redemptions.search': code,
  'topups.list': order,
  'topups.listSelf': order,
  'logs.list': call,
  'logs.listSelf': call,
  'audit.list': {
    add: (storage, n, user_id) =>
      storage.transaction(({ audit }) =>
        audit.insert([
          {
            ...{ created_at: TIME + (n % 3), user_id, username: nameOf(n), via: 'session', ip: '', request_id: '' },
            ...{ action: `a${n % 2}`, target: nameOf(n % 4), before: '', after: '' },
          },
        ]),
      ),
  },
  'teams.list': { add: ({ teams }, n) => teams.insert({ name: `${nameOf(n)} ${n}`, created_time: TIME + (n % 3) }) },
}

const walked = [...endpointsByName].filter(([, { query }]) => query && 'cursor' in query.shape)
const sortsOf = (name: string): string[] => endpointsByName.get(name)?.query?.shape.sort.unwrap().options ?? []

/** Each column both ways; in `npm test` one way, the other one in the next list, of which several show the same rows. */
function listPlayedSorts(name: string): string[] {
  const place = walked.findIndex(([each]) => each === name)
  const columns = [...new Set(sortsOf(name).map((sort) => sort.replace('-', '')))]
  return sortsOf(name).filter(
    (sort) => runsAllTests || sort.startsWith('-') === ((columns.indexOf(sort.replace('-', '')) + place) % 2 === 0),
  )
}

describeWithOwnGateway('lists that are walked', (weir, kind) => {
  let count = kind === 'sqlite' ? 1 : 1_000_001

  async function ask(name: string, input: Record<string, unknown>): Promise<Told> {
    const [feature = '', call = ''] = name.split('.')
    const client = weir.gateway.client as unknown as Record<string, Record<string, (input: object) => Promise<unknown>>>
    const all = name === 'teams.list' ? { all: 'true' } : name === 'tokens.ofUser' ? { user_id: weir.rootId } : {}
    const reply = (await client[feature]![call]!({ ...all, ...input })) as Told & { items?: Row[]; data?: Row[] }
    return { ...reply, rows: reply.items ?? reply.data ?? [] }
  }
  const sized = (name: string, size: number) => ({ [name.startsWith('tokens.') ? 'size' : 'page_size']: size })
  const refusal = (name: string, input: Record<string, unknown>) =>
    ask(name, input).then(
      () => 'done',
      (error: unknown) => (error as { code: string }).code,
    )
  const add = (name: string) => lists[name]!.add(weir.gateway.ports.storage, (count += 1), weir.rootId)

  async function walk(name: string, sort: string, size: number, between: (page: number) => Promise<unknown>) {
    const seen: Row[] = []
    for (let cursor = '', page = 0; page === 0 || cursor !== ''; page += 1) {
      const told = await ask(name, { sort, cursor, ...sized(name, size) })
      seen.push(...told.rows)
      cursor = told.next_cursor
      await between(page)
    }
    return seen
  }

  it('each has its rows here', () => expect(walked.map(([name]) => name).sort()).toEqual(Object.keys(lists).sort()))

  describe.each(walked.map(([name]) => name))('%s', (name) => {
    it('gives each row once by any of its columns, whatever comes and goes meanwhile', async () => {
      for (let n = 0; n < 11; n += 1) await add(name)
      const old = new Set((await walk(name, '', 100, async () => {})).map(({ id }) => id))
      for (const [turn, sort] of listPlayedSorts(name).entries()) {
        const gone = new Set<number>()
        const seen = await walk(name, sort, Math.ceil(old.size / 4) + (turn % 2), async (page) => {
          if (page === 0) return add(name)
          const victim = [...old].find((id) => !gone.has(id) && id % 3 === turn % 3)
          if (victim === undefined || !lists[name]?.remove || page > 2) return
          gone.add(victim)
          await lists[name].remove(weir.gateway.ports.storage, victim)
        })
        const ids = seen.map(({ id }) => id)
        expect(new Set(ids).size, sort).toBe(ids.length)
        expect(
          [...old].filter((id) => !gone.has(id) && !ids.includes(id)),
          sort,
        ).toEqual([])
        expect(outOfOrder(seen, sort), sort).toEqual([])
        for (const id of ids) old.add(id)
        for (const id of gone) old.delete(id)
      }
    })

    it('refuses cursors that are not its own, of another order or filter, or nobody knows', async () => {
      for (let n = 0; n < 3; n += 1) await add(name)
      const [, first = '', second = ''] = sortsOf(name)
      const { next_cursor: cursor } = await ask(name, { sort: first, ...sized(name, 2) })
      expect(cursor).not.toBe('')
      expect(await refusal(name, { cursor, sort: second })).toBe('list.cursor')
      expect(await refusal(name, { cursor: 'x' })).toBe('list.cursor')
      expect(await refusal(name, { cursor: btoa('["users"]') })).toBe('list.cursor')
      expect(await refusal(name, { cursor: cursor.slice(0, -4) })).toBe('list.cursor')
      const foreign = Object.keys(lists).filter((other) => other.split('.')[0] !== name.split('.')[0])
      for (const other of pickInTurn(foreign, Object.keys(lists).indexOf(name), 2))
        expect(await refusal(other, { cursor })).toBe('list.cursor')
      expect(await refusal(name, { sort: 'password_hash' })).toBe('request.invalid')
      // It says itself in which order it goes on.
      const rest = await ask(name, { cursor })
      expect(outOfOrder(rest.rows, first)).toEqual([])
    })

    it('counts its rows, and sums up what it says it does where that is asked for', async () => {
      await add(name)
      const rows = await walk(name, '', 100, async () => {})
      expect(await ask(name, {})).toMatchObject({ total: rows.length })
      const { sums } = await ask(name, { totals: 'true', ...sized(name, 2) })
      for (const [field, sum] of Object.entries(sums ?? {}))
        expect(sum, field).toBe(rows.reduce((all, row) => all + Number(row[field]), 0))
    })
  })

  it('cursors of a search go on in the same search alone', async () => {
    for (let n = 0; n < 3; n += 1) await add('users.search')
    const { next_cursor: cursor } = await ask('users.search', { group: '张三', page_size: 1 })
    expect(await refusal('users.search', { group: '张三', cursor })).toBe('done')
    expect(await refusal('users.search', { group: 'ada', cursor })).toBe('list.cursor')
    expect(await refusal('users.list', { cursor })).toBe('list.cursor')
  })
})

/** Rows that stand before one they should come after. */
function outOfOrder(rows: Row[], sort: string): [Row, Row][] {
  if (sort === '') return []
  const column = sort.replace('-', '')
  const key = (row: Row) => {
    const value = row[column]
    return typeof value === 'string' ? value.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : Number(value)
  }
  const compare = (one: Row, other: Row) => ranked(key(one), key(other)) || one.id - other.id
  const wanted = sort.startsWith('-') ? -1 : 1
  return rows.slice(1).flatMap((row, place): [Row, Row][] => {
    const before = rows[place]!
    return Math.sign(compare(before, row)) === -wanted ? [] : [[before, row]]
  })
}

const ranked = (one: string | number, other: string | number): number => {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)))
}
