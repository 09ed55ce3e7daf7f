// The contract as a whole: addresses, the client, HTTP requests and the OpenAPI document.
import { describe, expect, test } from 'vitest'
import { createClient, toOutline, toHttpRequest } from '../../../core/contract/client.ts'
import type { Endpoint } from '../../../core/contract/endpoint.ts'
import { apiContract, endpointsByName } from '../../../core/contracts.ts'
import { servedEndpoints } from '../../../core/endpoints.ts'
import { buildOpenapiDocument } from '../../../core/contract/openapi.ts'
import { listFailures } from '../../support/list-failures.ts'

const all = [...endpointsByName]
const nameEndpoint = ([name]: [string, Endpoint]) => name
const keysOf = (shape: Endpoint['body']) => Object.keys(shape?.shape ?? {})

describe('an endpoint', () => {
  test('names its parameters once, each of them in its path', async () => {
    const failures = await listFailures(all, nameEndpoint, ([, { path, params, query, body, method }]) => {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(keysOf(params).sort()).toEqual(inPath.sort())
      const names = [...keysOf(params), ...keysOf(query), ...keysOf(body)]
      expect(new Set(names).size).toBe(names.length)
      if (method === 'GET') expect(body).toBeUndefined()
      expect(path).toMatch(/^\/api\//)
    })
    expect(failures).toEqual([])
  })

  test('has a summary in both languages', () => {
    const without = all.filter(([, { summary }]) => Math.min(summary.en.length, summary.zh.length * 3) <= 5)
    expect(without.map(([name]) => name)).toEqual([])
  })

  test('has an address of its own', () => {
    const addresses = all.map(
      ([, { method, path }]) => `${method} ${path.replace(/\{\w+\}/g, '{}').replace(/\/$/, '')}`,
    )
    expect(addresses.filter((address, index) => addresses.indexOf(address) !== index)).toEqual([])
  })
})

describe('the client', () => {
  test('has one function for each endpoint, and sends its name, declaration and input', async () => {
    const sent: unknown[] = []
    const client = createClient(apiContract, async (...call) => sent.push(call)) as unknown as Record<
      string,
      Record<string, (input?: object) => Promise<unknown>>
    >
    for (const [name, endpoint] of all) {
      const [feature = '', operation = ''] = name.split('.')
      await client[feature]?.[operation]?.({ id: 3 })
      expect(sent.pop()).toEqual([name, endpoint, { id: 3 }])
      await client[feature]?.[operation]?.()
      expect(sent.pop()).toEqual([name, endpoint, {}])
    }
  })
})

describe('a request over HTTP', () => {
  test('puts each field where it belongs', () => {
    const token = apiContract.tokens.update as unknown as Endpoint
    expect(toHttpRequest(toOutline(token), { id: 7, name: 'a b', status_only: 'true', group: undefined })).toEqual({
      method: 'PUT',
      path: '/api/token/?status_only=true',
      body: { id: 7, name: 'a b' },
    })
    const get = apiContract.tokens.get as unknown as Endpoint
    expect(toHttpRequest(toOutline(get), { id: 'a/b?c' })).toEqual({ method: 'GET', path: '/api/token/a%2Fb%3Fc' })
    const search = apiContract.users.search as unknown as Endpoint
    expect(toHttpRequest(toOutline(search), { keyword: 'ä&b', p: 2, group: '' }).path).toBe(
      '/api/user/search?p=2&keyword=%C3%A4%26b',
    )
  })

  test('reads the parts of every endpoint back from the request that was built of them', async () => {
    const failures = await listFailures(all, nameEndpoint, ([, endpoint]) => {
      const sample = (names: string[]) => Object.fromEntries(names.map((name, index) => [name, `value ${index}/ü`]))
      const parts = {
        params: sample(keysOf(endpoint.params)),
        query: sample(keysOf(endpoint.query)),
        body: sample(keysOf(endpoint.body)),
      }
      const request = toHttpRequest(toOutline(endpoint), { ...parts.params, ...parts.query, ...parts.body })
      const url = new URL(request.path, 'http://127.0.0.1')
      expect(Object.fromEntries(url.searchParams)).toEqual(parts.query)
      expect(request.body).toEqual(endpoint.body ? parts.body : undefined)
      const pattern = new RegExp(`^${endpoint.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
      const found = pattern.exec(url.pathname)
      expect(found).not.toBeNull()
      const params = Object.entries(found?.groups ?? {}).map(([name, text]) => [name, decodeURIComponent(text)])
      expect(Object.fromEntries(params)).toEqual(parts.params)
    })
    expect(failures).toEqual([])
  })
})

describe('the OpenAPI document', () => {
  interface Operation {
    operationId: string
    summary: string
    security?: unknown[]
    parameters: { name: string; in: string; required: boolean; schema: unknown }[]
    requestBody?: { content: { 'application/json': { schema: { type: string; properties: object } } } }
    responses: Record<string, { description: string; content: unknown }>
  }
  const document = buildOpenapiDocument(servedEndpoints, { version: '1.2.3', server: '/' }) as {
    openapi: string
    info: unknown
    paths: Record<string, Record<string, Operation>>
  }

  test('is JSON of version 3.1 that names itself', () => {
    expect(JSON.parse(JSON.stringify(document))).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Weir', version: '1.2.3' },
    })
  })

  test('holds every endpoint', async () => {
    const failures = await listFailures(all, nameEndpoint, ([name, endpoint]) => {
      const operation = document.paths[endpoint.path.replace(/\/$/, '')]?.[endpoint.method.toLowerCase()]
      expect(operation).toMatchObject({ operationId: name, summary: endpoint.summary.en })
      expect(operation?.responses['200']).toBeDefined()
      expect(operation?.security?.length !== 0).toBe(endpoint.access !== 'public')
      const parameters = (operation?.parameters ?? []).filter((each) => each.in !== 'header')
      expect(parameters.map((each) => each.name).sort()).toEqual(
        [...keysOf(endpoint.params), ...keysOf(endpoint.query)].sort(),
      )
      for (const each of parameters) {
        expect(each.in).toBe(keysOf(endpoint.params).includes(each.name) ? 'path' : 'query')
        // A path without its parameter is another path.
        if (each.in === 'path') expect(each.required).toBe(true)
      }
      const body = operation?.requestBody?.content['application/json'].schema
      expect(Object.keys(body?.properties ?? {}).sort()).toEqual(keysOf(endpoint.body).sort())
    })
    expect(failures).toEqual([])
  })

  test('holds nothing that is not in the contract', () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((each) => each.operationId),
    )
    expect(ids.sort()).toEqual(
      // A GET that changes something has a POST twin.
      all.flatMap(([name, { changes }]) => (changes ? [name, `${name}.post`] : [name])).sort(),
    )
  })
})
