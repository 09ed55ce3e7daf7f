// The usage log as data: exports, filters and clean-up.
import { expect, it } from 'vitest'
import type { NewLogEntry } from '../../core/calls/log-entry.ts'
import { buildEventLog } from '../../core/logs/log.ts'
import { describeWithGateway, eventually } from '../support/gateway.ts'

const HOUR = 3600
const START = 1_700_000_000 - (1_700_000_000 % HOUR)

describeWithGateway('the usage log', (weir) => {
  type Person = { id: number; username: string; group: string }
  const call = (user: Person, created_at: number, more: Partial<NewLogEntry> = {}): NewLogEntry => ({
    ...buildEventLog(user, 2, created_at, 'a call', 10),
    ...{ model_name: 'gpt-4o', prompt_tokens: 3, completion_tokens: 2 },
    ...more,
  })
  const write = (entries: NewLogEntry[]) => weir.gateway.ports.storage.logs.insert(entries)

  it('is exported row by row, as CSV and as JSON lines', async () => {
    const ada = await weir.addVisitor()
    const admin_info = JSON.stringify({ admin_info: { use_channel: ['1'] }, frt: 5 })
    await write([
      call(ada.user, START, { content: '=cmd("x"), "quoted"\nline', other: admin_info, channel: 3 }),
      ...Array.from({ length: 1100 }, (_, n) => call(ada.user, START + 1 + n)),
    ])
    const csv = await ada.send('GET', '/api/log/self/export?format=csv')
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(csv.headers['content-disposition']).toBe('attachment; filename="weir-log.csv"')
    expect(csv.text).toContain(`"'=cmd(""x""), ""quoted""\nline"`)
    expect(csv.text).not.toContain('use_channel')
    const range = `start_timestamp=${START}&end_timestamp=${START + 5000}`
    const lines = await ada.send('GET', `/api/log/self/export?format=jsonl&${range}`)
    const rows = lines.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; channel: number })
    expect(rows).toHaveLength(1101)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(1101)
    expect(rows.at(-1)?.channel).toBe(0)
    const all = await weir.root.send('GET', `/api/log/export?format=jsonl&username=${ada.user.username}&${range}`)
    expect(all.text).toContain('use_channel')
    expect((await ada.send('GET', '/api/log/export')).json.code).toBe('access.forbidden')
    expect((await ada.send('GET', '/api/log/self/export?format=xml')).json.code).toBe('request.invalid')
  })

  it('says what a call asked for, and is filtered by it', async () => {
    const ada = await weir.addCaller({ quota: 1_000_000 })
    await weir.addChannel({ type: 1000, models: 'sandbox-small' })
    const own = weir.visitor()
    await own.login(ada.user.username, ada.password)
    const model = 'sandbox-small'
    await ada.openai.chat.completions.create({ model, messages: [{ role: 'user', content: 'hello' }] })
    await ada.openai.embeddings.create({ model, input: 'hello' })
    await ada.openai.moderations.create({ model, input: 'hello' })
    // Beside them stands what the account began with.
    const operations = async (operation?: 'chat' | 'embeddings' | 'images') =>
      (await own.client.logs.listSelf({ operation })).items.map((row) => row.operation)
    expect((await operations()).sort()).toEqual(['', 'chat', 'embeddings', 'moderation'])
    expect(await operations('embeddings')).toEqual(['embeddings'])
    expect(await operations('images')).toEqual([])
    const asked = { operation: 'chat', username: ada.user.username } as const
    const { list, stat } = weir.root.client.logs
    const { items, total } = await list(asked)
    expect([items.map((row) => row.operation), total]).toEqual([['chat'], 1])
    expect((await stat(asked)).quota).toBe(items[0]?.quota)
    const csv = await own.send('GET', '/api/log/self/export?format=csv&operation=embeddings')
    expect(csv.text.split('\r\n').map((line) => line.includes('embeddings'))).toEqual([false, true, false])
    const refused = await own.send('GET', '/api/log/self?operation=everything')
    expect(refused.json.code).toBe('request.invalid')
  })

  it('is filtered by the least duration and the least cost, in lists, sums and exports', async () => {
    const ada = await weir.addVisitor()
    const at = START + 900_000
    await write([
      call(ada.user, at, { use_time: 1, other: '{"total_ms":1400}', quota: 300 }),
      call(ada.user, at + 1, { use_time: 2, other: '{"total_ms":1600}', quota: 20 }),
      call(ada.user, at + 2, { use_time: 90, other: '{"total_ms":90000}', quota: 100 }),
    ])
    const asked = { start_timestamp: at, end_timestamp: at + 9 }
    const { username } = ada.user
    for (const [least, found] of [
      [{ min_ms: 1500 }, [100, 20]],
      [{ min_quota: 100 }, [100, 300]],
      [{ min_ms: 1500, min_quota: 21 }, [100]],
      [{ min_ms: 0, min_quota: 0 }, [100, 20, 300]],
    ] as const) {
      const quotas = ({ items }: { items: { quota: number }[] }) => items.map(({ quota }) => quota)
      const sum = found.reduce((all: number, quota) => all + quota, 0)
      expect(quotas(await ada.client.logs.listSelf({ ...asked, ...least }))).toEqual(found)
      expect(quotas(await weir.root.client.logs.list({ ...asked, ...least, username }))).toEqual(found)
      expect(await ada.client.logs.statSelf({ ...asked, ...least })).toMatchObject({ calls: found.length, quota: sum })
      expect((await weir.root.client.logs.stat({ ...asked, ...least, username })).quota).toBe(sum)
      const query = new URLSearchParams(
        Object.entries({ ...asked, ...least, format: 'jsonl' }).map(([k, v]) => [k, `${v}`]),
      )
      const lines = (await ada.send('GET', `/api/log/self/export?${query}`)).text.trim().split('\n')
      expect(lines.map((line) => (JSON.parse(line) as { quota: number }).quota).sort()).toEqual([...found].sort())
    }
    // What is no number does not filter, as in the other filters.
    const all = await ada.send('GET', `/api/log/self?start_timestamp=${at}&end_timestamp=${at + 9}&min_ms=soon`)
    expect(all.json.data).toMatchObject({ total: 3 })
  })

  it('is cleaned up by date, with a record of who did it, and no money is touched', async () => {
    const ada = await weir.addVisitor({ quota: 100 })
    await write(Array.from({ length: 2500 }, (_, n) => call(ada.user, START - 1 - n)))
    await write([call(ada.user, START + 100)])
    const old = { start_timestamp: 1, end_timestamp: START - 1, username: ada.user.username }
    const remove = (query: string) => weir.root.send('DELETE', `/api/log/${query}`)
    expect((await remove('')).json.code).toBe('log.target')
    expect((await remove('?target_timestamp=-5')).json.code).toBe('log.target')
    const { json } = await remove(`?target_timestamp=${START}`)
    expect(json.success).toBe(true)
    const { cleanUpProgress, list } = weir.root.client.logs
    const end = await eventually(
      () => cleanUpProgress(),
      ({ running }) => !running,
    )
    expect(end).toMatchObject({ target_timestamp: START })
    expect(end.removed).toBeGreaterThanOrEqual(2500)
    expect((await list(old)).total).toBe(0)
    expect((await list({ username: ada.user.username, start_timestamp: START })).total).toBeGreaterThan(0)
    expect((await weir.root.client.audit.list({ action: 'log.clean' })).items[0]).toMatchObject({
      ...{ username: 'root', after: `older than ${START}` },
    })
    expect((await weir.root.client.quota.verify()).ok).toBe(true)
    expect((await ada.client.users.self()).quota).toBe(100)
  })

  it('is searched by type and by how a row begins, within what the caller may see', async () => {
    const [ada, bob] = [await weir.addVisitor(), await weir.addVisitor()]
    const found = async (who: typeof ada | typeof weir.root, path: string) =>
      ((await who.send('GET', path)).json.data as { content: string }[]).map(({ content }) => content)
    await write([
      call(ada.user, START, { content: '100% of it', type: 5 }),
      call(ada.user, START, {
        content: '1000 of it',
        type: 5,
        channel: 9,
        other: '{"admin_info":{"use_channel":["9"]}}',
      }),
      call(bob.user, START, { content: '100% of that', type: 4 }),
    ])
    expect(await found(weir.root, '/api/log/search?keyword=100%25')).toEqual(['100% of that', '100% of it'])
    expect((await found(weir.root, '/api/log/search/?keyword=5')).slice(0, 2)).toEqual(['1000 of it', '100% of it'])
    expect(await found(weir.root, '/api/log/search?keyword=_00')).toEqual([])
    expect(await found(ada, '/api/log/self/search?keyword=5')).toEqual(['1000 of it', '100% of it'])
    expect(await found(bob, '/api/log/self/search/?keyword=5')).toEqual([])
    for (const keyword of ['100%25', '', '0', '55']) {
      expect(await found(ada, `/api/log/self/search?keyword=${keyword}`), keyword).toEqual([])
    }
    expect((await ada.client.logs.searchSelf({ keyword: '5' }))[0]).toMatchObject({ channel: 0, other: '{}' })
    expect((await ada.send('GET', '/api/log/search?keyword=5')).json.code).toBe('access.forbidden')
  })

  it('of a token is told to whoever has its key, from a page of any site', async () => {
    const ada = await weir.addCaller()
    const second = await weir.addToken(ada.user)
    await write([
      call(ada.user, START, {
        token_id: ada.token.id,
        content: 'first',
        other: '{"admin_info":{"use_channel":["1"]}}',
      }),
      call(ada.user, START, { token_id: second.id, content: 'second' }),
    ])
    const ask = (key: string) => weir.visitor().send('GET', `/api/log/token?key=${key}`)
    for (const key of [ada.key, ada.token.key]) {
      const { json, headers, text } = await ask(key)
      expect(json.data.map(({ content }: { content: string }) => content)).toEqual(['first'])
      expect(headers['access-control-allow-origin']).toBe('*')
      expect(text).not.toContain('use_channel')
    }
    for (const [key, code] of [
      ['', 'key.absent'],
      ['sk-unknown', 'key.unknown'],
    ] as const) {
      const { status, json } = await ask(key)
      expect([status, json.code]).toEqual([401, code])
    }
  })

  it('says when there are more rows than it counts', async () => {
    const ada = await weir.addVisitor()
    const { logs } = weir.gateway.ports.storage
    await logs.insert(Array.from({ length: 10_001 }, (_, n) => call(ada.user, START + n)))
    const filter = { username: ada.user.username, page_size: 10 }
    expect(await weir.root.client.logs.list(filter)).toMatchObject({ total: 10_000, total_capped: true })
    expect(await weir.root.client.logs.list({ ...filter, end_timestamp: START })).toMatchObject({ total_capped: false })
  })
})
