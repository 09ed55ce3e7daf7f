// Unrequested notifications of users: mails through a real SMTP server, webhooks at a real receiver, in their language.
import { createHmac } from 'node:crypto'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { beforeEach, expect, it } from 'vitest'
import { createSystemClock } from '../../core/adapters/platform.ts'
import { createMessageDelivery } from '../../core/notify/deliver.ts'
import { createSendMail } from '../../core/notify/email.ts'
import type { Clock } from '../../core/ports/clock.ts'
import { startElsewhere } from '../support/elsewhere.ts'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway, describeWithOwnGateway, eventually, ROOT } from '../support/gateway.ts'
import { useMailServer } from '../support/mail-server.ts'
import type { Visitor } from '../support/server.ts'
import { chatReply } from '../support/upstream.ts'

const elsewhere = startElsewhere({
  'hook.example': () => ({ status: 204, body: '' }),
  'broken.example': () => ({ status: 500, body: 'no' }),
})
const usage = { prompt_tokens: 1000, completion_tokens: 1000, total_tokens: 2000 }
const CHINESE = { 'accept-language': 'zh-CN,zh;q=0.9' }
/** Jobs run every tenth of a second: the one that warns would have its people wait for ten. */
const clock: Clock = { ...createSystemClock(), every: (_, work) => createSystemClock().every(100, work) }

describeWithOwnGateway(
  'a warning of a low balance',
  (weir) => {
    beforeEach(async () => {
      elsewhere.seen.length = 0
      await weir.set('ServerAddress', 'https://weir.example')
      await weir.set('AllowedNetworks', ['127.0.0.0/8'])
      await weir.addChannel()
      weir.upstream.reply(chatReply('Hello', usage))
    })

    /** Signed in once more, in a language, with how to be warned. */
    async function choose({ user, password }: Caller, setting: object, headers: Record<string, string> = {}) {
      const visitor: Visitor = weir.visitor()
      const { json } = await visitor.send('POST', '/api/user/login', {
        headers,
        body: { username: user.username, password },
      })
      const own = { ...headers, 'new-api-user': String(json.data.id) }
      const body = { quota_warning_threshold: 990_000, ...setting }
      expect((await visitor.send('PUT', '/api/user/setting', { headers: own, body })).json.success).toBe(true)
    }

    it('arrives by mail or signed webhook, in the language of its reader, once', { timeout: 60_000 }, async () => {
      const server = await useMailServer(weir, { refused: ['gone@example.com'] })
      const people = await Promise.all(Array.from({ length: 5 }, () => weir.addCaller({ quota: 990_000 })))
      const [ada, bob, carl, dora, eve] = people as [Caller, Caller, Caller, Caller, Caller]
      await choose(ada, { notify_type: 'email', notification_email: 'ada@example.com' })
      await choose(bob, { notify_type: 'email', notification_email: 'bob@example.com' }, CHINESE)
      const hook = { notify_type: 'webhook', webhook_url: 'https://hook.example/carl?x=1', webhook_secret: 'shared' }
      await choose(carl, hook, CHINESE)
      // One whose mailbox is gone and one whose receiver is broken stop nobody else.
      await choose(dora, { notify_type: 'email', notification_email: 'gone@example.com' })
      await choose(eve, { notify_type: 'webhook', webhook_url: 'https://broken.example/' })
      for (const person of people) expect((await person.chat()).status).toBe(200)
      await eventually(
        () => [server.mails.length, elsewhere.seen.length],
        ([mails, hooks]) => mails === 2 && hooks === 2,
      )
      const mailTo = (address: string) => server.mails.find(({ to }) => to.includes(address))
      expect(mailTo('ada@example.com')?.text).toMatch(/^Your quota is running out: \$1\.9\d+ left/)
      expect(mailTo('ada@example.com')?.text).toContain('https://weir.example/topup')
      expect(mailTo('bob@example.com')?.text).toMatch(/^您的额度即将用尽：剩余额度 \$1\.9\d+，/)

      const told = elsewhere.seen.find(({ host }) => host === 'hook.example')
      expect(told).toMatchObject({ method: 'POST', path: '/carl' })
      const signature = createHmac('sha256', 'shared')
        .update(told?.text ?? '')
        .digest('hex')
      expect(told?.headers['x-webhook-signature']).toBe(signature)
      expect(createHmac('sha256', 'shared').update(`${told?.text} `).digest('hex')).not.toBe(signature)
      const body = JSON.parse(told?.text ?? '{}') as { timestamp: number; title: string }
      expect(body).toMatchObject({ type: 'quota_exceed', title: '您的额度即将用尽' })
      expect(Math.abs(body.timestamp - Date.now() / 1000)).toBeLessThan(120)
      expect(JSON.stringify([told?.headers, told?.text])).not.toContain('shared')

      for (const person of people) await person.chat()
      const { ports } = weir.gateway
      // Long enough ago for the next look, had it not been told already.
      const again = await ports.storage.warnings.claim(ada.user.id, Math.floor(Date.now() / 1000), 7200)
      expect(again).toBe(false)
      await server.close()
    })

    it('reaches no private address, however written, unless the operator allows it', async () => {
      let connections = 0
      const receiver = createServer((socket) => {
        connections += 1
        socket.on('error', () => undefined).destroy()
      })
      await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
      const { port } = receiver.address() as AddressInfo
      const { ports, settings } = weir.gateway
      const deliver = createMessageDelivery({
        ...ports,
        sendMail: createSendMail({ ...ports, settings, replaceRefreshToken: async () => undefined }),
      })
      const { user } = await weir.addUser()
      const told = { type: 'quota_exceed', title: 't', content: 'c', values: [] }
      const send = (webhook_url: string) =>
        deliver({ ...user, setting: JSON.stringify({ notify_type: 'webhook', webhook_url }) }, told).then(
          () => 'sent',
          (error: { code: string }) => error.code,
        )
      await weir.set('AllowedNetworks', [])
      const hosts = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '0.0.0.0']
      for (const host of [...hosts, 'me@127.0.0.1']) {
        expect(await send(`https://${host}:${port}/`), host).toBe('web.refused')
      }
      for (const away of ['https://169.254.169.254/latest/meta-data', 'https://10.0.0.1/', 'https://192.168.1.1/']) {
        expect(await send(away), away).toBe('web.refused')
      }
      expect(connections).toBe(0)
      await weir.set('AllowedNetworks', ['127.0.0.0/8'])
      // It hangs up, but now it has been asked.
      expect(await send(`https://127.0.0.1:${port}/`)).toBe('web.failed')
      expect(connections).toBe(1)
      await new Promise((resolve) => receiver.close(resolve))
    })
  },
  { web: elsewhere.web, clock },
)

describeWithOwnGateway(
  'a test of a warning',
  (weir) => {
    beforeEach(async () => {
      elsewhere.seen.length = 0
      await weir.set('AllowedNetworks', ['127.0.0.0/8'])
    })
    const test = async (who: Visitor, headers: Record<string, string> = {}) =>
      (await who.send('POST', '/api/user/setting/test', { headers })).json

    it('goes where its user has saved, in their language, signed where that is a webhook', async () => {
      const server = await useMailServer(weir)
      const ada = await weir.addVisitor()
      const save = (setting: object) =>
        ada.client.users.setting({ notify_type: 'email', quota_warning_threshold: 5, ...setting })
      expect((await test(ada)).code).toBe('notify.nowhere')
      await save({ notification_email: 'ada@example.com' })
      expect(await test(ada)).toMatchObject({ success: true, data: null })
      expect(server.mails.map(({ to }) => to)).toEqual([['ada@example.com']])
      expect(server.mails[0]?.text).toMatch(/^This is a test: warnings of Weir/)
      expect(elsewhere.seen).toEqual([])

      await save({ notify_type: 'webhook', webhook_url: 'https://hook.example/ada', webhook_secret: 'shared' })
      expect((await test(ada)).success).toBe(true)
      const [told] = elsewhere.seen
      expect(told).toMatchObject({ method: 'POST', host: 'hook.example', path: '/ada' })
      expect(JSON.parse(told!.text)).toMatchObject({ type: 'test', title: 'Test of Weir', values: [] })
      expect(told!.headers['x-webhook-signature']).toBe(createHmac('sha256', 'shared').update(told!.text).digest('hex'))
      expect(server.mails).toHaveLength(1)
      await save({ notify_type: 'webhook', webhook_url: 'https://broken.example/' })
      expect(await test(ada, CHINESE)).toMatchObject({ success: false, message: 'Webhook 返回状态码 500' })
      await server.close()
    })

    it('is no way to flood a mailbox', async () => {
      const server = await useMailServer(weir)
      const rates = weir.gateway.settings().ApiRateLimits
      await weir.set('ApiRateLimits', { ...rates, mail: [1, 600] })
      const ada = await weir.addVisitor({ patch: { email: 'ada@example.com' } })
      expect((await test(ada)).success).toBe(true)
      expect((await test(ada)).success).toBe(false)
      expect(server.mails).toHaveLength(1)
      await server.close()
    })

    it('reaches no private address', async () => {
      await weir.set('AllowedNetworks', [])
      const ada = await weir.addVisitor()
      const hook = { notify_type: 'webhook', quota_warning_threshold: 5, webhook_url: 'https://127.0.0.1/' }
      await ada.client.users.setting(hook)
      expect((await test(ada)).code).toBe('web.refused')
    })
  },
  { web: elsewhere.web },
)

describeWithGateway('a mail', (weir) => {
  const ask = async (email: string, headers: Record<string, string> = {}) =>
    (
      await weir
        .visitor()
        .send('GET', `/api/verification?email=${email}`, { headers: { 'new-api-user': '-1', ...headers } })
    ).json

  it('speaks the language of who asks for it', async () => {
    const server = await useMailServer(weir)
    await weir.set('ServerAddress', 'https://weir.example')
    const ada = await weir.addVisitor({ patch: { email: 'ada@example.com' } })
    const texts = async () => {
      const [mail] = await eventually(
        () => server.mails,
        ({ length }) => length === 1,
      )
      server.mails.length = 0
      return mail?.text
    }
    expect((await ask('new@example.com')).success).toBe(true)
    expect(await texts()).toMatch(/^Hello, .*Your code:/s)
    expect((await ask('new@example.com', CHINESE)).success).toBe(true)
    expect(await texts()).toMatch(/^您好.*验证码：/s)
    for (const [headers, words] of [
      [{}, /^Hello, .* password reset was requested/s],
      [CHINESE, /^您好，您正在重置/s],
    ] as const) {
      const path = '/api/reset_password?email=ada@example.com'
      await weir.visitor().send('GET', path, { headers: { 'new-api-user': '-1', ...headers } })
      expect(await texts()).toMatch(words)
    }
    expect(ada.user.email).toBe('ada@example.com')
    await server.close()
  })

  it('is sent by an account that signs in by OAuth 2.0: its tokens are requested, kept and replaced', async () => {
    const tokens = ['access 1']
    const server = await useMailServer(weir, { tls: 'offered', tokens })
    const requests: Record<string, string>[] = []
    let reply: { status: number; body: object } = {
      status: 200,
      body: { access_token: 'access 1', expires_in: 3600, refresh_token: 'refresh 2' },
    }
    const service = createHttpServer((request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        requests.push(Object.fromEntries(new URLSearchParams(Buffer.concat(parts).toString())))
        response.writeHead(reply.status).end(JSON.stringify(reply.body))
      })
    })
    await new Promise<void>((done) => service.listen(0, '127.0.0.1', done))
    const { port } = service.address() as AddressInfo
    await weir.set('SMTPAnyCertificate', true)
    await weir.set('SMTPAuth', 'oauth2')
    expect(await ask('a@example.com')).toMatchObject({ code: 'mail.oauth_unset' })
    await weir.set('SMTPOAuthTokenURL', `http://127.0.0.1:${port}/token`)
    await weir.set('SMTPOAuthClientId', 'an app')
    await weir.set('SMTPOAuthClientSecret', 'hush')
    await weir.set('SMTPOAuthRefreshToken', 'refresh 1')
    // The address is checked like every other that operators enter.
    expect(await ask('b@example.com')).toMatchObject({ code: 'mail.oauth' })
    await weir.set('AllowedNetworks', '["127.0.0.0/8"]')
    expect((await ask('c@example.com')).success).toBe(true)
    expect((await ask('d@example.com')).success).toBe(true)
    const client = { grant_type: 'refresh_token', client_id: 'an app', client_secret: 'hush' }
    expect(requests).toEqual([{ ...client, refresh_token: 'refresh 1' }])
    expect(server.mails.map(({ to }) => to)).toEqual([['c@example.com'], ['d@example.com']])
    expect(weir.gateway.settings().SMTPOAuthRefreshToken).toBe('refresh 2')
    // A revoked token is given up with the mail that it fails, and a new one requested.
    tokens[0] = 'access 2'
    expect(await ask('e@example.com')).toMatchObject({ code: 'mail.account' })
    reply = { status: 200, body: { access_token: 'access 2', expires_in: '3600' } }
    expect((await ask('f@example.com')).success).toBe(true)
    expect(requests.at(-1)).toEqual({ ...client, refresh_token: 'refresh 2' })
    await weir.set('SMTPOAuthScope', 'mail offline_access')
    reply = { status: 400, body: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' } }
    const refused = await ask('g@example.com')
    expect(refused).toMatchObject({ code: 'mail.oauth', message: expect.stringContaining('invalid_grant: Token has') })
    expect(requests.at(-1)).toMatchObject({ scope: 'mail offline_access' })
    // Another mail server, or token address, gets nothing of it.
    await weir.root.client.settings.update({ key: 'SMTPServer', value: 'other.example' })
    expect(weir.gateway.settings().SMTPOAuthRefreshToken).toBe('')
    await server.close()
    await new Promise((done) => service.close(done))
  })

  it('that cannot be sent says why, in both languages', async () => {
    const server = await useMailServer(weir, { refused: ['gone@example.com'], tls: 'offered' })
    expect(await ask('new@example.com')).toMatchObject({
      code: 'mail.tls',
      message: 'No secure connection to the mail server, check its certificate and the mail settings',
    })
    await weir.set('SMTPAnyCertificate', true)
    expect((await ask('new@example.com')).success).toBe(true)
    expect(await ask('gone@example.com')).toMatchObject({
      code: 'mail.recipient',
      message: 'The mail server accepts no mail for this address',
    })
    expect((await ask('gone@example.com', CHINESE)).message).toBe('邮件服务器拒收发往该地址的邮件')
    await weir.set('SMTPFrom', 'gone@example.com')
    expect(await ask('new@example.com')).toMatchObject({ code: 'mail.sender' })
    await weir.set('SMTPToken', 'a wrong password')
    expect(await ask('new@example.com', CHINESE)).toMatchObject({
      code: 'mail.account',
      message: '邮件服务器拒绝了账号，请检查邮件设置',
    })
    await server.close()
    expect((await ask('new@example.com')).code).toBe('mail.unreachable')
  })
})

describeWithGateway('the super administrator', (weir) => {
  it.each([
    [{}, 'A channel was disabled', /^Channel \d+ "channel \d+" was disabled: /],
    [CHINESE, '渠道已被禁用', /^渠道 \d+「channel \d+」已被禁用：/],
  ])('is told of a channel that disables itself, in their language: %j', async (headers, subject, text) => {
    const server = await useMailServer(weir)
    await weir.changeUser(weir.rootId, { email: 'root@example.com' })
    await weir.visitor().send('POST', '/api/user/login', { headers, body: ROOT })
    await weir.set('AutomaticDisableChannelEnabled', true)
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const error = { message: 'Incorrect API key provided', type: 'invalid_request_error', code: 'invalid_api_key' }
    weir.upstream.reply({ status: 401, body: { error } })
    expect((await ada.chat()).status).toBeGreaterThanOrEqual(400)
    const [mail] = await eventually(
      () => server.mails,
      ({ length }) => length === 1,
    )
    expect(mail).toMatchObject({ to: ['root@example.com'] })
    expect(mail?.text).toMatch(text)
    const [, encoded = ''] = /^Subject: (.*)$/m.exec(mail?.raw ?? '') ?? []
    const words = /^=\?UTF-8\?B\?(.*)\?=$/i.exec(encoded)
    expect(words ? Buffer.from(words[1] ?? '', 'base64').toString('utf8') : encoded.trim()).toBe(subject)
    await server.close()
  })
})
