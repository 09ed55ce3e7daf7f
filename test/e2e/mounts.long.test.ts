// Weir under a path of other people's servers, by the examples that show how: called, signed in to and opened as by their users.
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { openGateway } from '../../core/adapters/node.ts'
import { readConfig } from '../../core/adapters/read-config.ts'
import { browserOfWorker, type Browser } from '../support/browser.ts'
import { startExamples, type RunningExamples } from '../support/example.ts'
import { startRealtimeUpstream, type RealtimeUpstream } from '../support/realtime-upstream.ts'
import { createVisitor, send, sessionId } from '../support/server.ts'

const ROOT = { username: 'root', password: 'a root password' }
const REALTIME_MODEL = 'gpt-realtime'
const PAGE = 'The page of the application'
const HOSTS = ['express', 'fastify', 'koa', 'hono'] as const

let data = ''
let key = ''
let provider: RealtimeUpstream
let hosts: RunningExamples
let browser: Browser

beforeAll(async () => {
  ;[data, provider, browser] = await Promise.all([
    mkdtemp(join(tmpdir(), 'weir-mounts-')),
    startRealtimeUpstream(),
    browserOfWorker(),
  ])
  const filled = join(data, 'filled')
  const gateway = await openGateway(readConfig({ data: filled, log_level: 'silent' }, {}, false))
  const { client } = gateway
  await client.site.setup({ ...ROOT, confirmPassword: ROOT.password })
  await client.channels.create({ name: 'sandbox', type: 1000, models: 'sandbox-small' })
  await client.channels.create({ name: 'live', type: 1, key: 'k', base_url: provider.url, models: REALTIME_MODEL })
  key = `sk-${(await client.tokens.create({ name: 'mounts', unlimited_quota: true })).key}`
  await gateway.close()
  // Of one folder there is one gateway.
  const places = HOSTS.map((name) => [name, { WEIR_DATA: `${data}/${name}`, LOG_LEVEL: 'warn' }] as const)
  for (const [, { WEIR_DATA }] of places) await cp(filled, WEIR_DATA, { recursive: true })
  hosts = await startExamples(places)
}, 120_000)
afterAll(async () => {
  expect(await hosts.stop()).toEqual([0, null])
  await provider.close()
  await rm(data, { recursive: true, force: true })
})

describe.each(HOSTS)('under /ai of %s', (name) => {
  const host = { url: '' }
  beforeAll(() => void (host.url = `http://127.0.0.1:${hosts.ports[HOSTS.indexOf(name)]}`))

  it('an OpenAI client is answered, at once and streamed, and the application is as it was', async () => {
    const openai = new OpenAI({ baseURL: `${host.url}/ai/v1`, apiKey: key, maxRetries: 0 })
    const asked = { model: 'sandbox-small', messages: [{ role: 'user' as const, content: 'Good morning' }] }
    const whole = await openai.chat.completions.create(asked)
    expect(whole.choices[0]?.message.content).toContain('Good morning')
    let streamed = ''
    let pieces = 0
    for await (const { choices } of await openai.chat.completions.create({ ...asked, stream: true })) {
      streamed += choices[0]?.delta.content ?? ''
      pieces++
    }
    expect(streamed).toBe(whole.choices[0]?.message.content)
    expect(pieces).toBeGreaterThan(3)
    expect((await openai.models.list()).data.map(({ id }) => id)).toContain('sandbox-small')
    await expect(openai.models.retrieve('no-such-model')).rejects.toMatchObject({ status: 404 })
    expect(await send('GET', host.url)).toMatchObject({ status: 200, text: PAGE })
    expect((await send('GET', `${host.url}/aix`)).text).not.toContain('<div id="root">')
  })

  it('who signs in has a cookie for that path alone', async () => {
    const visitor = createVisitor(`${host.url}/ai`)
    const { headers } = await visitor.login(ROOT.username, ROOT.password)
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^weir_session=[\w-]{43}; path=\/ai; /),
      expect.stringMatching(/^weir_known=[\w-]{43}; path=\/ai; /),
    ])
    expect(await visitor.client.users.self()).toMatchObject({ username: 'root' })
    await visitor.client.auth.logout()
    expect(sessionId(visitor)).toBe('')
  })

  it('a WebSocket is a session with the provider', async () => {
    provider.session((socket) => socket.send(JSON.stringify({ type: 'session.created' })))
    const address = `${host.url.replace('http', 'ws')}/ai/v1/realtime?model=${REALTIME_MODEL}`
    const socket = new WebSocket(address, { headers: { authorization: `Bearer ${key}` } })
    const [message] = await once(socket, 'message')
    expect(JSON.parse(String(message))).toMatchObject({ type: 'session.created' })
    socket.close()
    await once(socket, 'close')
    const elsewhere = new WebSocket(address.replace('/ai/', '/'), { headers: { authorization: `Bearer ${key}` } })
    const [, refusal] = await once(elsewhere, 'unexpected-response')
    expect([200, 404]).toContain(refusal.statusCode)
    refusal.destroy()
  })
})

it.each(HOSTS)('the console opens, signs in and stays below the path of %s', async (name) => {
  const url = `http://127.0.0.1:${hosts.ports[HOSTS.findIndex((each) => each === name)]}`
  const opened = await browser.open(`${url}/ai/login`)
  const { page, complaints } = opened
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.locator('input[aria-label="Username or email"]').fill(ROOT.username)
  await page.locator('input[aria-label="Password"]').fill(ROOT.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).last().click()
  await page.waitForURL(`${url}/ai/token`)
  await page.getByText('mounts').first().waitFor()
  await page.reload()
  await page.getByText('mounts').first().waitFor()
  const cookies = (await page.context().cookies()).sort((a, b) => a.name.localeCompare(b.name))
  expect(cookies).toMatchObject(
    ['weir_known', 'weir_session'].map((cookie) => ({ name: cookie, path: '/ai', httpOnly: true })),
  )
  expect(asked.filter((path) => !path.startsWith('/ai/'))).toEqual([])
  expect(complaints).toEqual([])
  await page.goto(`${url}/ai`)
  await page.locator('header').first().waitFor()
  await opened.close()
})
