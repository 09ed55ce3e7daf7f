// Every endpoint, asked as everybody: allowed exactly where it is declared. That the declarations are those of the
// specification is checked by the table of calls.
import { expect, it } from 'vitest'
import { endpointsByName } from '../../core/contracts.ts'
import { describeWithOwnGateway } from '../support/gateway.ts'
import { createVisitor } from '../support/server.ts'
import { pickInTurn, runsAllTests } from '../support/suite.ts'

const RANK = { public: 0, user: 1, admin: 10, root: 100 }
/** What is asked last: it ends the session, the token or the account of who asks. */
const ENDS = ['users.revokeAccessToken', 'users.endSessions', 'auth.logout', 'users.deleteSelf']

describeWithOwnGateway('every endpoint', (weir) => {
  it('is open to exactly the roles it is declared for', { timeout: 120_000 }, async () => {
    const askers = [
      { role: 0, asker: weir.visitor() },
      { role: 1, asker: await weir.addVisitor() },
      { role: 10, asker: await weir.addVisitor({ patch: { role: 10 } }) },
      { role: 100, asker: weir.visitor() },
    ]
    await askers[3]!.asker.login('root', 'a root password')
    const order = [...endpointsByName].sort(([a], [b]) => ENDS.indexOf(a) - ENDS.indexOf(b))
    /** In `npm test` the roles on both sides of the border; nobody at all is refused in api.test.ts, too. */
    const isAsked = (role: number, needed: number) =>
      runsAllTests ||
      role === needed ||
      role === Math.max(...askers.map((each) => each.role).filter((each) => each < needed))
    for (const { role, asker } of askers) {
      for (const [name, { method, path, access, changes, body }] of order) {
        if (!isAsked(role, RANK[access])) continue
        const place = path.replace(/\{\w+\}/g, '999999')
        for (const way of changes ? [method, 'POST'] : [method]) {
          const headers: Record<string, string> = role === 0 ? { 'new-api-user': '-1' } : {}
          const asked = { headers, ...(body || way === 'POST' ? { body: {} } : {}) }
          const { status, json } = await asker.send(way, place, asked)
          const code: string = json?.code ?? ''
          const said = `${way} ${name} as ${role}: ${status} ${code}`
          if (role >= RANK[access]) {
            // The last of them may have ended the session already, which the second way then sees.
            if (!ENDS.includes(name)) {
              expect(['access.login_required', 'access.forbidden', 'access.banned'], said).not.toContain(code)
            }
            expect(status, said).toBeLessThan(500)
          } else {
            expect(json?.success, said).toBe(false)
            expect(code, said).toBe(role === 0 ? 'access.login_required' : 'access.forbidden')
            expect(status, said).toBe(role === 0 ? 401 : 200)
          }
        }
      }
    }
    // The super administrator ended all sessions.
    await weir.root.login('root', 'a root password')
  })

  it('is closed to who was banned, by session and by access token', async () => {
    const banned = await weir.addVisitor({ patch: { role: 10 } })
    const machine = createVisitor(weir.url, { accessToken: await banned.client.users.accessToken() })
    await weir.changeUser(banned.user.id, { status: 2 })
    const guarded = [...endpointsByName].filter(([, { access }]) => access !== 'public')
    for (const [turn, [name, { method, path }]] of guarded.entries()) {
      for (const asker of pickInTurn([banned, machine], turn, 1)) {
        const headers = { 'new-api-user': String(banned.user.id) }
        const { json } = await asker.send(method, path.replace(/\{\w+\}/g, '1'), { headers, body: {} })
        expect(json.code, name).toBe('access.banned')
      }
    }
  })

  it('that changes something by GET needs the header, and a page of the same site', async () => {
    const ada = await weir.addVisitor()
    for (const [name, { path, access, changes }] of endpointsByName) {
      if (!changes) continue
      const place = path.replace(/\{\w+\}/g, '999999')
      const cookie = { cookie: ada.cookie() }
      const own = { ...cookie, 'new-api-user': String(ada.user.id) }
      const ask = async (method: string, headers: Record<string, string>) =>
        (await weir.visitor().send(method, place, { headers })).json
      expect((await ask('GET', cookie)).code, name).toBe('access.header_required')
      expect((await ask('GET', {})).code, name).toBe('access.header_required')
      expect((await ask('GET', { ...own, 'sec-fetch-site': 'cross-site' })).code, name).toBe('access.cross_site')
      expect((await ask('POST', { ...own, 'sec-fetch-site': 'cross-site' })).code, name).toBe('access.cross_site')
      expect((await ask('POST', cookie)).code, name).toBe('access.user_mismatch')
      // The twin is there: what refuses now is about the caller or the input, not about the path.
      if (name !== 'auth.logout' && RANK[access] <= RANK.user) {
        const twin = await ask('POST', { ...own, 'content-type': 'application/json' })
        expect(['request.unknown_path', 'access.header_required'], name).not.toContain(twin.code)
      }
    }
  })
})
