// Who knew a password keeps nothing of it when it changes.
import { expect, it } from 'vitest'
import { describeBothGateways } from '../support/gateway.ts'

describeBothGateways('a new password', (weir) => {
  it('ends the access token and the other sessions, whoever sets it and however', async () => {
    const mailed = async (username: string) => {
      const { storage } = weir.gateway.ports
      const { user } = (await storage.users.findByLogin(username))!
      await weir.changeUser(user.id, { email: `${username}@example.com` })
      await storage.verifications.put(
        'reset',
        `${username}@example.com`,
        'the token',
        Math.floor(Date.now() / 1000) + 60,
      )
      const body = { email: `${username}@example.com`, token: 'the token' }
      return weir.visitor().send('POST', '/api/user/reset', { body })
    }
    type Known = Awaited<ReturnType<typeof weir.addVisitor>>
    const ways = {
      'by themselves': ({ send, password }: Known) =>
        send('PUT', '/api/user/self', { body: { password: 'another one', original_password: password } }),
      'by an administrator': ({ user }: Known) =>
        weir.root.send('PUT', '/api/user/', { body: { id: user.id, password: 'another one' } }),
      'by a mailed link': ({ user }: Known) => mailed(user.username),
    }
    for (const [way, change] of Object.entries(ways)) {
      const ada = await weir.addVisitor()
      const elsewhere = weir.visitor()
      await elsewhere.login(ada.user.username, ada.password)
      const machine = weir.visitor({ accessToken: await ada.client.users.accessToken() })
      const can = async () => [
        (await machine.send('GET', '/api/user/self')).json.success,
        (await elsewhere.send('GET', '/api/user/self')).json.success,
      ]
      expect(await can(), way).toEqual([true, true])
      expect((await change(ada)).json.success, way).toBe(true)
      expect(await can(), way).toEqual([false, false])
    }
  })
})
