// How accounts come to be: registration, codes and links by mail, invitations; and what stops those who guess.
import { describe, expect, it } from 'vitest'
import { describeWithOwnGateway } from '../support/gateway.ts'
import { useMailServer } from '../support/mail-server.ts'
import { send } from '../support/server.ts'

const PASSWORD = 'a new password'

describeWithOwnGateway('an account', (weir) => {
  describe('an invitation', () => {
    it('rewards both once, and earnings move to the balance from one unit on', async () => {
      await weir.set('QuotaForInviter', 600_000)
      await weir.set('QuotaForInvitee', 1000)
      const ada = await weir.addVisitor()
      await weir.set('QuotaForNewUser', 50)
      const code = await ada.client.users.aff()
      expect(await ada.client.users.aff()).toBe(code)
      const form = { username: 'invited', password: PASSWORD, aff_code: code }
      expect((await weir.visitor().send('POST', '/api/user/register', { body: form })).json.success).toBe(true)
      const { user } = (await weir.gateway.ports.storage.users.findByLogin('invited'))!
      expect(user).toMatchObject({ quota: 1050, inviter_id: ada.user.id, role: 1 })
      expect(await ada.client.users.self()).toMatchObject({
        ...{ aff_count: 1, aff_quota: 600_000, aff_history_quota: 600_000, quota: 0 },
      })
      const move = async (quota: number) => (await ada.send('POST', '/api/user/aff_transfer', { body: { quota } })).json
      expect(await move(499_999)).toMatchObject({
        code: 'invitation.minimum',
        message: 'minimum transfer amount $1.00',
      })
      expect((await move(600_001)).code).toBe('invitation.short')
      expect((await move(-600_000)).success).toBe(false)
      const moves = await Promise.all([move(600_000), move(600_000), move(600_000)])
      expect(moves.filter(({ success }) => success)).toHaveLength(1)
      expect(await ada.client.users.self()).toMatchObject({ aff_quota: 0, aff_history_quota: 600_000, quota: 600_000 })
      expect((await weir.gateway.client.quota.verify()).ok).toBe(true)
    })

    it('by nobody, by somebody banned or by a code that is none gives nothing', async () => {
      await weir.set('QuotaForInviter', 600_000)
      const ada = await weir.addVisitor()
      const code = await ada.client.users.aff()
      await weir.changeUser(ada.user.id, { status: 2 })
      for (const [index, aff_code] of [code, 'nobody', ''].entries()) {
        const body = { username: `lonely${index}`, password: PASSWORD, aff_code }
        expect((await weir.visitor().send('POST', '/api/user/register', { body })).json.success).toBe(true)
      }
      expect(await weir.root.client.users.get({ id: ada.user.id })).toMatchObject({ aff_count: 0, aff_quota: 0 })
    })
  })

  describe('registration', () => {
    const register = async (body: object) => (await weir.visitor().send('POST', '/api/user/register', { body })).json
    const form = { username: 'somebody', password: PASSWORD, password2: PASSWORD }

    it('has its switches and limits', async () => {
      expect((await register({ ...form, username: ' ' })).code).toBe('user.limits')
      expect((await register({ ...form, username: 'thirteen chars' })).code).toBe('user.limits')
      expect((await register({ ...form, password: 'short', password2: 'short' })).code).toBe('user.limits')
      expect((await register({ ...form, password2: 'another one' })).code).toBe('setup.password_mismatch')
      expect((await register({ ...form, username: 'ROOT' })).code).toBe('user.name_taken')
      await weir.set('PasswordRegisterEnabled', false)
      expect((await register(form)).code).toBe('register.password_closed')
      await weir.set('RegisterEnabled', false)
      expect((await register(form)).code).toBe('register.closed')
    })

    it('E4: with mail, a code to the address is good once, after a few wrong ones never', async () => {
      const server = await useMailServer(weir)
      await weir.set('EmailVerificationEnabled', true)
      const nobody = weir.visitor()
      const ask = async (email: string) => {
        const headers = { 'new-api-user': '-1' }
        return (await nobody.send('GET', `/api/verification?email=${encodeURIComponent(email)}`, { headers })).json
      }
      const code = () => /\b[0-9a-f]{6}\b/.exec(server.mails.splice(0)[0]?.text ?? '')?.[0] ?? ''
      expect((await register(form)).code).toBe('register.email_needed')
      expect((await ask('nonsense')).code).toBe('email.invalid')
      await weir.set('EmailAliasRestrictionEnabled', true)
      expect((await ask('a+b@example.com')).code).toBe('email.alias')
      await weir.set('EmailDomainRestrictionEnabled', true)
      expect((await ask('ada@example.com')).code).toBe('email.domain')
      expect((await ask('ada@sub.gmail.com')).code).toBe('email.domain')

      expect((await ask('Ada@gmail.com')).success).toBe(true)
      const first = code()
      expect((await ask('Ada@gmail.com')).success).toBe(true)
      const second = code()
      const mine = { ...form, email: 'Ada@gmail.com' }
      expect((await register({ ...mine, verification_code: first })).code).toBe('verification.wrong')
      expect((await register({ ...mine, email: 'eve@gmail.com', verification_code: second })).code).toBe(
        'verification.wrong',
      )
      expect(await register({ ...mine, verification_code: second })).toMatchObject({ success: true })
      expect((await weir.gateway.ports.storage.users.findByLogin('ada@gmail.com'))?.user.username).toBe('somebody')
      await ask('bob@gmail.com')
      const right = code()
      const bob = { ...form, username: 'bob', email: 'bob@gmail.com' }
      for (let guess = 0; guess < 5; guess++) await register({ ...bob, verification_code: `00000${guess}` })
      expect((await register({ ...bob, verification_code: right })).code).toBe('verification.wrong')
      await server.close()
    })

    it('of an address by who is signed in: the code sent to it binds it, once', async () => {
      const server = await useMailServer(weir)
      const [ada, bob] = [await weir.addVisitor(), await weir.addVisitor()]
      await ada.client.auth.verification({ email: 'own@example.com' })
      const code = /\b[0-9a-f]{6}\b/.exec(server.mails.splice(0)[0]?.text ?? '')?.[0] ?? ''
      const bind = (who: typeof ada, query: string) => who.send('GET', `/api/oauth/email/bind?${query}`)
      for (const wrong of [`email=other@example.com&code=${code}`, 'email=own@example.com&code=000000']) {
        expect((await bind(ada, wrong)).json.code, wrong).toBe('verification.wrong')
      }
      expect((await bind(ada, `email=own@example.com&code=${code}`)).json).toMatchObject({ success: true, data: null })
      expect((await ada.client.users.self()).email).toBe('own@example.com')
      expect((await bind(bob, `email=own@example.com&code=${code}`)).json.success).toBe(false)
      await server.close()
    })

    it('says so where no mail can be sent', async () => {
      const headers = { 'new-api-user': '-1' }
      const { json } = await weir.visitor().send('GET', '/api/verification?email=x@example.com', { headers })
      expect(json.code).toBe('mail.none')
    })
  })

  describe('an address', () => {
    it('is bound by the code that was mailed to it, once, to one account', async () => {
      const server = await useMailServer(weir)
      const [ada, eve] = [await weir.addVisitor(), await weir.addVisitor({ patch: { email: 'eve@example.com' } })]
      const bind = async (who: typeof ada, email: string, code: string) =>
        (await who.send('GET', `/api/oauth/email/bind?${new URLSearchParams({ email, code })}`)).json.code
      const mailed = async (email: string) => {
        const { json } = await ada.send('GET', `/api/verification?email=${email}`)
        return json.code ?? /\b[0-9a-f]{6}\b/.exec(server.mails.splice(0)[0]?.text ?? '')?.[0] ?? ''
      }
      const code = await mailed('Ada@example.com')
      expect(await bind(ada, 'other@example.com', code)).toBe('verification.wrong')
      expect(await bind(ada, 'Ada@example.com', 'ffffff')).toBe('verification.wrong')
      expect(await bind(weir.visitor() as typeof ada, 'Ada@example.com', code)).toBe('access.header_required')
      expect(await bind(ada, 'ada@example.com', ` ${code} `)).toBeUndefined()
      expect((await ada.client.users.self()).email).toBe('ada@example.com')
      expect(await bind(eve, 'ada@example.com', code)).toBe('verification.wrong')
      const late = await mailed('late@example.com')
      await weir.gateway.ports.storage.verifications.deleteExpired(Math.floor(Date.now() / 1000) + 601)
      expect(await bind(ada, 'late@example.com', late)).toBe('verification.wrong')
      await server.close()
    })
  })

  describe('a reset', () => {
    it('E4: mails a link that gives one new password, and ends every session', async () => {
      const server = await useMailServer(weir)
      await weir.set('ServerAddress', 'https://weir.example/')
      const ada = await weir.addVisitor({ patch: { email: 'grace@example.com' } })
      const ask = async (email: string) =>
        (await weir.visitor().send('GET', `/api/reset_password?email=${email}`, { headers: { 'new-api-user': '-1' } }))
          .json
      expect(await ask('Grace@example.com')).toEqual(await ask('nobody@example.com'))
      while (server.mails.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
      const [mail] = server.mails
      expect(mail?.to).toEqual(['grace@example.com'])
      const link = new URL(/https:\S+/.exec(mail?.text ?? '')?.[0] ?? '')
      expect(link.origin + link.pathname).toBe('https://weir.example/user/reset')
      const [email, token] = [link.searchParams.get('email'), link.searchParams.get('token')]
      const reset = async (body: object) => (await weir.visitor().send('POST', '/api/user/reset', { body })).json
      for (const wrong of [
        { email, token: 'x' },
        { email: 'other@example.com', token },
        { email },
        { email, token: '' },
      ]) {
        expect((await reset(wrong)).code).toBe('reset.invalid')
      }
      const { data } = await reset({ email, token })
      expect(data).toMatch(/^\w{12}$/)
      expect((await reset({ email, token })).code).toBe('reset.invalid')
      expect((await ada.send('GET', '/api/user/self')).status).toBe(401)
      expect((await weir.visitor().login('grace@example.com', data)).json.success).toBe(true)
      expect(server.mails).toHaveLength(1)
      await server.close()
    })
  })

  describe('a limit', () => {
    const limit = (rates: object) => weir.set('ApiRateLimits', rates)
    const off = { api: [0, 60] }

    it('on the API as a whole counts everybody but this machine', async () => {
      await limit({ ...off, api: [2, 60] })
      const headers = { 'x-forwarded-for': '203.0.113.1' }
      const ask = async () => (await send('GET', `${weir.url}/api/status`, { headers })).status
      expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429])
      expect((await send('GET', `${weir.url}/api/status`)).status).toBe(200)
    })
  })
})
