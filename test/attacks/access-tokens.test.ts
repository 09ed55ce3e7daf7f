// Access tokens permit only their scope, until they expire.
import { expect, it } from 'vitest'
import { ACCESS_TOKEN_SCOPES } from '../../core/contract/endpoint.ts'
import { toRules } from '../../core/contract/field.ts'
import { endpointsByName } from '../../core/contracts.ts'
import { describeWithGateway } from '../support/gateway.ts'

const asked = [...endpointsByName].filter(([, { access }]) => access !== 'public')

/** Names of all properties that a reply can have, however deep. */
function propertiesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const own = 'properties' in schema ? Object.keys(schema.properties as object) : []
  return [...own, ...Object.values(schema).flatMap(propertiesIn)]
}

it('to read with changes nothing and shows no secret', () => {
  const reading = asked.filter(([, { scope }]) => scope === 'usage' || scope === 'read')
  const changing = reading.filter(([, { method, changes }]) => method !== 'GET' || changes).map(([name]) => name)
  // It ends itself; the others only say what goes with a change, what an amount costs, and when a rule would have told.
  expect(changing).toEqual(['users.endThisAccessToken', 'channels.consequences', 'topups.amount', 'alerts.preview'])
  const telling = reading.flatMap(([name, { reply }]) =>
    propertiesIn(toRules(reply, 'output'))
      .filter((property) => /^(key|token|code)$|secret|password/.test(property))
      .map((property) => `${name}: ${property}`),
  )
  // The ends of keys, how a key looks, why a try failed, how many calls the keys failed, what became of a drawing, the names of settings, a public key, and whether what is posted is signed.
  const harmless = [
    'auth.bindings: has_password',
    'channels.keys: key',
    'channels.types: key',
    'logs.explain: code',
    'logs.explainSelf: code',
    'bodies.list: key',
    'usage.query: key',
    'usage.querySelf: key',
    'tasks.drawings: code',
    'tasks.drawingsSelf: code',
    'settings.list: key',
    'state.managed: key',
    'alerts.list: has_secret',
  ]
  expect([...new Set(telling)]).toEqual(harmless)
})

describeWithGateway('an access token', (weir) => {
  it('does what its scope includes, and nothing else', { timeout: 60_000 }, async () => {
    for (const [index, scope] of ACCESS_TOKEN_SCOPES.entries()) {
      const { token } = await weir.root.client.users.createAccessToken({ name: scope, scope })
      const machine = weir.visitor({ accessToken: token })
      for (const [name, { method, path, scope: needed, changes }] of asked) {
        // What it may is not done here: it would end what is asked with (test/core/contract/permission.test.ts does it).
        if (ACCESS_TOKEN_SCOPES.indexOf(needed ?? 'all') <= index) continue
        for (const way of changes ? [method, 'POST'] : [method]) {
          const headers = { 'new-api-user': String(weir.rootId) }
          const { json } = await machine.send(way, path.replace(/\{\w+\}/g, '1'), { headers, body: {} })
          expect(json, `${way} ${name} with ${scope}`).toMatchObject({ success: false, code: 'access.scope' })
        }
      }
      expect((await machine.client.usage.querySelf({})).rows).toBeDefined()
      if (scope === 'usage') continue
      expect((await machine.client.users.self()).id).toBe(weir.rootId)
      expect(await machine.client.channels.list({})).toBeDefined()
    }
  })

  it('tells what it is, and ends itself, whatever it is for', async () => {
    for (const scope of ACCESS_TOKEN_SCOPES) {
      const ada = await weir.addVisitor()
      const { token, ...made } = await ada.client.users.createAccessToken({ name: scope, scope })
      await ada.client.users.createAccessToken({ name: 'another', scope })
      const machine = weir.visitor({ accessToken: token })
      expect(await machine.client.users.thisAccessToken()).toEqual({ ...made, used_time: expect.any(Number) as number })
      await machine.client.users.endThisAccessToken()
      expect((await machine.send('GET', '/api/user/self')).json.code).toBe('access.token_invalid')
      expect((await ada.client.users.accessTokens()).map(({ name }) => name)).toEqual(['another'])
      await expect(ada.client.users.endThisAccessToken()).rejects.toMatchObject({ code: 'access_token.missing' })
    }
  })

  it('is listed without its text, says when it was used, and ends when it is deleted or its time comes', async () => {
    const ada = await weir.addVisitor()
    const soon = Math.floor(Date.now() / 1000) + 3600
    const made = await ada.client.users.createAccessToken({ name: 'a script', scope: 'relay', expired_time: soon })
    expect(made).toMatchObject({ name: 'a script', scope: 'relay', expired_time: soon, used_time: 0 })
    const machine = weir.visitor({ accessToken: made.token })
    expect((await machine.client.users.self()).id).toBe(ada.user.id)
    const list = await ada.send('GET', '/api/user/access_tokens')
    expect(list.text).not.toContain(made.token)
    expect(list.json.data).toEqual([{ ...made, token: undefined, used_time: expect.any(Number) }])
    expect(list.json.data[0].used_time).toBeGreaterThan(soon - 3700)
    const eve = await weir.addVisitor()
    const remove = async (who: typeof ada) => (await who.send('DELETE', `/api/user/access_tokens/${made.id}`)).json.code
    expect(await remove(eve)).toBe('access_token.missing')
    const { storage } = weir.gateway.ports
    const late = { name: 'late', scope: 'all', created_time: 1, expired_time: 2 } as const
    const hash = weir.gateway.ports.secrets.hash('late')
    await storage.accessTokens.insert({ ...late, user_id: ada.user.id, token_hash: hash })
    expect((await weir.visitor({ accessToken: 'late' }).send('GET', '/api/user/self')).json.code).toBe(
      'access.token_invalid',
    )
    expect(await remove(ada)).toBeUndefined()
    expect((await machine.send('GET', '/api/user/self')).json.code).toBe('access.token_invalid')
  })
})
