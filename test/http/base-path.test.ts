// The path that a host mounts Weir at: written in any way, taken off whoever has it, and nothing else.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toOwnAddress, getPathPrefix } from '../../http/base-path.ts'
import { createListener } from '../../http/server.ts'
import { openTestGateway, type TestGateway } from '../support/gateway.ts'
import { send } from '../support/server.ts'

describe('a base path', () => {
  it('is the same however its ends are written', () => {
    for (const basePath of ['ai', '/ai', 'ai/', '/ai/']) expect(getPathPrefix({ basePath })).toBe('/ai')
    for (const basePath of [undefined, '', '/']) expect(getPathPrefix({ basePath })).toBe('')
    expect(getPathPrefix({ basePath: '/tools/ai.v1/' })).toBe('/tools/ai.v1')
  })

  it('is a path', () => {
    for (const basePath of ['/a"b', '/a b', '/a;b', '/../ai', '/a//b', 'https://weir.example/ai', '/a?b', '/ü']) {
      expect(() => getPathPrefix({ basePath }), basePath).toThrow(TypeError)
    }
  })

  it('stands before what is below it, whether the host takes it off or not', () => {
    const own = (url: string, originalUrl?: string) =>
      toOwnAddress('/ai', { url, originalUrl } as unknown as IncomingMessage)
    expect(own('/ai')).toBe('/')
    expect(own('/ai?a=b')).toBe('/?a=b')
    expect(own('/ai/v1/models?a=b')).toBe('/v1/models?a=b')
    expect(own('http://weir.example/ai/v1/models')).toBe('/v1/models')
    expect(own('/v1/models', '/ai/v1/models')).toBe('/v1/models')
    for (const url of ['/', '/aix', '/aix/v1', '/v1/models', '/AI/']) expect(own(url), url).toBeUndefined()
  })
})

describe('a host', () => {
  let weir: TestGateway
  beforeAll(async () => {
    weir = await openTestGateway()
    afterAll(() => weir.close())
  })

  it('that reads bodies before Weir is told where to mount it, in the words of each API', async () => {
    const app = express()
    app.use(express.json())
    app.use('/ai', createListener(weir.gateway, { basePath: '/ai' }))
    const server = createServer(app).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ai`
    const ada = await weir.addCaller({ quota: 1_000_000 })
    await weir.addChannel()
    const headers = { authorization: `Bearer ${ada.key}` }
    const body = { model: weir.model, messages: [{ role: 'user', content: 'Hello' }] }
    const message = expect.stringContaining('mount Weir before its body parsers')
    const chat = await send('POST', `${url}/v1/chat/completions`, { headers, body })
    expect(chat).toMatchObject({ status: 500, json: { error: { message } } })
    const login = await send('POST', `${url}/api/user/login`, { body: { username: 'root', password: 'x' } })
    expect(login).toMatchObject({ status: 500, json: { success: false, message, code: 'request.taken' } })
    server.closeAllConnections()
    server.close()
  })
})
