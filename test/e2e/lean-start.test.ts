// Rarely used libraries are loaded on demand: a server that has started and answered a call has none of them in memory.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { addAccount, setUp, startBuiltServer } from '../support/built-server.ts'
import { recordingModules } from '../support/terminal.ts'
import { chatReply, startUpstream } from '../support/upstream.ts'

const RARE = [
  ...[
    'nodemailer',
    '@simplewebauthn/server',
    'openid-client',
    'jose',
    'music-metadata',
    'prom-client',
    'ioredis',
    'tar-stream',
  ],
  ...['@clickhouse/client', '@duckdb/node-api', '@opentelemetry/sdk-trace-base', '@opentelemetry/sdk-metrics'],
  ...['age-encryption', 'ink', 'react', 'yaml'],
]

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-lean-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it('loads no library that was not needed yet', { timeout: 120_000 }, async () => {
  const upstream = await startUpstream()
  upstream.reply(() => chatReply('Hello'))
  const file = join(folder, 'loaded')
  const env = { WEIR_DATA: join(folder, 'data') }
  const server = await startBuiltServer({ ...env, NODE_OPTIONS: recordingModules(file) })
  try {
    const root = await setUp(env, server.url)
    await root.client.channels.create({ name: 'one', type: 1, key: 'k', base_url: upstream.url, models: 'gpt-4o-mini' })
    const { visitor } = await addAccount(root, server.url, 'ada', 1_000_000)
    const { key } = await visitor.client.tokens.create({ name: 'lean', unlimited_quota: true })
    const answer = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }] }),
    })
    expect(answer.status).toBe(200)
    const loaded = await listLoadedModules((await readFile(file, 'utf8')).split('\n'))
    expect(loaded.some((path) => path.includes('/node_modules/koa/'))).toBe(true)
    expect(RARE.filter((name) => loaded.some((path) => path.includes(`/node_modules/${name}/`)))).toEqual([])
  } finally {
    server.child.kill('SIGINT')
    expect((await server.ended).code).toBe(0)
    await upstream.close()
  }
})

it.each([
  ['loads the exporters of OpenTelemetry where an endpoint is named', ENDPOINT, true],
  ['loads nothing of OpenTelemetry where it is switched off', { ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }, false],
])('%s', async (_, variables, isLoaded) => {
  const file = join(folder, 'loaded')
  const server = await startBuiltServer({
    ...variables,
    WEIR_DATA: join(folder, 'data'),
    NODE_OPTIONS: recordingModules(file),
  })
  server.child.kill('SIGINT')
  expect((await server.ended).code).toBe(0)
  const loaded = await listLoadedModules((await readFile(file, 'utf8')).split('\n'))
  const packages = loaded.flatMap((path) => /node_modules\/(@opentelemetry\/[^/]+)\//.exec(path)?.[1] ?? [])
  expect(packages.includes('@opentelemetry/exporter-trace-otlp-proto')).toBe(isLoaded)
  expect(packages.length > 0).toBe(isLoaded)
})

/** Returns the paths of loaded modules; of a file of the bundle those that it consists of. */
async function listLoadedModules(urls: readonly string[]): Promise<string[]> {
  const list = await readFile(new URL('../../dist/bundled-modules.json', import.meta.url), 'utf8')
  const bundled = JSON.parse(list) as Record<string, string[]>
  return urls.flatMap((url) => (url.includes('/dist/bundle/') ? (bundled[basename(url)] ?? []) : [url]))
}
