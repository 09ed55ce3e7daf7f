// Signing in and out, and how long what somebody proved is worth something.
import { expect, it, vi } from 'vitest'
import { describeWithGateway, ROOT } from '../support/gateway.ts'
import { createVisitor, send } from '../support/server.ts'

describeWithGateway('a session', (weir) => {
  it('E5: is a cookie that scripts cannot read and other sites cannot send', async () => {
    const { headers, json } = await weir.visitor().login(ROOT.username, ROOT.password)
    expect(json.data).toEqual({
      id: weir.rootId,
      username: ROOT.username,
      display_name: 'Root User',
      role: 100,
      status: 1,
      group: 'default',
    })
    const cookie = [headers['set-cookie']].flat().join()
    expect(cookie).toMatch(/^weir_session=[\w-]{43};/)
    expect(cookie).toMatch(/; path=\/;/i)
    expect(cookie).toMatch(/; httponly/i)
    expect(cookie).toMatch(/; samesite=(lax|strict)/i)
    const expires = Date.parse(/expires=([^;]+)/i.exec(cookie)?.[1] ?? '')
    expect(Math.abs(expires - Date.now() - 30 * 24 * 3600 * 1000)).toBeLessThan(60_000)
  })

  it('names its user on every request, and nobody else', async () => {
    const cookie = weir.root.cookie()
    const other = await weir.addVisitor()
    const ask = (headers: Record<string, string>) => send('GET', `${weir.url}/api/user/self`, { headers })
    expect((await ask({ cookie, 'new-api-user': String(weir.rootId) })).json.data.id).toBe(weir.rootId)
    for (const claimed of ['', 'x', '-1', `${weir.rootId}.0`, ` ${weir.rootId}1`, String(other.user.id)]) {
      const { status, json } = await ask({ cookie, 'new-api-user': claimed })
      expect(status, claimed).toBe(401)
      expect(json.code, claimed).toBe('access.user_mismatch')
    }
    expect((await ask({ cookie })).status).toBe(401)
    // The header alone is nobody.
    expect((await ask({ 'new-api-user': String(weir.rootId) })).status).toBe(401)
  })

  it('E5: is given a new id at every login, whatever was planted', async () => {
    const { user, password } = await weir.addUser()
    const planted = `weir_session=${'p'.repeat(43)}`
    const answer = await send('POST', `${weir.url}/api/user/login`, {
      headers: { cookie: planted },
      body: { username: user.username, password },
    })
    expect(answer.json.success).toBe(true)
    expect(String(answer.headers['set-cookie'])).not.toContain(planted)
    const headers = { cookie: planted, 'new-api-user': String(user.id) }
    expect((await send('GET', `${weir.url}/api/user/self`, { headers })).status).toBe(401)
  })

  it('ends with logout, also for who kept the cookie', async () => {
    const visitor = await weir.addVisitor()
    const headers = { cookie: visitor.cookie(), 'new-api-user': String(visitor.user.id) }
    const self = () => send('GET', `${weir.url}/api/user/self`, { headers })
    expect((await self()).status).toBe(200)
    expect((await visitor.send('GET', '/api/user/logout')).json).toMatchObject({ success: true })
    expect((await self()).status).toBe(401)
  })

  it('does not outlive a ban or a demotion', async () => {
    const visitor = await weir.addVisitor({ patch: { role: 10 } })
    const list = async () => (await visitor.send('GET', '/api/user/')).json
    expect((await list()).success).toBe(true)
    await weir.changeUser(visitor.user.id, { role: 1 })
    expect((await list()).code).toBe('access.forbidden')
    await weir.changeUser(visitor.user.id, { role: 10, status: 2 })
    expect((await list()).code).toBe('access.banned')
  })
})

describeWithGateway('a login', (weir) => {
  it('E4: fails alike for a wrong password, an unknown user and a banned one', async () => {
    const { user } = await weir.addUser()
    const banned = await weir.addUser({ patch: { status: 2 } })
    const answers = await Promise.all([
      weir.visitor().login(user.username, 'a wrong password'),
      weir.visitor().login('nobody', 'a wrong password'),
      weir.visitor().login(banned.user.username, banned.password),
      weir.visitor().login("' or '1'='1", "' or '1'='1"),
    ])
    for (const { status, json, headers } of answers) {
      expect(status).toBe(200)
      expect(json).toEqual({
        success: false,
        message: 'Username or password is wrong, or the user has been banned',
        code: 'login.failed',
      })
      expect(headers['set-cookie']).toBeUndefined()
    }
    // What no account can be called is said to be that.
    const odd = await weir.visitor().login(`${user.username}\u0000`, 'a wrong password')
    expect(odd.json).toMatchObject({ success: false, code: 'field.unstorable' })
    expect(odd.headers['set-cookie']).toBeUndefined()
  })

  it('E4: does the same work for an unknown user and a banned one as for a wrong password', async () => {
    const [{ user }, banned] = [await weir.addUser(), await weir.addUser({ patch: { status: 2 } })]
    const compare = vi.spyOn(weir.gateway.ports.secrets, 'verifyPassword')
    const names = [user.username, 'nobody-here', 'nobody@here.example', banned.user.username]
    for (const name of names) await weir.visitor().login(name, 'a wrong password')
    // What it is compared to costs the same, usable or not (test/storage/secrets.test.ts).
    expect(compare.mock.calls.map(([password]) => password)).toEqual(names.map(() => 'a wrong password'))
    compare.mockRestore()
  })

  it('asks for both fields, and can be closed', async () => {
    expect((await weir.visitor().login('', 'x')).json.code).toBe('login.missing')
    expect((await weir.visitor().login(ROOT.username, '')).json.code).toBe('login.missing')
    await weir.set('GitHubClientId', 'another way in')
    await weir.set('GitHubOAuthEnabled', true)
    await weir.set('PasswordLoginEnabled', false)
    expect((await weir.visitor().login(ROOT.username, ROOT.password)).json.code).toBe('login.closed')
  })

  it.each([{ username: { $ne: '' } }, { username: ['root'] }, { username: true }])('refuses %j', async (odd) => {
    const { json } = await weir.visitor().send('POST', '/api/user/login', { body: { password: 'x', ...odd } })
    expect(json).toMatchObject({ success: false, code: 'request.invalid' })
  })
})

describeWithGateway('an access token', (weir) => {
  it('stands for its user until a new one is made, and is no API key', async () => {
    const visitor = await weir.addVisitor()
    const first = await visitor.client.users.accessToken()
    const machine = createVisitor(weir.url, { accessToken: first })
    expect((await machine.client.users.self()).id).toBe(visitor.user.id)
    const mismatch = await machine.send('GET', '/api/user/self', { headers: { 'new-api-user': String(weir.rootId) } })
    expect(mismatch.status).toBe(401)
    expect((await machine.send('GET', '/v1/models')).status).toBe(401)

    const second = await visitor.client.users.accessToken()
    expect(second).not.toBe(first)
    expect((await machine.send('GET', '/api/user/self')).json.code).toBe('access.token_invalid')
    const banned = createVisitor(weir.url, { accessToken: second })
    await weir.changeUser(visitor.user.id, { status: 2 })
    expect((await banned.send('GET', '/api/user/self')).json.code).toBe('access.banned')
  })
})
