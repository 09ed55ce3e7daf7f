// Planted secrets appear in no reply to any caller, for any request, and in no log line.
import { expect, it } from 'vitest'
import { endpointsByName } from '../../core/contracts.ts'
import { describeWithOwnGateway, ROOT, UPSTREAM_KEY } from '../support/gateway.ts'
import { chatReply } from '../support/upstream.ts'

const SETTINGS = {
  SMTPToken: 'planted-smtp-token',
  GitHubClientSecret: 'planted-github-secret',
  LinuxDOClientSecret: 'planted-linuxdo-secret',
  'oidc.client_secret': 'planted-oidc-secret',
  WeChatServerToken: 'planted-wechat-token',
  TelegramBotToken: '123:planted-telegram-token',
  TurnstileSecretKey: 'planted-turnstile-secret',
  EpayKey: 'planted-epay-key',
  'stripe.secret_key': 'planted-stripe-key',
  'stripe.webhook_secret': 'planted-stripe-webhook',
  WorkerValidKey: 'planted-worker-key',
}
/** These take part in what is looked for, or end it. */
const ENDS = [
  ...['users.deleteSelf', 'users.endSessions', 'auth.logout', 'privacy.forget'],
  ...['channels.deleteMany', 'channels.deleteDisabled'],
]

describeWithOwnGateway('secrets', (weir) => {
  it(
    'E1: none is in any reply, to nobody, users, administrators or root, nor in a log line',
    { timeout: 120_000 },
    async () => {
      const { storage, logger, secrets } = weir.gateway.ports
      const lines: string[] = []
      for (const level of ['info', 'warn', 'error'] as const) {
        logger[level] = (message, fields) => void lines.push(message + JSON.stringify(fields))
      }
      const options = Object.entries({ ServerAddress: 'https://weir.example', ...SETTINGS })
      await weir.gateway.client.settings.update({ options: options.map(([key, value]) => ({ key, value })) })
      const channel = await weir.addChannel()
      const ada = await weir.addCaller({ quota: 1_000_000 })
      const session = weir.visitor()
      await session.login(ada.user.username, ada.password)
      const accessToken = await session.client.users.accessToken()
      const totp = await session.client.auth.totpBegin()
      const webhook_secret = 'planted-webhook-secret'
      await session.client.users.setting({
        ...{ notify_type: 'webhook', quota_warning_threshold: 1, webhook_url: 'https://a.example', webhook_secret },
      })
      const provider = { id: 'acme', name: 'Acme', well_known: 'https://acme.example', client_id: 'c' }
      await weir.root.client.auth.providerCreate({ ...provider, client_secret: 'planted-provider-secret' })
      weir.upstream.reply(chatReply('Hello', { prompt_tokens: 9, completion_tokens: 9 }))
      await ada.chat()
      // What a provider says of its key is logged, too.
      weir.upstream.reply({ status: 401, body: { error: { message: `bad key ${UPSTREAM_KEY}`, type: UPSTREAM_KEY } } })
      await ada.chat()
      const stored = await storage.users.findByLogin(ada.user.username)

      const planted = {
        ...SETTINGS,
        'a channel key': UPSTREAM_KEY,
        'a provider secret': 'planted-provider-secret',
        'a webhook secret': webhook_secret,
        'a TOTP secret': totp.secret,
        'a password hash': stored!.password_hash,
        'a password': ada.password,
        "root's password": ROOT.password,
        "somebody else's API key": ada.token.key,
        'an access token': accessToken,
        'a session id': /session=([\w-]+)/.exec(session.cookie())![1]!,
        'the name of a browser': /weir_known=([\w-]+)/.exec(session.cookie())![1]!,
        'a keyed hash': secrets.hash(accessToken),
        'the master secret': 'a secret for tests',
      }
      const look = (text: string, where: string) => {
        for (const [what, secret] of Object.entries(planted))
          expect(text.includes(secret), `${where}: ${what}`).toBe(false)
      }
      const askers = {
        nobody: weir.visitor(),
        user: await weir.addVisitor(),
        admin: await weir.addVisitor({ patch: { role: 10 } }),
        root: weir.root,
      }
      let replies = 0
      for (const [role, asker] of Object.entries(askers)) {
        for (const [name, { method, path, changes }] of endpointsByName) {
          if (ENDS.includes(name)) continue
          for (const id of [channel.id, ada.user.id, ada.token.id]) {
            // What is made away with here would not be shown by those asked after it.
            const place = path.replace(/\{\w+\}/g, String(method === 'DELETE' ? 999_999 : id))
            const query = '?p=0&page_size=100&size=100&keyword=&id_sort=true&tag_mode=true'
            const body = { id, name: 'x', username: 'x', password: 'x', code: 'x', passkey: {} }
            const headers: Record<string, string> = role === 'nobody' ? { 'new-api-user': '-1' } : {}
            const way = changes ? 'POST' : method
            const { text } = await asker.send(way, place + query, way === 'GET' ? { headers } : { headers, body })
            look(text, `${name} as ${role}`)
            replies++
            if (!path.includes('{')) break
          }
        }
      }
      expect(replies).toBeGreaterThan(500)
      look((await weir.root.send('GET', '/api/openapi.json')).text, 'the OpenAPI document')
      for (const format of ['csv', 'jsonl']) {
        look((await weir.root.send('GET', `/api/log/export?format=${format}`)).text, 'the export')
      }
      // The owner sees their own API key, and nobody's else.
      expect(JSON.stringify(await session.client.tokens.get({ id: ada.token.id }))).toContain(ada.token.key)
      weir.upstream.reply({ status: 500, body: { error: { message: `the key ${UPSTREAM_KEY}` } } })
      await ada.chat()
      for (const line of lines) look(line, `the log line ${line.slice(0, 300)}`)
      const off = Object.keys(SETTINGS)
      await weir.gateway.client.settings.update({ options: off.map((key) => ({ key, value: null })) })
    },
  )
})
