// Signing in through GitHub, LinuxDO, WeChat and Telegram, against faithful stand-ins.
import { createHash, createHmac } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { createGitHub, createLinuxDo } from '../support/code-services.ts'
import { startElsewhere } from '../support/elsewhere.ts'
import { describeWithGateway, describeWithOwnGateway, type TestGateway } from '../support/gateway.ts'
import type { Visitor } from '../support/server.ts'

const anybody = { headers: { 'new-api-user': '-1' } }
const GITHUB = { client_id: 'weir at github', client_secret: 'the secret at github' }
const LINUXDO = { client_id: 'weir at linuxdo', client_secret: 'the secret at linuxdo' }

const github = createGitHub(GITHUB)
const linuxdo = createLinuxDo(LINUXDO)
/** Codes of the WeChat helper server, and whose they are. */
const wechatCodes = new Map<string, string>()

const elsewhere = startElsewhere({
  ...github.hosts,
  ...linuxdo.hosts,
  'wechat.example': ({ path, query, headers }) => {
    if (headers.authorization !== 'helper token') return { body: { success: false, message: '无权', data: '' } }
    const person = path === '/api/wechat/user' ? wechatCodes.get(query.get('code') ?? '') : undefined
    return { body: person ? { success: true, message: '', data: person } : { success: false, message: 'no' } }
  },
})

const setAll = async (weir: TestGateway, values: object) => {
  await weir.set('AllowedNetworks', ['127.0.0.0/8'])
  for (const [key, value] of Object.entries(values)) await weir.set(key, value)
}

const services = [
  {
    type: 'github',
    label: 'GitHub',
    service: github,
    field: 'github_id',
    settings: { GitHubClientId: GITHUB.client_id, GitHubClientSecret: GITHUB.client_secret, GitHubOAuthEnabled: true },
    secret: 'GitHubClientSecret',
    person: (id: number, login: string) => ({ id, login, name: `The ${login}`, email: null }),
  },
  {
    type: 'linuxdo',
    label: 'LinuxDO',
    service: linuxdo,
    field: 'linux_do_id',
    settings: {
      LinuxDOClientId: LINUXDO.client_id,
      LinuxDOClientSecret: LINUXDO.client_secret,
      LinuxDOOAuthEnabled: true,
    },
    secret: 'LinuxDOClientSecret',
    person: (id: number, username: string) => ({ id, username, name: `The ${username}` }),
  },
] as const

for (const { type, label, service, field, settings, secret, person } of services) {
  describeWithOwnGateway(
    `signing in with ${label}`,
    (weir) => {
      beforeEach(() => setAll(weir, { ServerAddress: 'https://weir.example', ...settings }))

      const start = async (visitor: Visitor, aff = '') => (await visitor.client.auth.oauthStart({ type, aff })).url
      const approve = (url: string, id: number, name: string) => service.approve(url, person(id, name) as never)
      const back = async (visitor: Visitor, given: { code: string; state: string }, asked: object = anybody) =>
        (await visitor.send('GET', `/api/oauth/${type}?${new URLSearchParams(given)}`, asked)).json
      const enter = async (id: number, name: string) => {
        const visitor = weir.visitor()
        return back(visitor, approve(await start(visitor), id, name))
      }

      it('registers at the first time, with the invitation kept, and knows people by their number', async () => {
        const inviter = await weir.addVisitor()
        const visitor = weir.visitor()
        const first = await back(
          visitor,
          approve(await start(visitor, await inviter.client.users.aff()), 1001, 'octocat'),
        )
        expect(first).toMatchObject({ success: true, data: { username: 'octocat', display_name: 'The octocat' } })
        const user = await weir.root.client.users.get({ id: first.data.id })
        expect(user).toMatchObject({ [field]: '1001', inviter_id: inviter.user.id, email: '' })
        // A name that changed hands there is nobody here.
        expect((await enter(1001, 'renamed')).data.id).toBe(first.data.id)
        const heir = await enter(1002, 'octocat')
        expect(heir.data.id).not.toBe(first.data.id)
        expect(heir.data.username).toMatch(new RegExp(`^${type.slice(0, 5)}`))
        expect(heir.data.display_name).toBe('The octocat')
      })

      it('keeps the invitation also for a page that sends the browser off by itself', async () => {
        const inviter = await weir.addVisitor()
        const visitor = weir.visitor()
        const aff = await inviter.client.users.aff()
        const state = (await visitor.send('GET', `/api/oauth/state?aff=${aff}`, anybody)).json.data
        const url = new URL(await start(weir.visitor()))
        url.searchParams.set('state', state)
        const { data } = await back(visitor, approve(url.href, 1003, 'byitself'))
        expect((await weir.root.client.users.get({ id: data.id })).inviter_id).toBe(inviter.user.id)
      })

      it('refuses codes that are made up, used or too old, and returns of another browser', async () => {
        const visitor = weir.visitor()
        const { state } = approve(await start(visitor), 1004, 'eve')
        expect(await back(visitor, { code: 'made up', state })).toMatchObject({
          code: 'oauth.token',
          message: `${label} gave no token, check the settings`,
        })
        const given = approve(await start(visitor), 1004, 'eve')
        expect((await back(weir.visitor(), given)).code).toBe('oauth.state')
        expect((await back(visitor, given)).code).toBe('oauth.state')
        const late = approve(await start(visitor), 1004, 'eve')
        service.expireCodes()
        expect((await back(visitor, late)).code).toBe('oauth.token')
        const used = approve(await start(visitor), 1004, 'eve')
        expect((await back(visitor, used)).success).toBe(true)
        const again = weir.visitor()
        const { state: other } = approve(await start(again), 1004, 'eve')
        expect((await back(again, { code: used.code, state: other })).code).toBe('oauth.token')
      })

      it('binds to who is signed in, and unbinds', async () => {
        const ada = await weir.addVisitor()
        const bind = async (visitor: Visitor) => back(visitor, approve(await start(visitor), 1005, 'bound'), {})
        expect(await bind(ada)).toMatchObject({ success: true, message: 'bind', data: null })
        expect((await ada.client.users.self())[field]).toBe('1005')
        expect((await bind(await weir.addVisitor())).code).toBe('oauth.taken')
        expect((await enter(1005, 'bound')).data.id).toBe(ada.user.id)
        await weir.changeUser(ada.user.id, { status: 2 })
        expect((await enter(1005, 'bound')).code).toBe('access.banned')
        await weir.changeUser(ada.user.id, { status: 1 })
        const made = expect.closeTo(Date.now() / 1000, -3)
        expect(await ada.client.auth.bindings()).toEqual({
          has_password: true,
          services: [{ provider: type, created_time: made }],
          offered: [],
        })
        await ada.client.auth.unbind({ provider: type })
        expect((await ada.client.users.self())[field]).toBe('')
        expect(await ada.client.auth.bindings()).toEqual({ has_password: true, services: [], offered: [] })
      })

      it('says in the language of who asks what is wrong with the settings', async () => {
        const asked = { headers: { ...anybody.headers, 'accept-language': 'zh-CN' } }
        await weir.set(secret, 'a wrong secret')
        const visitor = weir.visitor()
        const { message } = await back(visitor, approve(await start(visitor), 1006, 'x'), asked)
        expect(message).toBe(`未能从 ${label} 取得令牌，请检查配置`)
        await weir.set(secret, settings[secret as keyof typeof settings])
        const given = approve(await start(visitor), 1006, 'x')
        await weir.set('AllowedNetworks', [])
        expect(await back(visitor, given)).toMatchObject({ code: 'oauth.unreachable' })
        await weir.set('RegisterEnabled', false)
        await weir.set('AllowedNetworks', ['127.0.0.0/8'])
        expect((await enter(1006, 'x')).code).toBe('register.closed')
      })
    },
    { web: elsewhere.web },
  )
}

describeWithOwnGateway(
  'signing in with WeChat',
  (weir) => {
    beforeEach(() =>
      setAll(weir, {
        WeChatServerAddress: 'https://wechat.example',
        WeChatServerToken: 'helper token',
        WeChatAuthEnabled: true,
      }),
    )
    const enter = async (code: string, aff = '') =>
      (await weir.visitor().send('GET', `/api/oauth/wechat?${new URLSearchParams({ code, aff })}`, anybody)).json

    it('is for who its helper server says that the code belongs to', async () => {
      wechatCodes.set('1234', 'wx-1')
      elsewhere.seen.length = 0
      const inviter = await weir.addVisitor()
      for (const wrong of ['9999', '', '1&x=/../', '1234#', '12 34']) {
        expect((await enter(wrong)).code, wrong).toBe('verification.wrong')
      }
      const first = await enter('1234', await inviter.client.users.aff())
      const user = await weir.root.client.users.get({ id: first.data.id })
      expect(user).toMatchObject({ wechat_id: 'wx-1', inviter_id: inviter.user.id })
      expect((await enter('1234')).data.id).toBe(first.data.id)
      expect(elsewhere.seen.every(({ path }) => path === '/api/wechat/user')).toBe(true)
      wechatCodes.delete('1234')
      expect((await enter('1234')).code).toBe('verification.wrong')
      await weir.set('WeChatServerToken', 'a wrong one')
      wechatCodes.set('1234', 'wx-1')
      expect((await enter('1234')).code).toBe('verification.wrong')
    })

    it('binds and unbinds', async () => {
      wechatCodes.set('5678', 'wx-2')
      const [ada, bob] = [await weir.addVisitor(), await weir.addVisitor()]
      const bind = async (who: Visitor) => (await who.send('GET', '/api/oauth/wechat/bind?code=5678')).json
      expect((await weir.visitor().send('GET', '/api/oauth/wechat/bind?code=5678', anybody)).status).toBe(401)
      expect(await bind(ada)).toMatchObject({ success: true, message: 'bind' })
      expect((await bind(bob)).code).toBe('oauth.taken')
      await ada.client.auth.unbind({ provider: 'wechat' })
      expect((await bind(bob)).success).toBe(true)
      await weir.set('WeChatAuthEnabled', false)
      expect((await enter('5678')).code).toBe('oauth.off')
    })
  },
  { web: elsewhere.web },
)

describeWithGateway('signing in with Telegram', (weir) => {
  const TOKEN = '123:token'
  const signed = (fields: Record<string, string>, token = TOKEN) => {
    const text = Object.entries(fields).map(([name, value]) => `${name}=${value}`)
    const key = createHash('sha256').update(token).digest()
    const hash = createHmac('sha256', key).update(text.sort().join('\n')).digest('hex')
    return new URLSearchParams({ ...fields, hash, lang: 'en' }).toString()
  }
  const begun = Math.floor(Date.now() / 1000)

  it('takes only what its bot signed lately, once, and only bound accounts', async () => {
    await weir.set('TelegramBotToken', TOKEN)
    await weir.set('TelegramOAuthEnabled', true)
    let clicks = 0
    /** What the widget gives at a click: each time something new. */
    const click = (more: Record<string, string> = {}) => ({
      ...{ id: '42', first_name: 'Ada', auth_date: String(begun - (clicks += 1)) },
      ...more,
    })
    const enter = async (query: string) =>
      (await weir.visitor().send('GET', `/api/oauth/telegram/login?${query}`, anybody)).json
    const ada = await weir.addVisitor()
    const bind = (query: string, headers: Record<string, string> = {}) =>
      ada.send('GET', `/api/oauth/telegram/bind?${query}`, { headers })
    expect((await enter(signed(click()))).code).toBe('oauth.unbound')
    for (const query of [
      signed(click({ auth_date: String(begun - 3600) })),
      signed(click({ auth_date: String(begun + 3600) })),
      signed(click({ auth_date: 'NaN' })),
      signed(click(), '123:other'),
      signed(click()).replace('id=42', 'id=43'),
      signed(click()).replace(/hash=\w+/, 'hash='),
      signed(click()).replace('&auth_date', '&photo_url=x&auth_date'),
    ]) {
      expect((await enter(query)).code).toBe('oauth.refused')
      expect((await bind(query)).json.code).toBe('oauth.refused')
    }
    // The widget takes the browser there itself; no page of another site may.
    const byWidget = { 'new-api-user': '', 'sec-fetch-site': 'cross-site' }
    expect((await bind(signed(click()), byWidget)).json.code).toBe('access.header_required')
    const done = await bind(signed(click()), { ...byWidget, 'sec-fetch-site': 'same-origin' })
    expect([done.status, done.headers.location]).toEqual([302, '/setting'])
    const mine = signed(click())
    expect((await enter(mine)).data.id).toBe(ada.user.id)
    expect((await enter(mine)).code).toBe('oauth.refused')
    expect((await enter(mine.replace(/hash=\w+/, (hash) => hash.toUpperCase().replace('HASH', 'hash')))).code).toBe(
      'oauth.refused',
    )
    await weir.changeUser(ada.user.id, { status: 2 })
    expect((await enter(signed(click()))).code).toBe('access.banned')
  })
})
