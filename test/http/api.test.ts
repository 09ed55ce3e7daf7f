// The JSON API as any client meets it: envelope, paths, languages, and who is let in.
import { expect, it } from 'vitest'
import { FileDownload, EventStream } from '../../core/contract/replies.ts'
import { endpointsByName } from '../../core/contracts.ts'
import { describeWithOwnGateway } from '../support/gateway.ts'
import { listFailures } from '../support/list-failures.ts'
import { send } from '../support/server.ts'
import { pickInTurn } from '../support/suite.ts'

const filled = (path: string) => path.replace(/\{\w+\}/g, '1')
const all = [...endpointsByName].map(([name, { method, path, access, changes, reply }]) => ({
  ...{ name, path: filled(path), access, isFile: reply === FileDownload || reply === EventStream },
  // Where a GET changes something, its POST twin is the one that needs no more than others.
  method: changes ? ('POST' as const) : method,
}))
const indexOf = (name: string) => all.findIndex((each) => each.name === name)
const reads = all.filter(({ method }) => method === 'GET')

describeWithOwnGateway('the JSON API', (weir) => {
  it('answers every success in the envelope, with a slash at its end and without', async () => {
    const wrong = await listFailures(
      reads.filter(({ name }) => name !== 'auth.logout'),
      ({ name }) => name,
      async ({ method, path, isFile }) => {
        const plain = path.replace(/\/$/, '')
        const [without, slashed] = [await weir.root.send(method, plain), await weir.root.send(method, `${plain}/`)]
        expect([200, 401]).toContain(without.status)
        expect(slashed.status).toBe(without.status)
        // A file says when it was made.
        if (isFile) return
        const { json, headers } = without
        expect({ ...slashed.json, data: undefined }).toEqual({ ...json, data: undefined })
        expect(Object.keys(json)).toEqual(expect.arrayContaining(['success', 'message']))
        expect(headers['content-type']).toContain('application/json')
        if (json.success) expect(json).toMatchObject({ message: '', data: json.data ?? null })
        else expect(json.code).toMatch(/^\w+\.\w+$/)
      },
    )
    expect(wrong).toEqual([])
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
    // In `npm test` each endpoint is asked in one of these ways, all of them in turns.
    const foreign: { headers: Record<string, string>; code: string }[] = [
      {
        headers: { cookie: `weir_session=${'a'.repeat(43)}`, 'new-api-user': '1' },
        code: 'access.login_required',
      },
      ...[`Bearer ${ada.key}`, ada.token.key, 'Bearer undefined', "' or 1=1 --"].map((authorization) => ({
        headers: { authorization, 'new-api-user': String(weir.rootId) },
        code: 'access.token_invalid',
      })),
    ]
    const wrong = await listFailures(
      guarded,
      ({ name }) => name,
      async ({ method, path, name }) => {
        const nobody = await send(method, weir.url + path)
        expect(nobody.status).toBe(401)
        expect(nobody.json).toMatchObject({ success: false, code: 'access.login_required' })
        for (const { headers, code } of pickInTurn(foreign, indexOf(name), 1)) {
          const { json } = await send(method, weir.url + path, { headers })
          expect(json, JSON.stringify(headers)).toMatchObject({ success: false, code })
        }
      },
    )
    expect(wrong).toEqual([])
  })

  // By session: access.test.ts.
  it('refuses every role below its own by access token', async () => {
    for (const role of [1, 10] as const) {
      const visitor = await weir.addVisitor({ patch: { role } })
      const machine = weir.visitor({ accessToken: await visitor.client.users.accessToken() })
      const wrong = await listFailures(
        guarded.filter((each) => rank[each.access] > role),
        ({ name }) => name,
        async ({ method, path, access }) => {
          const { status, json } = await machine.send(method, path, method === 'GET' ? {} : { body: {} })
          expect(status).toBe(200)
          expect(json, `needs ${access}`).toMatchObject({ success: false, code: 'access.forbidden' })
        },
      )
      expect(wrong).toEqual([])
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
    const wrong = await listFailures(
      guarded.filter(({ access }) => access !== 'user'),
      ({ name }) => name,
      async ({ name, method, path }) => {
        for (const odd of pickInTurn(spellings(path), indexOf(name), 2)) {
          const { json, text } = await visitor.send(method, odd)
          expect(json?.success ?? false, odd).toBe(false)
          // What is not the API's is at most the console's page.
          if (json === undefined)
            expect(text, odd).toMatch(/^<!doctype html>|^Not Found$|^Bad Request$|^$|console is not built/i)
        }
      },
    )
    expect(wrong).toEqual([])
  })
})
