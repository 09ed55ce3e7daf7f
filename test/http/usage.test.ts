// Usage by time: as its users, its administrators and old dashboards ask for it.
import { expect, it } from 'vitest'
import type { NewLogEntry } from '../../core/calls/log-entry.ts'
import { buildEventLog } from '../../core/logs/log.ts'
import { describeWithOwnGateway, eventually } from '../support/gateway.ts'

const HOUR = 3600
const START = 1_700_000_000 - (1_700_000_000 % HOUR)
const chat = { model: 'sandbox-small', messages: [{ role: 'user' as const, content: 'hello' }] }

describeWithOwnGateway('usage', (weir) => {
  type Person = { id: number; username: string; group: string }
  const call = (user: Person, created_at: number, more: Partial<NewLogEntry> = {}): NewLogEntry => ({
    ...buildEventLog(user, 2, created_at, 'a call', 10),
    ...{ model_name: 'gpt-4o', prompt_tokens: 3, completion_tokens: 2 },
    ...more,
  })
  const write = (entries: NewLogEntry[]) => weir.gateway.ports.storage.logs.insert(entries)
  const rebuild = async (from: number, to: number, more: { fewer?: boolean } = {}) => {
    const { usage } = weir.root.client
    await usage.rebuild({ from: String(from), to: String(to), ...more })
    return eventually(
      () => usage.rebuildProgress(),
      ({ running }) => !running,
    )
  }

  it('is given by user, model and hour to those who draw it, rebuilt from the log', async () => {
    const [ada, bob] = [await weir.addVisitor(), await weir.addVisitor()]
    const failed = { type: 5, quota: 0, prompt_tokens: 0, completion_tokens: 0 }
    await write([
      call(ada.user, START),
      call(ada.user, START + HOUR - 1),
      call(ada.user, START + HOUR),
      call(bob.user, START + 5, { quota: 7 }),
      call(ada.user, START, failed),
      call(ada.user, START + HOUR, { ...failed, model_name: 'never answered' }),
    ])
    for (let turn = 0; turn < 2; turn++) {
      expect(await rebuild(START, START + 2 * HOUR)).toMatchObject({
        ...{ from: START, to: START + 2 * HOUR, hours: 2, done: 2, kept: 0, calls: 6 },
      })
    }
    const range = { start_timestamp: START + 60, end_timestamp: START + 2 * HOUR }
    const own = { user_id: ada.user.id, username: ada.user.username, model_name: 'gpt-4o' }
    const mine = await ada.client.usage.hoursSelf(range)
    expect(mine).toEqual([
      { ...own, created_at: START, token_used: 10, count: 2, quota: 20 },
      { ...own, created_at: START + HOUR, token_used: 5, count: 1, quota: 10 },
    ])
    const { hours } = weir.root.client.usage
    expect(await hours({ ...range, username: ada.user.username })).toEqual(mine)
    expect(await hours({ ...range, username: 'nobody' })).toEqual([])
    expect((await hours({ ...range, end_timestamp: START + 60 }))[0]).toMatchObject({
      ...{ user_id: 0, username: '', model_name: 'gpt-4o', created_at: START, count: 3, quota: 27 },
    })
    const slash = await ada.send('GET', `/api/data/self/?start_timestamp=${START}&end_timestamp=${START + 9}`)
    expect(slash.json.data).toHaveLength(1)
    const month = { start_timestamp: START, end_timestamp: START + 2_592_001 }
    await expect(ada.client.usage.hoursSelf(month)).rejects.toMatchObject({
      ...{ code: 'data.span', message: 'time span cannot exceed 1 month' },
    })
  })

  it('is told of calls that have just ended, by name, to each what is theirs', async () => {
    const [ada, bob] = [await weir.addCaller({ quota: 1_000_000 }), await weir.addCaller({ quota: 1_000_000 })]
    const channel = await weir.addChannel({ type: 1000, models: chat.model })
    const own = weir.visitor()
    await own.login(ada.user.username, ada.password)
    for (const caller of [ada, ada, bob]) await caller.openai.chat.completions.create(chat)
    await ada.openai.chat.completions.create({ ...chat, stream: true }).then(async (stream) => {
      for await (const _ of stream) continue
    })
    const [row] = await ada.logs()
    const seen = await eventually(
      () => own.client.usage.querySelf({ by: 'token,model', times: 'true' }),
      ({ total }) => total.calls === 3,
    )
    const calls = { calls: 3, failed: 0, quota: 3 * row!.quota, output_tokens: 3 * row!.completion_tokens }
    expect(seen).toMatchObject({ groups: 1, total: calls, steps: [{ date: '' }] })
    expect(seen.rows).toMatchObject([
      {
        ...{ ...calls, token_id: ada.token.id, token_name: 'test', model_name: chat.model },
        ...{ latency_ms: { p50: expect.any(Number) as number }, errors: { key: 0, cut_short: 0 } },
      },
    ])
    expect(Object.keys({ ...seen.rows[0], ...seen.total }).filter((name) => /cost|channel|user/.test(name))).toEqual([])
    for (const more of ['by=channel', 'by=user', 'order=cost'])
      expect((await own.send('GET', `/api/usage/self?${more}`)).json.success, more).toBe(false)
    // A filter of administrators filters nothing here: it is no field of this call.
    const others = await own.send('GET', `/api/usage/self?user=${bob.user.id}&channel=99`)
    expect(others.json.data?.total.calls ?? 3).toBe(3)
    expect((await own.send('GET', '/api/usage')).json.code).toBe('access.forbidden')

    const { query } = weir.root.client.usage
    const of = { channel: String(channel.id) }
    const all = await query({ ...of, by: 'user,channel', order: 'calls' })
    expect(all.total).toMatchObject({ calls: 4 })
    expect(all.rows).toMatchObject([
      {
        user_id: ada.user.id,
        username: ada.user.username,
        channel_id: channel.id,
        channel_name: channel.name,
        calls: 3,
      },
      { username: bob.user.username, calls: 1 },
    ])
    expect((await query({ ...of, by: 'user', limit: 1 })).rows).toHaveLength(1)
    expect((await query({ ...of, user: bob.user.username })).total.calls).toBe(1)
    // Whoever is gone keeps a name, or at least a number.
    await own.client.tokens.delete({ id: ada.token.id })
    await weir.root.client.channels.delete({ id: channel.id })
    const gone = await query({ ...of, by: 'token,channel', token: 'test', user: ada.user.username })
    expect(gone.rows).toMatchObject([{ token_name: 'test', channel_name: `#${channel.id}` }])
  })

  it('has the sums of all groups in each step where they are asked for, though some groups are left out', async () => {
    const ada = await weir.addVisitor()
    const at = Date.parse('2023-11-16T10:00Z') / 1000
    const models = ['gpt-4o', 'gpt-4o', 'o3']
    await write(models.map((model_name, hour) => call(ada.user, at + hour * 3600, { model_name })))
    await rebuild(at, at + 3 * 3600)
    const own = { user: ada.user.username, from: '2023-11-16', to: '2023-11-17', zone: 'UTC', times: 'true' } as const
    const each = { ...own, by: 'model', step: 'hour' } as const
    const { rows: course } = await weir.root.client.usage.query({ ...each, by: '' })
    expect(course).toMatchObject([{ calls: 1 }, { calls: 1 }, { calls: 1, latency_ms: expect.any(Object) }])
    const answer = await weir.root.client.usage.query({ ...each, limit: 1, course: 'true' })
    expect(answer).toMatchObject({ groups: 2, rows: [{ model_name: 'gpt-4o' }, { model_name: 'gpt-4o' }], course })
    expect(await weir.root.client.usage.query(each)).not.toHaveProperty('course')
    const { course: seen } = await ada.client.usage.querySelf({ ...each, course: 'true' })
    expect(course).toMatchObject(seen!)
    for (const step of seen!) expect(step).not.toHaveProperty('cost')
  })

  it('is cut by the clock of a zone, and what cannot be cut is refused in words', async () => {
    const ada = await weir.addVisitor()
    const at = Date.parse('2023-11-15T18:15Z') / 1000
    await write([call(ada.user, at), call(ada.user, at + 900)])
    await rebuild(at - 900, at + 2700)
    const own = { by: 'model', user: ada.user.username, from: '2023-11-14', to: '2023-11-17', step: 'day' } as const
    const days = async (zone: string) =>
      (await weir.root.client.usage.query({ ...own, zone })).rows.map(({ date, calls }) => [date, calls])
    expect(await days('UTC')).toEqual([['2023-11-15', 2]])
    expect(await days('Asia/Kolkata')).toEqual([
      ['2023-11-15', 1],
      ['2023-11-16', 1],
    ])
    const next = { user: ada.user.username, from: '2023-11-16', to: '2023-11-17', zone: 'UTC' }
    const followed = { total: { calls: 0 }, previous: { calls: 2, quota: 20 } }
    expect(await weir.root.client.usage.query({ ...next, previous: 'true', step: 'hour' })).toMatchObject(followed)
    expect(await weir.root.client.usage.query(next)).not.toHaveProperty('previous')
    const { previous } = await ada.client.usage.querySelf({ ...next, previous: 'true' })
    expect(previous).toMatchObject(followed.previous)
    expect(previous).not.toHaveProperty('cost')
    // The reporting time zone applies where the query has none.
    expect(await days('')).toEqual([['2023-11-15', 2]])
    await weir.set('ReportTimeZone', 'Asia/Kolkata')
    expect(await days('')).toHaveLength(2)
    expect(await days('UTC')).toHaveLength(1)
    expect((await weir.root.client.site.status()).report_time_zone).toBe('Asia/Kolkata')
    for (const value of ['Mars/Olympus', '+05:30'])
      await expect(weir.root.client.settings.update({ key: 'ReportTimeZone', value })).rejects.toThrow(/time zone/)
    const refused = async (query: string) => (await ada.send('GET', `/api/usage/self?${query}`)).json
    expect(await refused('zone=Mars/Olympus')).toMatchObject({ code: 'token.time_zone' })
    expect(await refused('from=yesterday')).toMatchObject({
      code: 'usage.time',
      message: expect.stringMatching(/from is no time/) as string,
    })
    expect(await refused('from=2026-02-01&to=2026-02-01')).toMatchObject({ code: 'usage.span' })
    expect(await refused('from=2020-01-01&to=2026-01-01&step=hour')).toMatchObject({ code: 'usage.steps' })
    expect(await refused('by=colour')).toMatchObject({
      code: 'usage.by',
      message: expect.stringMatching(/By \(by\): .*token, team, group, model/) as string,
    })
  })

  it('is rebuilt with a record of who had it done, and never out of a log that knows less, unless it is told to', async () => {
    const ada = await weir.addVisitor()
    const from = START + 100 * HOUR
    const asked = { from: String(from), to: String(from + HOUR), user: ada.user.username }
    const calls = async () => (await weir.root.client.usage.query(asked)).total.calls
    await write([call(ada.user, from), call(ada.user, from + 5)])
    await rebuild(from, from + HOUR)
    expect(await calls()).toBe(2)
    await write([call(ada.user, from + 6)])
    await rebuild(from, from + HOUR)
    expect(await calls()).toBe(3)
    expect((await weir.root.client.audit.list({ action: 'usage.rebuild' })).items[0]).toMatchObject({
      ...{ username: 'root', target: 'usage', after: JSON.stringify({ from, to: from + HOUR, fewer: false }) },
    })
    const { storage } = weir.gateway.ports
    await storage.logs.deleteOutdated({ before: from + 6 }, 1000)
    expect(await rebuild(from, from + HOUR)).toMatchObject({ done: 1, kept: 1 })
    expect(await calls()).toBe(3)
    expect(await rebuild(from, from + HOUR, { fewer: true })).toMatchObject({ done: 1, kept: 0 })
    expect(await calls()).toBe(1)
    // Nothing is rebuilt before the log begins, nor where processes may still have something in hand.
    expect(await rebuild(from - 50 * HOUR, from)).toMatchObject({ hours: 0 })
    expect((await rebuild(Math.floor(Date.now() / 1000) - HOUR, 9_000_000_000)).to).toBeLessThan(
      Date.now() / 1000 - 300,
    )
    expect((await ada.send('POST', '/api/usage/rebuild', { body: {} })).json.code).toBe('access.forbidden')
  })
})
