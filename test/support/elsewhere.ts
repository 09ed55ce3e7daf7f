// Stand-ins on this machine for services of the internet: what Weir sends to a named host arrives here, through the
// guarded way out like everything else.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'
import type { WebClient } from '../../core/ports/web.ts'

export interface AskedElsewhere {
  host: string
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  text: string
}

/** A body that is no text goes as JSON. */
export type Service = (asked: AskedElsewhere) => { status?: number; body: unknown }

export interface Elsewhere {
  seen: AskedElsewhere[]
  /** For `openGateway`; the gateway must allow 127.0.0.0/8. */
  web(guarded: WebClient): WebClient
}

/** Serves hosts for the test file (or the surrounding `describe`). */
export function startElsewhere(services: Record<string, Service>): Elsewhere {
  const seen: AskedElsewhere[] = []
  let here = ''
  const server = createServer((request, response) => {
    void (async () => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://here')
      const [, host = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(pathname) ?? []
      const text = Buffer.concat(parts).toString('utf8')
      const asked = { host, method: request.method ?? '', path, query: searchParams, headers: request.headers, text }
      seen.push(asked)
      const { status = 200, body } = services[host]?.(asked) ?? { status: 404, body: 'no such host' }
      response.writeHead(status, { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json' })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    })()
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return {
    seen,
    web: (guarded) => ({
      send(request) {
        const { host, pathname, search } = new URL(request.url)
        const known = Object.hasOwn(services, host)
        return guarded.send(known ? { ...request, url: `${here}/${host}${pathname}${search}` } : request)
      },
    }),
  }
}
