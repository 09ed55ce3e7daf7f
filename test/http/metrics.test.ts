// The metrics of a gateway, as a real scrape has them: every declared one, of calls as they were, read by nobody without a
// token, with no label that names a person, and no series for whoever makes up names.
import { describe, expect, it } from 'vitest'
import { metrics, type MetricName } from '../../core/metrics/metrics.data.ts'
import { startOperations } from '../../http/operations.ts'
import { createWorkerLine } from '../../http/workers.ts'
import { readExposition, type Family } from '../support/exposition.ts'
import { describeWithGateway, eventually, type TestGateway } from '../support/gateway.ts'
import { send } from '../support/server.ts'
import { chatReply, errorPage } from '../support/upstream.ts'

const TOKEN = 'a token for metrics 0123'
const messages = [{ role: 'user' as const, content: 'Hello' }]

async function scrape(weir: TestGateway, token = TOKEN): Promise<Map<string, Family>> {
  const { status, text, headers } = await send('GET', `${weir.url}/metrics`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect({ status, headers }).toMatchObject({
    ...{ status: 200, headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } },
  })
  return readExposition(text)
}

const sum = (families: Map<string, Family>, name: MetricName, labels: Record<string, string> = {}): number =>
  (families.get(name)?.samples ?? [])
    .filter(({ labels: of }) => Object.entries(labels).every(([key, value]) => of[key] === value))
    .filter(({ name: of }) => of === name || of === `${name}_count`)
    .reduce((all, { value }) => all + value, 0)

describeWithGateway('metrics', (weir, kind) => {
  it('are there for whoever has the token alone, and for nobody while there is none', async () => {
    const ask = (authorization?: string) =>
      send('GET', `${weir.url}/metrics`, authorization === undefined ? {} : { headers: { authorization } })
    expect(await ask()).toMatchObject({ status: 404, text: '' })
    await weir.set('metrics.token', TOKEN)
    for (const wrong of [undefined, '', 'Bearer', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`])
      expect(await ask(wrong), String(wrong)).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } })
    expect(await ask(`bearer ${TOKEN}`)).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    await expect(weir.root.client.settings.update({ key: 'metrics.token', value: 'short' })).rejects.toMatchObject({
      code: 'setting.metrics_token',
    })
    await weir.set('metrics.token', TOKEN)
    const stored = await weir.root.client.settings.list()
    expect(stored.find(({ key }) => key === 'metrics.token')).toMatchObject({ value: '', set: true })
  })

  it('count a call with what it used and was charged, its tries and its outcome; and are all there', async () => {
    await weir.set('metrics.token', TOKEN)
    await scrape(weir)
    const bad = await weir.addChannel({ priority: 10 })
    const good = await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const answered = chatReply('Hello', { prompt_tokens: 30, completion_tokens: 20 })
    weir.upstream.reply((_, turn) => (turn === 0 ? errorPage(503) : answered))
    await ada.openai.chat.completions.create({ model: weir.model, messages })
    const of = { model: weir.model, group: 'default' }
    const channel = String(good.id)
    const got = await eventually(
      () => scrape(weir),
      (seen) => sum(seen, 'weir_calls_total', { ...of, channel }) > 0,
    )
    expect(sum(got, 'weir_calls_total', { ...of, channel, outcome: 'complete' })).toBe(1)
    expect(sum(got, 'weir_call_duration_seconds', { ...of, channel, outcome: 'complete' })).toBe(1)
    expect(sum(got, 'weir_tokens_total', { ...of, channel, kind: 'input' })).toBe(30)
    expect(sum(got, 'weir_tokens_total', { ...of, channel, kind: 'output' })).toBe(20)
    const { used_quota } = (await weir.gateway.ports.storage.tokens.find(ada.token.id))!
    expect(used_quota).toBeGreaterThan(0)
    expect(sum(got, 'weir_charged_quota_total', { ...of, channel })).toBe(used_quota)
    expect(sum(got, 'weir_attempts_total', { channel: String(bad.id), result: 'failing' })).toBe(1)
    expect(sum(got, 'weir_attempts_total', { channel, result: 'answered' })).toBe(1)
    expect(sum(got, 'weir_retries_total', { channel: String(bad.id) })).toBe(1)
    expect(sum(got, 'weir_ledger_commit_seconds', { result: 'written' })).toBeGreaterThan(0)
    expect(sum(got, 'weir_storage_ready')).toBe(1)
    expect(sum(got, 'weir_channel_info', { channel })).toBe(1)
    expect(sum(got, 'weir_database_connections', { pool: 'read' })).toBeGreaterThan(0)
    if (kind === 'sqlite') expect(sum(got, 'weir_database_bytes', { file: 'database' })).toBeGreaterThan(0)
    for (const [name, { kind: type, help }] of Object.entries(metrics))
      expect(got.get(name), name).toMatchObject({ type, help })
    // Of the runtime.
    for (const name of ['nodejs_eventloop_lag_p99_seconds', 'nodejs_gc_duration_seconds', 'process_open_fds'])
      expect([...got.keys()]).toContain(name)
    const said = JSON.stringify([...got.values()])
    for (const secret of [ada.key.slice(3), ada.user.username, ada.token.name, TOKEN])
      expect(said).not.toContain(secret)
  })

  it('count what is refused by its code, and make no series of names that strangers make up', async () => {
    await weir.set('metrics.token', TOKEN)
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const before = await scrape(weir)
    const names = Array.from({ length: 5 }, (_, n) => `made-up-${n}`)
    for (const model of names)
      await expect(ada.openai.chat.completions.create({ model, messages })).rejects.toMatchObject({ status: 404 })
    // A date that nobody lists is the model without it.
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 3, completion_tokens: 2 }))
    await ada.openai.chat.completions
      .create({ model: `${weir.model}-2031-01-01`, messages })
      .catch((error: unknown) => expect(error).toMatchObject({ status: 404 }))
    const after = await scrape(weir)
    const refused = (of: Map<string, Family>) => sum(of, 'weir_requests_refused_total', { code: 'model.missing' })
    expect(refused(after) - refused(before)).toBeGreaterThanOrEqual(names.length)
    const said = JSON.stringify([...after.values()])
    expect(said).not.toContain('made-up')
    expect(said).not.toContain('2031-01-01')
  })

  it('have a port of their own, with the probes, that needs no token', async () => {
    const config = { ...weir.config, metrics_port: 0, metrics_host: '127.0.0.1' }
    const operations = await startOperations(config, weir.gateway)
    const ask = (path: string) => send('GET', operations.url + path)
    expect(await ask('/readyz')).toMatchObject({ status: 503, json: { status: 'starting' } })
    operations.readiness.stage = 'ready'
    expect(await ask('/readyz')).toMatchObject({ status: 200 })
    expect(await ask('/healthz')).toMatchObject({ status: 200 })
    expect((await ask('/api/status')).status).toBe(404)
    expect(readExposition((await ask('/metrics')).text).has('weir_calls_total')).toBe(true)
    expect(await send('POST', `${operations.url}/metrics`)).toMatchObject({ status: 405 })
    await operations.close()
  })

  it('of several processes are one text: counts are added, states are not', async () => {
    const parts = [await weir.gateway.metrics.measured(), await weir.gateway.metrics.measured()]
    // As messages between processes are.
    const { joinMeasured } = await import('../../core/adapters/node.ts')
    const joined = readExposition(await joinMeasured(JSON.parse(JSON.stringify(parts)) as typeof parts))
    const alone = readExposition(await weir.gateway.metrics.text())
    expect(sum(joined, 'weir_processes')).toBe(2)
    expect(sum(joined, 'weir_calls_total')).toBe(2 * sum(alone, 'weir_calls_total'))
    expect(sum(joined, 'weir_storage_ready')).toBe(1)
    expect(sum(joined, 'weir_quota_per_unit')).toBe(sum(alone, 'weir_quota_per_unit'))
    expect([...joined.keys()].filter((name) => !alone.has(name))).toEqual([])
    expect([...alone.keys()].filter((name) => !joined.has(name))).toEqual([])
  })
})

describe('the line between processes', () => {
  it('carries questions and answers both ways, and who fails answers nothing', async () => {
    const heard: Record<'one' | 'other', ((message: unknown) => void)[]> = { one: [], other: [] }
    const end = (own: 'one' | 'other', far: 'one' | 'other') => ({
      connected: true,
      send: (message: unknown) => void setImmediate(() => heard[far].forEach((hear) => hear(message))),
      on: (_: 'message', hear: (message: unknown) => void) => void heard[own].push(hear),
    })
    const one = createWorkerLine(end('one', 'other'), async (question) => `one: ${question}`)
    const other = createWorkerLine(end('other', 'one'), (question) =>
      question === 'ready' ? Promise.reject(new Error('busy')) : Promise.resolve([question]),
    )
    expect(await Promise.all([one.ask('metrics'), one.ask('ready'), other.ask('metrics')])).toEqual([
      ['metrics'],
      undefined,
      'one: metrics',
    ])
  })
})
