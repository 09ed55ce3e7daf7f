// The JSON API as any client meets it: envelope, paths, languages, and who is let in.
import { expect, it } from 'vitest'
import { Download } from '../../core/contract/download.ts'
import { EventStream } from '../../core/contract/event-stream.ts'
import { endpoints } from '../../core/contracts.ts'
import { describeWithOwnGateway } from '../support/gateway.ts'
import { send } from '../support/server.ts'

const filled = (path: string) => path.replace(/\{\w+\}/g, '1')
const all = [...endpoints].map(([name, { method, path, access, changes, reply }]) => ({
  ...{ name, path: filled(path), access, isFile: reply === Download || reply === EventStream },
  // Where a GET changes something, its POST twin is the one that needs no more than others.
  method: changes ? ('POST' as const) : method,
}))
const reads = all.filter(({ method }) => method === 'GET')

describeWithOwnGateway('the JSON API', (weir) => {
  it('answers every success in the envelope, with all its keys', async () => {
    for (const { method, path } of reads.filter(({ name, isFile }) => name !== 'auth.logout' && !isFile)) {
      const { json, headers } = await weir.root.send(method, path)
      expect(Object.keys(json), path).toEqual(expect.arrayContaining(['success', 'message']))
      expect(headers['content-type'], path).toContain('application/json')
      if (json.success) expect(json, path).toMatchObject({ message: '', data: json.data ?? null })
      else expect(json.code, path).toMatch(/^\w+\.\w+$/)
    }
  })

  it('treats a trailing slash as absent and never redirects', async () => {
    for (const { method, path, isFile } of reads.filter(({ name }) => name !== 'auth.logout')) {
      const plain = path.replace(/\/$/, '')
      const [without, slashed] = [await weir.root.send(method, plain), await weir.root.send(method, `${plain}/`)]
      expect([200, 401], path).toContain(without.status)
      expect(slashed.status, path).toBe(without.status)
      // A file says when it was made.
      if (!isFile) expect({ ...slashed.json, data: undefined }, path).toEqual({ ...without.json, data: undefined })
    }
  })

  it('answers unknown paths and methods with 404 in the envelope', async () => {
    for (const [method, path] of [
      ['GET', '/api/nothing'],
      ['GET', '/api'],
      ['GET', '/api/user/1/2/3'],
      ['GET', '/apisomething'],
    ] as const) {
      const { status, json } = await weir.root.send(method, path)
      expect(status, path).toBe(404)
      expect(json, path).toEqual({
        success: false,
        message: `Invalid URL (${method} ${path})`,
        code: 'request.unknown_path',
      })
    }
  })

  it('speaks the language of who asks', async () => {
    const ask = async (language: string) =>
      (await send('GET', `${weir.url}/api/user/self`, { headers: { 'accept-language': language } })).json.message
    expect(await ask('en-GB,en;q=0.9,zh;q=0.1')).toBe('not logged in or login expired')
    expect(await ask('zh-CN,zh;q=0.9')).toBe('尚未登录或登录已失效，请再次登录')
    expect(await ask('fr')).toBe('not logged in or login expired')
  })

  it('serves its own description, of every endpoint', async () => {
    const { json } = await send('GET', `${weir.url}/api/openapi.json`)
    expect(json.openapi).toMatch(/^3\./)
    for (const [name, { method, path: typed }] of endpoints) {
      const path = typed.replace(/\/$/, '')
      expect(Object.keys(json.paths), name).toContain(path)
      expect(json.paths[path][method.toLowerCase()], name).toBeTruthy()
    }
  })

  it('refuses bodies that are no JSON objects, too large, or not called JSON', async () => {
    const post = (body: string, type = 'application/json') =>
      weir.root.send('POST', '/api/token/', { headers: { 'content-type': type }, body })
    for (const body of ['{', '[]', '"text"', 'null', '5']) expect((await post(body)).status, body).toBe(400)
    expect((await post(`{"name":"${'x'.repeat(5 * 1024 * 1024)}"}`)).status).toBe(413)
    // What a form on a foreign page can send.
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', '']) {
      const { status, json } = await post('{"name":"planted"}', type)
      expect(status, type).toBe(400)
      expect(json.code, type).toBe('request.unreadable')
    }
    expect((await weir.root.client.tokens.list()).data).toEqual([])
  })

  it('says which field is wrong', async () => {
    const { status, json } = await weir.root.send('POST', '/api/token/', { body: { name: 'x', remain_quota: 'much' } })
    expect(status).toBe(200)
    expect(json).toMatchObject({
      success: false,
      code: 'request.invalid',
      message: expect.stringContaining('remain_quota'),
    })
  })

  it('lets the sites of the setting frame it, and no more', async () => {
    const headers = async () => (await send('GET', weir.url + '/api/status')).headers
    await weir.set('FrameAncestors', '["https://portal.example","https://*.corp.example:8443"]')
    const open = await headers()
    expect(open['content-security-policy']).toMatch(
      /frame-ancestors 'self' https:\/\/portal\.example https:\/\/\*\.corp\.example:8443$/,
    )
    expect(open['x-frame-options']).toBeUndefined()
    for (const bad of [
      '["*"]',
      '["https://a b"]',
      '["https://x; script-src *"]',
      '["javascript:1"]',
      '"x"',
      '["https://*"]',
    ]) {
      const { json } = await weir.root.send('PUT', '/api/option/', { body: { key: 'FrameAncestors', value: bad } })
      expect(json.success, bad).toBe(false)
    }
    await weir.set('FrameAncestors', '[]')
    expect((await headers())['x-frame-options']).toBe('SAMEORIGIN')
  })

  it('frames the sites of saved chats and of pages in the place of its own, and no others', async () => {
    const frames = async () => {
      const { headers } = await send('GET', weir.url + '/api/status')
      return /frame-src ([^;]*);/.exec(String(headers['content-security-policy']))?.[1]
    }
    expect(await frames()).toBe("'self'")
    const chats = [
      {
        'Next Chat': 'https://chat.example/#/?settings={"key":"{key}","url":"{address}"}',
        Other: 'http://lan:3000/{key}',
      },
      { Program: 'opencat://team/join?domain={address}&token={key}', Same: 'https://chat.example/two' },
    ]
    await weir.set('Chats', JSON.stringify(chats))
    expect(await frames()).toBe("'self' https://chat.example http://lan:3000")
    await weir.set('HomePageContent', 'https://www.example/welcome')
    await weir.set('About', '# no address: https://nowhere.example')
    expect(await frames()).toBe("'self' https://www.example https://chat.example http://lan:3000")
    await weir.set('TelegramBotToken', '1:secret')
    await weir.set('TelegramBotName', 'weir_bot')
    await weir.set('TelegramOAuthEnabled', true)
    expect(await frames()).toContain('https://oauth.telegram.org')
    await weir.set('TelegramOAuthEnabled', false)
    for (const key of ['HomePageContent', 'About']) await weir.set(key, '')
    await weir.set('Chats', '[]')
    expect(await frames()).toBe("'self'")
  })

  it('keeps its pages from being framed, sniffed or scripted by others', async () => {
    for (const path of ['/', '/api/status']) {
      const { headers } = await send('GET', weir.url + path)
      expect(headers['content-security-policy']).toMatch(/default-src 'self'.*frame-ancestors 'self'$/)
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['access-control-allow-origin']).toBeUndefined()
    }
  })
})

describeWithOwnGateway('every endpoint that is not public', (weir) => {
  const guarded = all.filter(({ access }) => access !== 'public')
  const rank = { public: 0, user: 1, admin: 10, root: 100 }

  it('A1: refuses nobody, a foreign session cookie, and an API token', async () => {
    const ada = await weir.addCaller({ quota: 100 })
    for (const { method, path } of guarded) {
      const nobody = await send(method, weir.url + path)
      expect(nobody.status, path).toBe(401)
      expect(nobody.json, path).toMatchObject({ success: false, code: 'access.login_required' })
      const cookie = await send(method, weir.url + path, {
        headers: { cookie: `weir_session=${'a'.repeat(43)}`, 'new-api-user': '1' },
      })
      expect(cookie.json?.code, path).toBe('access.login_required')
      for (const authorization of [`Bearer ${ada.key}`, ada.token.key, 'Bearer undefined', "' or 1=1 --"]) {
        const key = await send(method, weir.url + path, {
          headers: { authorization, 'new-api-user': String(weir.rootId) },
        })
        expect(key.json, path).toMatchObject({ success: false, code: 'access.token_invalid' })
      }
    }
  })

  it('refuses every role below its own, by session and by access token', async () => {
    for (const role of [1, 10] as const) {
      const visitor = await weir.addVisitor({ patch: { role } })
      const accessToken = await visitor.client.users.accessToken()
      const machine = weir.visitor({ accessToken })
      for (const { method, path, access } of guarded.filter((each) => rank[each.access] > role)) {
        for (const asker of [visitor, machine]) {
          const { status, json } = await asker.send(method, path, method === 'GET' ? {} : { body: {} })
          expect(status, path).toBe(200)
          expect(json, `${path} needs ${access}`).toMatchObject({ success: false, code: 'access.forbidden' })
        }
      }
    }
  })

  it('A2: decides alike for odd spellings of its path', async () => {
    const visitor = await weir.addVisitor()
    const spellings = (path: string) => {
      const plain = path.replace(/\/$/, '')
      const [, api, ...rest] = plain.split('/')
      return [
        `/${api?.toUpperCase()}/${rest.join('/')}`,
        `/${plain}`,
        `/${api}//${rest.join('/')}`,
        `/${api}/${rest.join('%2F')}`,
        `/%61pi/${rest.join('/')}`,
        `${plain};role=100`,
        `${plain}/.`,
        `${plain}%00`,
        `${plain}.`,
        `${plain}?access=root`,
      ]
    }
    for (const { name, method, path } of guarded.filter(({ access }) => access !== 'user' && access !== 'public')) {
      for (const odd of spellings(path)) {
        const { json, text } = await visitor.send(method, odd)
        expect(json?.success ?? false, `${name} at ${odd}`).toBe(false)
        // What is not the API's is at most the console's page.
        if (json === undefined)
          expect(text, odd).toMatch(/^<!doctype html>|^Not Found$|^Bad Request$|^$|console is not built/i)
      }
    }
  })
})
