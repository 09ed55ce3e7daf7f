// Two gateways on one PostgreSQL: what an administrator does at one holds at the other, for sessions and API tokens that are in
// use there. They share this test's process and nothing else; test/e2e/workers.test.ts has processes of the built program.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/gateway.ts'
import { migratedDatabase } from '../support/postgres.ts'
import { createVisitor, send, startTestServer, type TestServer, type Visitor } from '../support/server.ts'
import { chatReply, startUpstream, type TestUpstream } from '../support/upstream.ts'

const PASSWORD = 'a good password'
const MODEL = 'gpt-4o-mini'

let here: TestServer
let there: TestServer
let upstream: TestUpstream
let root: Visitor

beforeAll(async () => {
  const database = await migratedDatabase()
  upstream = await startUpstream()
  upstream.reply(chatReply('Hello', { prompt_tokens: 1, completion_tokens: 1 }))
  here = await startTestServer({ database })
  there = await startTestServer({ database })
  await here.gateway.client.site.setup({ username: 'root', password: PASSWORD, confirmPassword: PASSWORD })
  root = createVisitor(here.url)
  await root.login('root', PASSWORD)
  const limits = Object.fromEntries(['api', 'login', 'login_failures'].map((name) => [name, [0, 60]]))
  await root.client.settings.update({ key: 'ApiRateLimits', value: JSON.stringify(limits) })
  await root.client.settings.update({ key: 'QuotaForNewUser', value: '100000000' })
  const key = 'k'
  await root.client.channels.create({ name: 'all', type: 1, key, base_url: upstream.url, models: MODEL })
  await root.client.channels.create({ name: 'vip', type: 1, key, base_url: upstream.url, models: 'o1', group: 'vip' })
}, 120_000)
afterAll(() => Promise.all([here.close(), there.close(), upstream.close()]))

let names = 0

/** A user signed in at the other process, with an API token that has been used there. */
async function inUseThere() {
  const username = `user${(names += 1)}`
  await root.client.users.create({ username, password: PASSWORD })
  const visitor = createVisitor(there.url)
  const id: number = (await visitor.login(username, PASSWORD)).json.data.id
  const token = await visitor.client.tokens.create({ name: 'laptop', unlimited_quota: true })
  const chat = async (model = MODEL) =>
    (
      await send('POST', `${there.url}/v1/chat/completions`, {
        headers: { authorization: `Bearer sk-${token.key}` },
        body: { model, messages: [{ role: 'user', content: 'Hello' }] },
      })
    ).status
  expect(await eventually(chat, (status) => status === 200)).toBe(200)
  const self = async () => (await visitor.send('GET', '/api/user/self')).json
  expect((await self()).success).toBe(true)
  return { id, visitor, chat, self, token }
}

/** What is cached there is dropped when the database tells of the change. */
const soon = (look: () => Promise<number>, wanted: number) => eventually(look, (status) => status === wanted)

describe('what happens at one process holds at the other', () => {
  it('a ban: the session is over with its next request, the API token at once', async () => {
    const ada = await inUseThere()
    await root.client.users.manage({ id: ada.id, action: 'disable' })
    expect((await ada.visitor.send('GET', '/api/user/self')).status).toBe(401)
    await soon(ada.chat, 403)
    await root.client.users.manage({ id: ada.id, action: 'enable' })
    await soon(ada.chat, 200)
    expect((await ada.visitor.send('GET', '/api/user/self')).status).toBe(401)
  })

  it('a removal of the account', async () => {
    const ada = await inUseThere()
    await root.client.users.delete({ id: ada.id })
    expect((await ada.visitor.send('GET', '/api/user/self')).status).toBe(401)
    expect(await eventually(ada.chat, (status) => status !== 200)).toBeOneOf([401, 403])
  })

  it('a sign-in by a short code: asked for at one, allowed at the other, fetched at the first', async () => {
    const nobody = createVisitor(here.url).client.devices
    const ada = await inUseThere()
    const { device_code, user_code } = await nobody.begin({ name: 'a terminal' })
    await ada.visitor.client.devices.answer({ user_code, allow: true })
    const { token, username } = await nobody.token({ device_code })
    const self = await createVisitor(there.url, { accessToken: token }).client.users.self()
    expect([self.id, self.username]).toEqual([ada.id, username])
  })

  it('a demotion and a promotion', async () => {
    const ada = await inUseThere()
    const list = async () => (await ada.visitor.send('GET', '/api/user/')).json
    await root.client.users.manage({ id: ada.id, action: 'promote' })
    expect((await list()).success).toBe(true)
    await root.client.users.manage({ id: ada.id, action: 'demote' })
    expect((await list()).code).toBe('access.forbidden')
  })

  it('another group', async () => {
    const ada = await inUseThere()
    expect(await ada.chat('o1')).not.toBe(200)
    await root.client.users.update({ id: ada.id, group: 'vip' })
    expect((await ada.self()).data.group).toBe('vip')
    await soon(() => ada.chat('o1'), 200)
    await root.client.users.update({ id: ada.id, group: 'default' })
    expect((await ada.self()).data.group).toBe('default')
    expect(
      await eventually(
        () => ada.chat('o1'),
        (status) => status !== 200,
      ),
    ).toBeGreaterThanOrEqual(400)
  })

  it('another password, set by the administrator or by who signs in elsewhere', async () => {
    const ada = await inUseThere()
    await root.client.users.update({ id: ada.id, password: 'another password' })
    expect((await ada.visitor.send('GET', '/api/user/self')).status).toBe(401)
    const bob = await inUseThere()
    const { username } = (await bob.self()).data
    const again = createVisitor(here.url)
    await again.login(username, PASSWORD)
    await again.client.users.updateSelf({ original_password: PASSWORD, password: 'another password' })
    expect((await bob.visitor.send('GET', '/api/user/self')).status).toBe(401)
    expect((await again.client.users.self()).username).toBe(username)
  })

  it('the end of a session, of an access token, of an API token', async () => {
    const ada = await inUseThere()
    const { username } = (await ada.self()).data
    const again = createVisitor(here.url)
    await again.login(username, PASSWORD)
    const access = createVisitor(there.url, { accessToken: await again.client.users.accessToken() })
    expect((await access.client.users.self()).username).toBe(username)
    const listed = await again.client.users.sessions()
    expect(listed.map(({ current }) => current).sort()).toEqual([false, true])
    await again.client.users.endSessions()
    expect((await ada.visitor.send('GET', '/api/user/self')).status).toBe(401)
    await again.client.users.revokeAccessToken()
    expect((await access.send('GET', '/api/user/self')).json.code).toBe('access.token_invalid')
    await again.client.tokens.delete({ id: ada.token.id })
    await soon(ada.chat, 401)
  })

  it('a setting, and counting towards a limit', async () => {
    await root.client.settings.update({ key: 'Notice', value: 'closed on Sunday' })
    const notice = async () => (await send('GET', `${there.url}/api/notice`)).json.data
    expect(await eventually(notice, (text) => text !== '')).toBe('closed on Sunday')
    const limits = { api: [0, 60], login: [3, 60], login_failures: [0, 60] }
    await root.client.settings.update({ key: 'ApiRateLimits', value: JSON.stringify(limits) })
    await root.client.settings.update({ key: 'About', value: 'known everywhere' })
    const about = async () => (await send('GET', `${there.url}/api/about`)).json.data
    await eventually(about, (text) => text === 'known everywhere')
    const statuses: number[] = []
    for (const { url } of [here, there, here, there]) {
      statuses.push((await createVisitor(url).login('nobody', PASSWORD)).status)
    }
    expect(statuses).toEqual([200, 200, 200, 429])
  })
})
