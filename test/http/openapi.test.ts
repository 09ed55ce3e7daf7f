// The OpenAPI document as tools read it: a linter, a validator of examples, and a generator of clients.
import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { generateSource } from 'oazapfts'
import { beforeAll, describe, expect, it } from 'vitest'
import { endpointsByName } from '../../core/contracts.ts'
import { CALL_PATHS } from '../../http/relay-paths.ts'
import { describeWithGateway } from '../support/gateway.ts'
import type { Json } from '../support/json.ts'
import { pickInTurn } from '../support/suite.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

interface Operation {
  operationId: string
  summary?: string
  description?: string
  tags: string[]
  parameters?: Json[]
  requestBody?: Json
  responses: Record<string, Json>
}

const operationsOf = (document: Json): Operation[] =>
  Object.values(document.paths as Record<string, Record<string, Operation>>).flatMap((each) => Object.values(each))

/** Every field in a document that says nothing of what it means. */
function* untold(value: unknown, place: string): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  const { properties, examples: _examples, example: _example, ...rest } = value as Json
  for (const [name, field] of Object.entries((properties ?? {}) as Record<string, Json>)) {
    if (!field.$ref && !field.description) yield `${place}: ${name}`
    yield* untold(field, `${place}.${name}`)
  }
  for (const [key, each] of Object.entries(rest)) yield* untold(each, place === '' ? key : place)
}

describeWithGateway('the OpenAPI document', (weir, kind) => {
  let text = ''
  let document: Json
  beforeAll(async () => {
    text = await (await fetch(`${weir.url}/api/openapi.json`)).text()
    document = JSON.parse(text)
  })

  it('says what every operation is for, and what every field means', () => {
    const tags = new Set((document.tags as Json[]).map(({ name }) => name))
    for (const { operationId, summary, description, tags: own } of operationsOf(document)) {
      expect(summary && description, operationId).toBeTruthy()
      expect(own.filter((tag) => !tags.has(tag))).toEqual([])
    }
    const told = operationsOf(document).flatMap((operation) => [...untold(operation, operation.operationId)])
    expect([...told, ...untold(document.components.schemas, '')]).toEqual([])
    const silent = operationsOf(document).flatMap(({ operationId, parameters = [] }) =>
      parameters.filter((each) => !each.description).map(({ name }) => `${operationId}: ${name}`),
    )
    expect(silent).toEqual([])
  })

  it('holds the contract and the paths of the relay', () => {
    expect(document.openapi).toMatch(/^3\./)
    for (const { path, method } of endpointsByName.values()) {
      expect(document.paths[path.replace(/\/$/, '')]?.[method.toLowerCase()], path).toBeDefined()
    }
    for (const path of Object.keys(CALL_PATHS)) expect(document.paths[path]?.post, path).toBeDefined()
  })

  it('has patterns that every language reads, and declares every method that is answered', async () => {
    const patterns = [...text.matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(([, pattern]) => JSON.parse(pattern!))
    expect(patterns.length).toBeGreaterThan(0)
    expect(patterns.filter((pattern) => /\\[pPu]|\(\?[<!=]|\\[cdwsDWS]\]/.test(pattern))).toEqual([])
    const paths = Object.entries(document.paths as Record<string, object>)
    for (const [turn, [path, declared]] of paths.entries()) {
      const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !(method.toLowerCase() in declared))
      for (const method of pickInTurn(others, turn, 2)) {
        const { status, headers, json } = await weir.root.send(method, path.replaceAll(/\{\w+\}/g, '1'))
        expect(status, `${method} ${path}`).toBe(405)
        if (path.startsWith('/api/')) expect(json.code, `${method} ${path}`).toBe('request.wrong_method')
        expect(String(headers.allow).split(', ')).toEqual(
          expect.arrayContaining(Object.keys(declared).map((each) => each.toUpperCase())),
        )
      }
    }
  })

  it('names what clients make types of', () => {
    const names = Object.keys(document.components.schemas)
    expect(names).toEqual(expect.arrayContaining(['Channel', 'LogEntry', 'Refusal', 'Status', 'Token', 'User']))
    expect(document.paths['/api/user/self'].get.responses[200].content['application/json'].schema.anyOf).toEqual([
      expect.objectContaining({ properties: expect.objectContaining({ data: { $ref: '#/components/schemas/User' } }) }),
      { $ref: '#/components/schemas/Refusal' },
    ])
  })

  it('gives an example of each, which is one', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, inlineRefs: false, code: { optimize: false } })
    ajv.addSchema({ $id: 'document', ...document })
    const wrong: string[] = []
    const check = (name: string, { schema, example }: Json) => {
      if (example === undefined) return
      const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object
      if (!ajv.validate(absolute, example)) wrong.push(`${name}: ${ajv.errorsText()}`)
    }
    for (const { operationId, tags, parameters = [], requestBody, responses } of operationsOf(document)) {
      for (const each of parameters) check(`${operationId} ${each.name}`, each)
      for (const content of Object.values((requestBody?.content ?? {}) as Record<string, Json>))
        check(operationId, content)
      for (const content of Object.values((responses[200]?.content ?? {}) as Record<string, Json>))
        check(operationId, content)
      const json = responses[200]?.content?.['application/json']
      if (!tags.includes('relay')) expect(json?.example, operationId).toBeDefined()
    }
    expect(wrong).toEqual([])
  })

  describe('as a client made of it', () => {
    const folder = `${root}node_modules/.cache/weir-openapi-${process.pid}`
    let client: Record<string, (...given: unknown[]) => Promise<{ status: number; data: Json }>>
    beforeAll(async () => {
      await mkdir(folder, { recursive: true })
      const file = `${folder}/client-${kind}.ts`
      const document = `${folder}/${kind}.json`
      await writeFile(document, text)
      await writeFile(file, await generateSource(document))
      const strict = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext']
      await run(process.execPath, [`${root}node_modules/typescript/bin/tsc`, ...strict, '--ignoreConfig', file])
      client = (await import(/* @vite-ignore */ file)) as typeof client
      return () => rm(folder, { recursive: true, force: true })
    }, 120_000)

    it('gives the message of a call that is refused', async () => {
      const here = { baseUrl: weir.url }
      const refused = await client.authLogin!({ username: 'nobody', password: 'wrong password' }, {}, here)
      expect(refused.status).toBe(200)
      expect(refused.data).toMatchObject({
        success: false,
        message: expect.stringMatching(/\w+/),
        code: expect.any(String),
      })
      const stranger = await client.usersSelf!({}, here)
      expect(stranger.status).toBe(401)
      expect(stranger.data.message).toMatch(/\w+/)
    })

    it('gives what a call that is served gives', async () => {
      const { status, data } = await client.siteStatus!({ baseUrl: weir.url })
      expect([status, data.success, data.data.system_name]).toEqual([200, true, 'Weir'])
    })
  })
})
