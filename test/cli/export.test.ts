// A file from an endpoint, in the terminal: row by row over the server's socket, from afar, and without a server.
import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommandLine } from '../../cli/main.ts'
import { openGateway } from '../../core/adapters/node.ts'
import { newLog } from '../storage/samples.ts'
import { createVisitor, startTestServer, type TestServer } from '../support/server.ts'
import { fakeHost } from '../support/terminal.ts'

const ROWS = 1234
const root = { username: 'root', password: 'a root password' }
const rows = Array.from({ length: ROWS }, (_, number) =>
  newLog({ content: `row ${number}`, created_at: 1000 + number, operation: number === 7 ? 'images' : 'chat' }),
)

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.gateway.client.site.setup({ ...root, confirmPassword: root.password })
  await server.gateway.ports.storage.logs.insert(rows)
})
afterAll(() => server.close())

async function run(args: string[], env: Record<string, string>) {
  const { host, written } = fakeHost({ env })
  return { code: await runCommandLine(['call', ...args], host), ...written }
}
const filter = ['--start-timestamp', '1000', '--end-timestamp', '3000']

it('comes over the socket of the running server, whatever its length', async () => {
  const env = { WEIR_DATA: server.config.data }
  const { code, stdout } = await run(['logs.export', '--format', 'jsonl', ...filter], env)
  expect(code).toBe(0)
  const contents = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { content: string }).content)
  expect(contents).toEqual(rows.map(({ content }) => content).reverse())
  const csv = await run(['logs.export', '--json', ...filter], env)
  expect([csv.stdout.split('\r\n')[0], csv.stdout.split('\r\n').length]).toEqual([
    expect.stringMatching(/^id,created_at,type,/),
    ROWS + 2,
  ])
})

it('is listed before by what calls asked for', async () => {
  const { host, written } = fakeHost({ env: { WEIR_DATA: server.config.data } })
  expect(await runCommandLine(['logs', 'list', '--operation', 'images', '--json'], host)).toBe(0)
  expect(JSON.parse(written.stdout)).toMatchObject([{ content: 'row 7', operation: 'images' }])
  const unknown = fakeHost({ env: { WEIR_DATA: server.config.data } })
  expect(await runCommandLine(['logs', 'list', '--operation', 'everything'], unknown.host)).toBe(2)
  expect(unknown.written.stderr).toContain('embeddings')
})

it('comes from a server far away, to whom it is allowed', async () => {
  const visitor = createVisitor(server.url)
  await visitor.login(root.username, root.password)
  const env = { WEIR_SERVER: server.url, WEIR_ACCESS_TOKEN: await visitor.client.users.accessToken() }
  const { stdout } = await run(['logs.export', '--format', 'jsonl', ...filter], env)
  expect(stdout.trim().split('\n')).toHaveLength(ROWS)
  const refused = await run(['logs.export'], { WEIR_SERVER: server.url })
  expect([refused.code, refused.stdout]).toEqual([1, ''])
  expect(refused.stderr).toContain('Not signed in')
})

it('comes from the database where no server runs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'weir-export-'))
  const gateway = await openGateway({ ...server.config, data: folder })
  await gateway.ports.storage.logs.insert(rows.slice(0, 3))
  await gateway.close()
  const { stdout } = await run(['logs.export', '--format', 'jsonl'], {
    WEIR_DATA: folder,
    WEIR_SECRET: server.config.secret ?? '',
  })
  expect(stdout.trim().split('\n')).toHaveLength(3)
  await rm(folder, { recursive: true })
})

it('says so when the other side breaks off, after what it got', async () => {
  const broken = http.createServer((_, reply) => {
    reply.writeHead(200, { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="weir-log.csv"' })
    reply.write('id,created_at\r\n', () => setTimeout(() => reply.destroy(), 50))
  })
  await new Promise<void>((listening) => broken.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(broken.address() as AddressInfo).port}`
  const { code, stdout, stderr } = await run(['logs.export'], { WEIR_SERVER: url })
  expect([code, stdout]).toEqual([1, 'id,created_at\r\n'])
  expect(stderr).toContain('the connection was broken off')
  broken.close()
})
