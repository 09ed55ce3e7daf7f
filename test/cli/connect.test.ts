import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  connectToGateway,
  openToServe,
  type ConnectOptions,
  type LocalGatewayAccess,
} from '../../cli/connection/connect.ts'
import { toCliFailure } from '../../cli/failure.ts'
import type { Config } from '../../core/config.ts'
import { createClient } from '../../core/contract/client.ts'
import { apiContract } from '../../core/contracts.ts'
import { fakeServer, until } from '../support/terminal.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'weir-connect-'))
})
afterEach(() => rm(folder, { recursive: true }))

const configFor = (data: string): Config => ({
  host: '127.0.0.1',
  port: 3000,
  data,
  log_level: 'silent',
  log_format: 'json',
})
const socketIn = (data: string) => path.join(data, 'weir.sock')
const closed = { count: 0 }
const inProcess: LocalGatewayAccess = {
  socketPath: ({ data }) => socketIn(data),
  openGateway: async () => ({
    client: createClient(apiContract, async (name) => `in process: ${name}`),
    close: async () => {
      closed.count += 1
    },
  }),
}
const options = (more: Partial<ConnectOptions> = {}): ConnectOptions => ({
  language: 'en',
  config: () => configFor(folder),
  localAccess: inProcess,
  ...more,
})
const yes = (data: unknown, beside = {}) => ({ body: { success: true, message: '', data, ...beside } })

describe('a server by address', () => {
  it('gets typed calls as requests, with the access token and the language', async () => {
    const server = await fakeServer(() => yes([]))
    const { client, via } = await connectToGateway(
      options({ server: `${server.url}/`, accessToken: 'secret', language: 'zh' }),
    )
    await client.channels.list({ p: 2, page_size: 5 })
    await client.tokens.create({ name: 'a' })
    await client.tokens.delete({ id: 7 })
    await server.close()
    expect(via).toBe('remote')
    expect(server.seen.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', '/api/channel/?p=2&page_size=5', ''],
      ['POST', '/api/token/', '{"name":"a"}'],
      ['DELETE', '/api/token/7', ''],
    ])
    expect(server.seen[0]?.headers).toMatchObject({ authorization: 'Bearer secret', 'accept-language': 'zh' })
  })

  it('gives the fields beside the data where the endpoint declares some', async () => {
    const server = await fakeServer(() => yes(null, { time: 0.5, extra: 1 }))
    const { client } = await connectToGateway(options({ server: server.url }))
    expect(await client.channels.test({ id: 1 })).toEqual({ data: null, time: 0.5 })
    await server.close()
  })

  it('tells each field that a server refuses', async () => {
    const fields = [
      { field: 'name', message: 'Name (name) is missing' },
      { field: 'type', message: 'Type (type) is missing' },
    ]
    const server = await fakeServer(() => ({
      body: { success: false, message: fields[0]!.message, code: 'request.invalid', fields },
    }))
    const { client } = await connectToGateway(options({ server: server.url }))
    const refusal: unknown = await client.channels.get({ id: 1 }).catch((error: unknown) => error)
    await server.close()
    expect(toCliFailure(refusal, 'en')).toMatchObject({ exit: 2, message: fields[0]!.message, fields })
  })

  it('gives a refusal its message and code', async () => {
    const server = await fakeServer(() => ({
      body: { success: false, message: 'Channel not found', code: 'channel.missing' },
    }))
    const { client } = await connectToGateway(options({ server: server.url }))
    await expect(client.channels.get({ id: 1 })).rejects.toMatchObject({
      message: 'Channel not found',
      code: 'channel.missing',
    })
    await server.close()
  })

  it('says what is wrong where no Weir answers', async () => {
    const server = await fakeServer(() => ({ status: 502, body: '<html>Bad Gateway</html>' }))
    const { client } = await connectToGateway(options({ server: server.url }))
    await expect(client.site.status()).rejects.toThrow(/a proxy in between answered with status 502/)
    await server.close()
    await expect(client.site.status()).rejects.toThrow(/the connection was refused \(is the server running/)
  })

  it('refuses an address that is none', async () => {
    await expect(connectToGateway(options({ server: 'http://' }))).rejects.toThrow(/is not an address/)
  })
})

describe('the Weir on this machine', () => {
  it('is reached through the socket of a running server', async () => {
    const server = await fakeServer(() => yes('over the socket'), socketIn(folder))
    const { client, via } = await connectToGateway(options())
    expect([via, await client.site.notice()]).toEqual(['socket', 'over the socket'])
    await server.close()
  })

  it('is opened in this process where no server runs, and closed afterwards', async () => {
    const { client, via, close } = await connectToGateway(options())
    expect([via, await client.site.notice()]).toEqual(['process', 'in process: site.notice'])
    await close()
    expect(closed.count).toBe(1)
  })

  describe('where another process has it', () => {
    // The clock stands still, so that patience ends when the test says so, however busy the machine is.
    beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
    afterEach(() => void vi.useRealTimers())

    /** A door that is refused for its first attempts. */
    function ownedDoor(refusals: number) {
      const seen = { attempts: 0 }
      const openGateway: LocalGatewayAccess['openGateway'] = async (config) => {
        seen.attempts += 1
        if (seen.attempts > refusals) return inProcess.openGateway(config)
        throw Object.assign(new Error('Another process has it.'), { code: 'owned' })
      }
      return { seen, door: { ...inProcess, openGateway } }
    }

    it('is waited for while its owner is only starting', async () => {
      const { seen, door } = ownedDoor(Infinity)
      const connecting = connectToGateway(options({ localAccess: door }))
      await until(() => seen.attempts > 0)
      const server = await fakeServer(() => yes('late'), socketIn(folder))
      const { client, via } = await connecting
      expect([via, await client.site.notice()]).toEqual(['socket', 'late'])
      await server.close()
    })

    it('is not waited for much longer than a start takes', async () => {
      const { seen, door } = ownedDoor(Infinity)
      const connecting = connectToGateway(options({ localAccess: door })).catch((error: Error) => error.message)
      await until(() => seen.attempts > 1)
      vi.setSystemTime(Date.now() + 7000)
      expect(await connecting).toBe('Another process has it.')
    })

    it('is waited for by a server while a command has it for a moment, and not while a server runs', async () => {
      const { seen, door } = ownedDoor(2)
      await (await openToServe(door, configFor(folder))).close()
      expect(seen.attempts).toBe(3)
      const server = await fakeServer(() => yes('here'), socketIn(folder))
      const busy = ownedDoor(Infinity)
      await expect(openToServe(busy.door, configFor(folder))).rejects.toThrow('Another process has it.')
      expect(busy.seen.attempts).toBe(1)
      await server.close()
    })
  })

  it('is not made by a command that only looks', async () => {
    const missing = options({ config: () => configFor(path.join(folder, 'typo')) })
    await expect(connectToGateway(missing)).rejects.toThrow(/No Weir in .*typo: run `weir init`/)
    expect((await connectToGateway({ ...missing, create: true })).via).toBe('process')
  })
})
