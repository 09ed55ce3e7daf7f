// `weir doctor --fix` on a Weir that has every fault which it repairs.
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkHostMachine } from '../../cli/doctor/host.ts'
import { CHANNEL_STATUS } from '../../core/channels/channel.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { fakeServer, runHere } from '../support/terminal.ts'
import { newLog } from '../storage/samples.ts'

interface Found {
  check: string
  about: string | null
  state: string
  fixable: boolean
  repair: string | null
  fixed: boolean | null
}

let server: TestServer
let folder: string
let refusing: Awaited<ReturnType<typeof fakeServer>>
const contexts = () => join(folder, 'contexts.json')
const doctor = async (...args: string[]) => {
  const env = { WEIR_DATA: server.config.data, WEIR_CONFIG_DIR: folder }
  const { code, stdout, stderr } = await runHere(['doctor', ...args, '--json'], { env })
  return { code, stderr, found: JSON.parse(stdout || '[]') as Found[] }
}
const faulty = (found: readonly Found[]) =>
  found.filter(({ fixable }) => fixable).map(({ check, about }) => (about === null ? check : `${check} ${about}`))

beforeAll(async () => {
  server = await startTestServer()
  folder = await mkdtemp(join(tmpdir(), 'weir-doctor-'))
  await runHere(['init', '--yes', '--json'], { env: { WEIR_DATA: server.config.data } })
  const { ports } = server.gateway
  await ports.storage.channels.update(1, { status: CHANNEL_STATUS.auto_disabled })
  const before = Math.floor(Date.now() / 1000) - 3 * 3600
  await ports.storage.logs.insert([newLog({ user_id: 1, created_at: before, quota: 700 })])
  refusing = await fakeServer(() => ({
    status: 401,
    body: { success: false, message: 'No', code: 'access.token_invalid' },
  }))
  const there = { server: refusing.url, access_token: 'gone', username: 'ada', added: 1 }
  await writeFile(contexts(), JSON.stringify({ current: 'there', contexts: { there } }), { mode: 0o600 })
  await chmod(join(server.config.data, 'weir.db'), 0o644)
})
afterAll(async () => {
  await refusing.close()
  await server.close()
  await rm(folder, { recursive: true })
})

const FAULTS = ['private files', 'context there', 'channel 1', 'usage']

describe('weir doctor', () => {
  it('says what it can repair, and changes nothing', async () => {
    const { found } = await doctor()
    expect(faulty(found)).toEqual(FAULTS)
    expect(found.every(({ repair, fixable }) => (repair !== null) === fixable)).toBe(true)
    // Other programs use the same disk.
    const isSteady = ({ check }: Found) => check !== 'disk space'
    expect((await doctor()).found.filter(isSteady)).toEqual(found.filter(isSteady))
  })

  it('asks, and where nobody can be asked takes --yes', async () => {
    expect(await doctor('--fix')).toMatchObject({ code: 2, stderr: expect.stringContaining('--fix needs --yes') })
    expect(faulty((await doctor()).found)).toEqual(FAULTS)
  })

  it('repairs all of it, and checks again', async () => {
    const { code, found, stderr } = await doctor('--fix', '--yes')
    expect([code, stderr]).toEqual([0, ''])
    expect(found.filter(({ fixed }) => fixed).map(({ check }) => check)).toEqual([
      'private files',
      'usage',
      'context',
      'channel',
    ])
    expect(faulty((await doctor()).found)).toEqual([])
    const { client } = server.gateway
    expect(await client.channels.get({ id: 1 })).toMatchObject({ status: CHANNEL_STATUS.enabled })
    expect((await client.usage.query({})).total.quota).toBe(700)
    expect(JSON.parse(await readFile(contexts(), 'utf8'))).toEqual({ contexts: {} })
    expect((await stat(join(server.config.data, 'weir.db'))).mode & 0o777).toBe(0o600)
  })

  it('leaves off what does not work, and says why', async () => {
    const { client } = server.gateway
    const made = await client.channels.create({
      name: 'dead',
      type: 1,
      key: 'k',
      models: 'm',
      base_url: 'http://127.0.0.1:9',
    })
    const id = made[0]?.id ?? 0
    await server.gateway.ports.storage.channels.update(id, { status: CHANNEL_STATUS.auto_disabled })
    const { found, stderr } = await doctor('--fix', '--yes')
    expect(stderr).toContain(`channel ${id}: could not test it`)
    expect(found.find(({ about }) => about === String(id))).toMatchObject({ state: 'warn', fixed: false })
    expect(await client.channels.get({ id })).toMatchObject({ status: CHANNEL_STATUS.auto_disabled })
  })

  it('speaks Chinese to people', async () => {
    const { stdout } = await runHere(['doctor', '--language', 'zh'], { env: { WEIR_DATA: server.config.data } })
    expect(stdout).toMatch(/检查 .*状态 .*结果[\s\S]*磁盘空间 +正常[\s\S]*weir channels test \d+ &&/)
  })
})

it.skipIf(process.platform === 'win32')('a socket of a server that died is deleted', async () => {
  const data = await mkdtemp(join(tmpdir(), 'weir-doctor-'))
  const socket = join(data, 'weir.sock')
  await writeFile(socket, '', { mode: 0o600 })
  const config = { host: '127.0.0.1', port: 0, data, log_level: 'silent', log_format: 'json' } as const
  const found = await checkHostMachine(config, { serverRuns: false })
  await found.find(({ check }) => check === 'socket')?.repair?.run()
  expect(existsSync(socket)).toBe(false)
  await rm(data, { recursive: true })
})
