// Attacks on what Weir asks of others. The rows are named by their id in the list of attacks.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { errors } from '../../core/errors.ts'
import { createMessageDelivery } from '../../core/notify/deliver.ts'
import { createSendMail } from '../../core/notify/email.ts'
import type { WebClient } from '../../core/ports/web.ts'
import { describeWithGateway, describeWithOwnGateway, type TestGateway } from '../support/gateway.ts'
import { chatReply, startUpstream } from '../support/upstream.ts'

/** A server that nobody should reach, or only as told; `connections` counts who came near. */
async function startTrap(answer: RequestListener = (_, response) => void response.end('{}'), host = '127.0.0.1') {
  const trap = { connections: 0, port: 0, close: () => server.closeAllConnections() }
  const server = createServer(answer)
  server.on('connection', () => (trap.connections += 1))
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  trap.port = (server.address() as AddressInfo).port
  traps.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return trap
}
const traps: (() => void)[] = []
afterEach(() => traps.splice(0).forEach((close) => close()))

/** Ways to write an address that is not public. */
const PLACES = [
  ...['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '0.0.0.0', '[::]', '127.1'],
  ...['2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '127.0.0.1.', 'localhost.', 'user:pass@127.0.0.1'],
  ...['[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[fe80::1]', '[fc00::1]', '[::127.0.0.1]', '127.255.255.254'],
  ...['10.0.0.1', '172.16.0.1', '192.168.0.1', '169.254.169.254', '100.64.0.1', '198.18.0.1', '224.0.0.1'],
  ...['255.255.255.255', '192.0.2.1', '[2001:db8::1]', '１２７.０.０.１'],
]

/** Tells a user of this gateway something at a webhook; gives what came of it. */
async function tell({ gateway, addUser }: TestGateway, webhook_url: string): Promise<string> {
  const { ports, settings } = gateway
  const deliver = createMessageDelivery({
    ...ports,
    sendMail: createSendMail({ ...ports, settings, replaceRefreshToken: async () => undefined }),
  })
  const { user } = await addUser()
  const setting = JSON.stringify({ notify_type: 'webhook', webhook_url })
  const told = { type: 'quota_exceed', title: 't', content: 'c', values: [] }
  return deliver({ ...user, setting }, told).then(
    () => 'sent',
    (error: { code: string }) => error.code,
  )
}

describeWithGateway('what Weir asks of others', (weir) => {
  const release = async () => (await weir.root.send('GET', '/api/site/release')).json

  it('C1: no address that people give leads to a place that is not public, however it is written', async () => {
    const trap = await startTrap()
    const { port } = trap
    const places = PLACES.map((host) => `http://${host}:${port}`)
    for (const url of places) {
      await weir.gateway.client.settings.update({ key: 'general_setting.release_url', value: `${url}/latest` })
      expect((await release()).success, url).toBe(false)
      const options = { WeChatServerAddress: url, WeChatServerToken: 't', WeChatAuthEnabled: 'true' }
      await weir.gateway.client.settings.update({
        options: Object.entries(options).map(([key, value]) => ({ key, value })),
      })
      const entered = await weir.visitor().send('POST', '/api/oauth/wechat?code=1234')
      expect(entered.json.success, url).toBe(false)
      const provider = { name: 'Trap', well_known: `${url}/.well-known/openid-configuration`, client_id: 'c' }
      await weir.root.send('POST', '/api/login_provider/', { body: { ...provider, id: 'trap', client_secret: 's' } })
      const begun = await weir.visitor().send('POST', '/api/oauth/trap/start', { body: {} })
      expect(begun.json.success, url).toBe(false)
      await weir.root.send('DELETE', '/api/login_provider/trap')
    }
    for (const url of [
      'file:///etc/passwd',
      'gopher://127.0.0.1/',
      'ftp://127.0.0.1/',
      'javascript:1',
      '//127.0.0.1/',
    ]) {
      const { json } = await weir.root.send('PUT', '/api/option/', {
        body: { key: 'general_setting.release_url', value: url },
      })
      expect(json.success, url).toBe(false)
    }
    expect(trap.connections).toBe(0)
    const off = ['WeChatAuthEnabled', 'WeChatServerAddress', 'WeChatServerToken', 'general_setting.release_url']
    await weir.gateway.client.settings.update({ options: off.map((key) => ({ key, value: null })) })
  })

  it('C1: nor do a webhook, the worker and the links in a prompt', { timeout: 60_000 }, async () => {
    const trap = await startTrap()
    // A kind of provider that fetches nothing itself.
    await weir.addChannel({ type: 4 })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const asked = (url: string) =>
      ada.chat({ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] })
    const expectRefused = async (url: string, what: string) => {
      const { status, json } = await asked(url)
      expect([status, json.error.code], what).toEqual([400, 'file_unreachable'])
    }
    for (const host of PLACES) {
      await expectRefused(`http://${host}:${trap.port}/a.png`, host)
      // Where a name is unknown to the resolver there is nothing to refuse.
      expect(['web.refused', 'web.failed'], host).toContain(await tell(weir, `https://${host}:${trap.port}/`))
    }
    for (const host of PLACES) {
      const value = `http://${host}:${trap.port}/worker`
      const { json } = await weir.root.send('PUT', '/api/option/', { body: { key: 'WorkerUrl', value } })
      if (!json.success) continue
      await expectRefused('https://pictures.example/a.png', value)
      expect(['web.refused', 'web.failed'], value).toContain(await tell(weir, 'https://hook.example/'))
    }
    await weir.gateway.client.settings.update({ key: 'WorkerUrl', value: null })
    expect(trap.connections).toBe(0)
    expect(weir.upstream.requests).toHaveLength(0)
    expect((await ada.balances()).quota).toBe(1_000_000)
  })

  it('C2: a redirect is checked like the first address', async () => {
    const hidden = await startTrap(undefined, '127.0.0.2')
    const door = await startTrap((_, response) => {
      response.writeHead(302, { location: `http://127.0.0.2:${hidden.port}/secret` }).end()
    })
    await weir.set('AllowedNetworks', '["127.0.0.1/32"]')
    await weir.set('general_setting.release_url', `http://127.0.0.1:${door.port}/latest`)
    expect((await release()).success).toBe(false)
    expect(door.connections).toBe(1)
    expect(hidden.connections).toBe(0)
  })

  it('C3: no header, query or field of a caller chooses where a call goes', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const trap = await startTrap()
    const url = `http://127.0.0.1:${trap.port}`
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 3, completion_tokens: 2 }))
    const names = [
      'base_url',
      'api_base',
      'baseURL',
      'url',
      'endpoint',
      'host',
      'proxy',
      'provider',
      'channel',
      'upstream',
    ]
    const fields = Object.fromEntries(names.map((name) => [name, url]))
    const headers = Object.fromEntries(
      [
        'x-forwarded-host',
        'x-base-url',
        'x-portkey-custom-host',
        'x-upstream',
        'forwarded',
        'openai-base-url',
        'x-url',
      ].map((name) => [name, url]),
    )
    expect((await ada.chat(fields, { ...headers, host: `127.0.0.1:${trap.port}` })).status).toBe(200)
    expect(trap.connections).toBe(0)
    expect(weir.upstream.requests).toHaveLength(1)
    const [asked] = weir.upstream.requests
    expect(asked!.headers.host).toBe(new URL(weir.upstream.url).host)
    for (const name of Object.keys(headers)) expect(asked!.headers[name], name).toBeUndefined()
    expect(asked!.path).toBe('/v1/chat/completions')
  })

  it('C4: a channel’s key goes to that channel’s address alone', async () => {
    const trap = await startTrap()
    const other = await startUpstream()
    await weir.addChannel({ key: 'key-of-the-first', priority: 10 })
    await weir.addChannel({ key: 'key-of-the-second', base_url: other.url })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    for (const status of [301, 302, 307, 308]) {
      weir.upstream.reply({ status, headers: { location: `http://127.0.0.1:${trap.port}/v1/chat/completions` } })
      other.reply(chatReply('Hello', { prompt_tokens: 3, completion_tokens: 2 }))
      await ada.chat()
    }
    weir.upstream.reply({ status: 500, body: {} })
    expect((await ada.chat()).status).toBe(200)
    expect(trap.connections).toBe(0)
    expect(other.requests.length).toBeGreaterThan(0)
    expect(JSON.stringify(weir.upstream.requests.map(({ headers }) => headers))).not.toContain('key-of-the-second')
    expect(JSON.stringify(other.requests.map(({ headers }) => headers))).not.toContain('key-of-the-first')
    await other.close()
  })

  it('C5: an answer without end is not read to its end', async () => {
    let written = 0
    const endless = await startTrap((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(' '.repeat(65_536))) written += 65_536
      }
      response.on('drain', more)
      more()
    })
    await weir.set('AllowedNetworks', '["127.0.0.1/32"]')
    await weir.set('general_setting.release_url', `http://127.0.0.1:${endless.port}/latest`)
    expect((await release()).success).toBe(false)
    expect(written).toBeLessThan(32 * 1024 * 1024)
  })
})

const notBegun = (reason = '') => {
  const sentence = `${errors['topup.start'].en}${reason}`
  return { success: false, code: 'topup.start', message: sentence, data: sentence }
}

/** Where the hosts that endless services stand for are. */
const here = new Map<string, string>()
const elsewhere = (guarded: WebClient): WebClient => ({
  send(request) {
    const { host } = new URL(request.url)
    return guarded.send({ ...request, url: here.get(host) ?? request.url })
  },
})

describeWithOwnGateway(
  'receivers and payment services without end',
  (weir) => {
    const stripe = {
      ...{
        ServerAddress: 'https://weir.example',
        'stripe.secret_key': 'sk_test_1',
        'stripe.webhook_secret': 'whsec_1',
      },
      AllowedNetworks: '["127.0.0.1/32"]',
    }
    const change = (values: Record<string, string | null>) =>
      weir.gateway.client.settings.update({ options: Object.entries(values).map(([key, value]) => ({ key, value })) })
    afterEach(() => change(Object.fromEntries(Object.keys(stripe).map((key) => [key, null]))))
    const serve = async (answer: RequestListener) => {
      const { port } = await startTrap(answer)
      for (const host of ['hook.example', 'api.stripe.com']) here.set(host, `http://127.0.0.1:${port}/${host}`)
      await change(stripe)
    }
    const both = async () => {
      const ada = await weir.addVisitor()
      const paying = ada.send('POST', '/api/user/pay', { body: { amount: 10, payment_method: 'stripe' } })
      return Promise.all([tell(weir, 'https://hook.example/'), paying.then(({ json }) => json)])
    }

    it('C5: are not read to their end', async () => {
      let written = 0
      await serve((_, response) => {
        const more = () => {
          while (!response.destroyed && response.write(' '.repeat(65_536))) written += 65_536
        }
        response.on('drain', more)
        more()
      })
      expect(await both()).toEqual(['web.too_large', notBegun()])
      expect(written).toBeLessThan(64 * 1024 * 1024)
    })

    it('C5: are not waited for, whether they say nothing or a little now and then', { timeout: 60_000 }, async () => {
      const timers: NodeJS.Timeout[] = []
      const silent = new Set<string | undefined>()
      await serve(({ url }, response) => {
        if (silent.has(url)) timers.push(setInterval(() => response.write(' '), 200))
        else silent.add(url)
      })
      expect(await Promise.all([both(), both()])).toEqual([
        ['web.failed', notBegun(': it timed out')],
        ['web.failed', notBegun(': it timed out')],
      ])
      for (const timer of timers) clearInterval(timer)
      expect((await weir.gateway.client.quota.verify()).ok).toBe(true)
    })
  },
  { web: elsewhere },
)
