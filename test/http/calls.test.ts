// The table of all calls: each is declared as the specification writes it, answers so, and is verified by somebody.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import { endpointsByName } from '../../core/contracts.ts'
import { describeWithOwnGateway, eventually } from '../support/gateway.ts'
import { PAGE, page } from './calls-page.ts'
import { callsWorld, type CallsWorld } from './calls-world.ts'
import { beyond, specified, type SpecifiedCall } from './calls.data.ts'

/** A call as it is written, taken apart. */
function read(call: string) {
  const [, method = '', path = '', query = '', body = ''] =
    /^(\w+) ([^?\s]+)(?:\?(\S+))?(?: \{(.*)\})?$/.exec(call) ?? []
  const names = (list: string, between: RegExp) => list.split(between).filter((name) => name !== '')
  return { method, path, query: names(query, /&/), body: names(body, /, /) }
}

const plain = (path: string) => path.replace(/\/$/, '').replace(/\{\w+\}/g, '{}')
const declared = (name: string): Endpoint => endpointsByName.get(name)!
const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/** Does the test ask this endpoint: by its typed call, by its name, or at its path? */
function asks(file: string, name: string): boolean {
  const [, operation = ''] = name.split('.')
  const text = readFileSync(here(file), 'utf8')
  const [start = '', ...rest] = plain(declared(name).path).split('{}')
  const atPath = text.includes(start) && rest.every((part) => text.includes(part))
  return atPath || new RegExp(`\\b${operation}\\(|'(\\w+\\.)?${operation}'`).test(text)
}

describe('the table of all calls', () => {
  it('has every endpoint in one of its parts, declared for who may ask', () => {
    const access: Record<string, string> = Object.fromEntries([
      ...specified.map(({ endpoint, who }) => [endpoint, who]),
      ...Object.entries(beyond).map(([name, { who }]) => [name, who]),
    ])
    const declaredAccess = Object.fromEntries([...endpointsByName].map(([name, endpoint]) => [name, endpoint.access]))
    expect(access).toEqual(declaredAccess)
  })

  it.each(specified)('$call is declared with exactly this method, path, query and body', ({ call, endpoint }) => {
    const { method, path, query, body } = read(call)
    const found = declared(endpoint)
    expect(found.method).toBe(method)
    expect(plain(found.path)).toBe(plain(path))
    expect(Object.keys(found.query?.shape ?? {})).toEqual(expect.arrayContaining(query))
    expect(Object.keys(found.body?.shape ?? {})).toEqual(expect.arrayContaining(body))
  })

  it('names tests that are there and ask the call', () => {
    const named = [
      ...specified.flatMap(({ endpoint, also }) => (also ? [[endpoint, also] as const] : [])),
      ...Object.entries(beyond).map(([name, { by }]) => [name, by] as const),
    ]
    for (const [name, file] of named) {
      expect(existsSync(here(file)), `${name}: ${file}`).toBe(true)
      expect(asks(file, name), `${name} is not asked in ${file}`).toBe(true)
    }
    for (const { call, reply, refused, also } of specified) {
      expect(reply !== undefined || (refused !== undefined && also !== undefined), call).toBe(true)
    }
  })

  it('is written in http/CALLS.md as it is here (npx tsx test/http/calls-page.ts)', () => {
    expect(readFileSync(PAGE, 'utf8')).toBe(page())
  })
})

describeWithOwnGateway('every call of the specification', (weir) => {
  it(
    'answers with what the specification says, with a slash at its end and without',
    { timeout: 180_000 },
    async () => {
      const world = await callsWorld(weir)
      for (const row of specified) {
        const path = read(row.call).path.replace(/\/$/, '')
        for (const end of ['', '/']) await answers(world, row, path, end)
      }
    },
  )
})

async function answers(world: CallsWorld, row: SpecifiedCall, path: string, end: string): Promise<void> {
  const { params = {}, query = {}, body } = (await row.ask?.(world)) ?? {}
  const { method } = read(row.call)
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]))
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const asker = world.standIn ?? (row.who === 'public' ? world.weir.visitor() : world.askers[row.who])
  delete world.standIn
  const nobody: Record<string, string> = row.who === 'public' ? { 'new-api-user': '-1' } : {}
  const url = `${filled}${end}${search.size > 0 ? `?${search}` : ''}`
  const ask = async () => (await asker.send(method, url, { headers: nobody, ...(body ? { body } : {}) })).json
  // One test of all channels at a time.
  const json = await eventually(ask, ({ code }) => code !== 'channel.testing')
  const said = `${row.call} at ${url}: ${JSON.stringify(json)?.slice(0, 300)}`
  if (row.refused !== undefined) {
    expect(json, said).toMatchObject({ success: false, code: row.refused })
    return
  }
  expect(json, said).toMatchObject({ success: true, message: expect.any(String), ...row.beside })
  expect(json.data, said).toEqual(Array.isArray(row.reply) ? row.reply.map(loosely) : loosely(row.reply))
}

/** An object with these fields, and more; anything else as it is. */
const loosely = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
    ? expect.objectContaining(value)
    : value
