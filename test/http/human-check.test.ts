// Turnstile before sign-in, registration and mails, against a stand-in of its verifying server.
import { expect, it } from 'vitest'
import { startElsewhere } from '../support/elsewhere.ts'
import { describeWithOwnGateway } from '../support/gateway.ts'
import type { Visitor } from '../support/server.ts'

const anybody = { headers: { 'new-api-user': '-1' } }
const TURNSTILE = { site: 'the site key', secret: 'the secret key' }

/** What people who passed were given; each good once. */
const passed = new Set<string>()

const elsewhere = startElsewhere({
  'challenges.cloudflare.com': ({ path, text }) => {
    const form = new URLSearchParams(text)
    if (path !== '/turnstile/v0/siteverify') return { status: 404, body: '' }
    if (form.get('secret') !== TURNSTILE.secret)
      return { body: { success: false, 'error-codes': ['invalid-input-secret'] } }
    const human = passed.delete(form.get('response') ?? '')
    return { body: human ? { success: true } : { success: false, 'error-codes': ['timeout-or-duplicate'] } }
  },
})

describeWithOwnGateway(
  'the human check',
  (weir) => {
    it('stands before sign-in, registration and mails; a token is good once, its browser for a while', async () => {
      const { user, password } = await weir.addUser()
      await weir.set('AllowedNetworks', ['127.0.0.0/8'])
      await weir.set('TurnstileSiteKey', TURNSTILE.site)
      await weir.set('TurnstileSecretKey', TURNSTILE.secret)
      await weir.set('TurnstileCheckEnabled', true)
      const login = async (visitor: Visitor, token: string) => {
        const body = { username: user.username, password }
        return (await visitor.send('POST', `/api/user/login?turnstile=${token}`, { body })).json
      }
      const visitor = weir.visitor()
      expect((await login(visitor, '')).code).toBe('human.missing')
      expect((await login(visitor, 'made-up')).code).toBe('human.failed')
      const register = { username: 'robot', password: 'a password' }
      expect((await visitor.send('POST', '/api/user/register', { body: register })).json.code).toBe('human.missing')
      const mails = { '/api/verification': 'human.missing', '/api/reset_password': 'human.missing_reset' }
      for (const [path, code] of Object.entries(mails)) {
        expect((await visitor.send('GET', `${path}?email=a@example.com`, anybody)).json.code, path).toBe(code)
      }
      passed.add('good')
      expect((await login(visitor, 'good')).success).toBe(true)
      expect(elsewhere.seen.at(-1)?.text).toContain('remoteip=127.0.0.1')
      // Replayed by another browser; asked of this one again.
      expect((await login(weir.visitor(), 'good')).code).toBe('human.failed')
      expect((await login(visitor, '')).success).toBe(true)
      await weir.set('TurnstileSecretKey', 'a wrong one')
      passed.add('better')
      const zh = { headers: { 'accept-language': 'zh' }, body: { username: user.username, password } }
      const refused = await weir.visitor().send('POST', '/api/user/login?turnstile=better', zh)
      expect(refused.json).toMatchObject({ code: 'human.failed', message: expect.stringMatching(/[一-鿿]/) })
    })
  },
  { web: elsewhere.web },
)
