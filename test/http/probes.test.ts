// /healthz and /readyz are public, reveal nothing secret, and do not use the database.
import { once } from 'node:events'
import { rename } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { getReadiness, type probePathDocument, type ServerReadiness } from '../../http/probes.ts'
import { createListener } from '../../http/server.ts'
import { describeWithGateway, eventually } from '../support/gateway.ts'
import { send } from '../support/server.ts'

interface Told {
  content: { 'application/json': { schema: { properties: { status: { enum: string[] } } } } }
}
const SAID = { '/healthz': 'alive', '/readyz': 'ready' } as const

describeWithGateway('a probe', (weir, kind) => {
  describe.each(Object.entries(SAID))('of %s', (path, status) => {
    it('is answered to anybody, and kept by nobody', async () => {
      const got = await send('GET', weir.url + path)
      expect(got).toMatchObject({ status: 200, json: { status }, headers: { 'cache-control': 'no-store' } })
      expect(await send('GET', `${weir.url + path}?at=1`)).toMatchObject({ status: 200, json: { status } })
      const head = await send('HEAD', weir.url + path)
      expect(head).toMatchObject({ status: 200, text: '', headers: { 'content-length': String(got.text.length) } })
      for (const method of ['POST', 'DELETE'])
        expect(await send(method, weir.url + path)).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
    })
  })

  it('stands in the OpenAPI document with all that it may say', async () => {
    const { paths } = (await send('GET', `${weir.url}/api/openapi.json`)).json as { paths: typeof probePathDocument }
    const saidOf = (path: string) =>
      Object.entries(paths[path]!.get!.responses as Record<string, Told>).map(
        ([status, { content }]) => [status, content['application/json'].schema.properties.status.enum] as const,
      )
    expect(saidOf('/healthz')).toEqual([['200', ['alive']]])
    const stages = (['starting', 'stopping'] as const).map((stage) => getReadiness({ stage }))
    const away = getReadiness({ stage: 'ready' }, { takesCalls: () => false })
    expect(saidOf('/readyz')).toEqual([
      ['200', [getReadiness({ stage: 'ready' })]],
      ['503', [...stages, away]],
    ])
  })

  it('is answered below the path that everything is served at, and without it', async () => {
    const readiness: ServerReadiness = { stage: 'ready' }
    const server = createServer(createListener(weir.gateway, { basePath: '/ai', readiness })).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const answers = async (path: string) =>
      Promise.all([path, `/ai${path}`].map(async (each) => (await send('GET', url + each)).json?.status as unknown))
    for (const [path, status] of Object.entries(SAID)) expect(await answers(path)).toEqual([status, status])
    expect((await send('GET', `${url}/elsewhere`)).status).toBe(404)
    for (const stage of ['starting', 'stopping'] as const) {
      readiness.stage = stage
      expect(await answers('/readyz')).toEqual([stage, stage])
      expect(await answers('/healthz')).toEqual(['alive', 'alive'])
    }
    expect(await send('GET', `${url}/readyz`)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
    server.closeAllConnections()
    server.close()
  })

  it('says that storage is away while calls cannot begin, and that it is back without any call', async () => {
    const away = kind === 'sqlite' ? await movedFile(weir.config.data) : await movedTable(weir.config.database!)
    const ready = () => send('GET', `${weir.url}/readyz`)
    const gone = await eventually(ready, ({ status }) => status === 503, 10_000)
    expect(gone.json).toEqual({ status: 'storage_away' })
    expect((await send('GET', `${weir.url}/healthz`)).status).toBe(200)
    await away.back()
    await eventually(ready, ({ status }) => status === 200, 10_000)
  }, 30_000)
})

async function movedFile(folder: string) {
  const [file, aside] = [join(folder, 'weir.db'), join(folder, 'aside.db')]
  await rename(file, aside)
  return { back: () => rename(aside, file) }
}

async function movedTable(connectionString: string) {
  const run = async (sql: string) => {
    const client = new pg.Client({ connectionString })
    await client.connect()
    await client.query(sql)
    await client.end()
  }
  await run('alter table leases rename to leases_aside')
  return { back: () => run('alter table leases_aside rename to leases') }
}
