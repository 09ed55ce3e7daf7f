// Mail through a real SMTP server.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMailer } from '../../../core/adapters/smtp.ts'
import { GatewayError } from '../../../core/errors.ts'
import { resetMail, buildVerificationMail } from '../../../core/notify/message.ts'
import { startMailServer, type MailServer } from '../../support/mail-server.ts'

let server: MailServer
beforeAll(async () => {
  server = await startMailServer({ user: 'weir', pass: 'mail password' }, { refused: ['gone@example.com'] })
})
afterAll(() => server.close())

const through = (fields: object = {}) => ({
  ...{ host: '127.0.0.1', port: server.port, account: 'weir', password: 'mail password' },
  ...{ tls: false, any_certificate: false, ...fields },
})
const from = { name: 'Weir', address: 'weir@example.com' }
const about = { to: 'ada@example.com', system: 'Weir <&>', minutes: 10 } as const

describe('a mail', () => {
  test('arrives with its words as HTML and as text', async () => {
    const { to, ...message } = buildVerificationMail({ ...about, language: 'en', code: 'a1b2c3' })
    await createMailer().send({ from, to: [to], ...message }, through())
    const [mail] = server.mails.splice(0)
    expect(mail).toMatchObject({ from: 'weir@example.com', to: ['ada@example.com'] })
    expect(mail?.text).toContain('a1b2c3')
    expect(mail?.raw).toMatch(/^From: Weir <weir@example\.com>$/m)
    expect(mail?.raw).toMatch(/^Message-ID: <[^@]+@example\.com>/m)
    expect(message.html).toContain('<strong>a1b2c3</strong>')
    expect(message.html).toContain('Weir &lt;&amp;&gt;')
  })

  test('speaks the language of who gets it', () => {
    const link = 'https://weir.example/user/reset?email=a%40b&token=t'
    expect(resetMail({ ...about, language: 'zh', link }).subject).toContain('密码重置')
    expect(resetMail({ ...about, language: 'en', link }).html).toContain('email=a%40b&amp;token=t"')
  })

  test('cannot be given further headers by what it says', async () => {
    const subject = 'hello\r\nBcc: eve@example.com'
    const mail = { from: { name: 'A\r\nB: c', address: from.address }, to: ['ada@example.com'], html: '', text: 'x' }
    await createMailer().send({ ...mail, subject }, through())
    expect(server.mails.splice(0)[0]).toMatchObject({ to: ['ada@example.com'] })
  })

  test.each<[string, object, object]>([
    ['mail.account', { password: 'wrong password' }, {}],
    ['mail.account', { account: 'nobody' }, {}],
    ['mail.recipient', {}, { to: ['gone@example.com'] }],
    ['mail.sender', {}, { from: { name: 'Gone', address: 'gone@example.com' } }],
    ['mail.unreachable', { port: 1 }, {}],
    ['mail.unreachable', { host: 'mail.invalid' }, {}],
    ['mail.tls', { tls: true }, {}],
  ])('that is not taken says why, and tells nothing of the server: %s', async (code, wrong, odd) => {
    const mail = { from, to: ['ada@example.com'], subject: 's', html: '', text: '', ...odd }
    const failure = await createMailer()
      .send(mail, through(wrong))
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(GatewayError)
    expect(failure).toMatchObject({ code })
    const { message, detail } = failure as GatewayError
    expect(message).not.toMatch(/127\.0\.0\.1|password|no such mailbox|invalid/)
    expect(detail).not.toMatch(/mail password|wrong password/)
    expect(server.mails).toEqual([])
  })

  test.each(['always', 'offered'] as const)(
    'goes over TLS, %s, only to who is vouched for, or by leave',
    async (tls) => {
      const strange = await startMailServer({ user: 'weir', pass: 'mail password' }, { tls })
      const mail = { from, to: ['ada@example.com'], subject: 's', html: '', text: 'hello' }
      const way = { ...through(), port: strange.port, tls: tls === 'always' }
      await expect(createMailer().send(mail, way)).rejects.toMatchObject({ code: 'mail.tls' })
      expect(strange.mails).toEqual([])
      await createMailer().send(mail, { ...way, any_certificate: true })
      expect(strange.mails).toHaveLength(1)
      await strange.close()
    },
  )
})
