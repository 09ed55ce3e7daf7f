// What administrators do with people from the terminal: on the host, and from afar with an access token.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../support/json.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { runHere } from '../support/terminal.ts'

let server: TestServer
const doors: Record<string, Record<string, string>> = {}

beforeAll(async () => {
  server = await startTestServer()
  doors.here = { WEIR_DATA: server.config.data }
  await runHere(['init', '--yes', '--json'], { env: doors.here })
  const args = ['access-tokens', 'add', '--name', 'afar', '--scope', 'all', '--quiet']
  const access = (await runHere(args, { env: doors.here })).stdout.trim()
  doors.afar = { WEIR_SERVER: server.url, WEIR_ACCESS_TOKEN: access }
})
afterAll(() => server.close())

describe.each(['here', 'afar'])('%s', (door) => {
  const run = (args: string[], input?: string) => runHere(args, { env: doors[door], input })
  async function json(...args: string[]): Promise<Json> {
    const { code, stdout, stderr } = await run([...args, '--json'])
    expect([args.join(' '), stderr, code]).toEqual([args.join(' '), '', 0])
    return JSON.parse(stdout) as Json
  }
  const refused = async (...args: string[]) => {
    const { code, stderr } = await run([...args, '--json'])
    return [code, (JSON.parse(stderr) as Json).code]
  }
  const ada = `ada-${door}`

  it('a user is made, changed, paid, shut out and removed by name', async () => {
    const made = await json('users', 'create', ada, '--group', 'vip', '--quota', '$5')
    expect(made).toMatchObject({ username: ada, display_name: ada, group: 'vip', role: 'user', status: 'enabled' })
    expect(made).toMatchObject({ quota: 2_500_000, quota_usd: 5, password: expect.stringMatching(/^\w{16}$/) })
    const sessions = `${server.url}/api/user/login`
    const login = async (password: string) => {
      const body = JSON.stringify({ username: ada, password })
      const headers = { 'content-type': 'application/json' }
      return ((await (await fetch(sessions, { method: 'POST', headers, body })).json()) as Json).success
    }
    expect(await login(made.password)).toBe(true)

    expect(await json('users', 'edit', ada, '--display-name', 'Ada L.')).toMatchObject({ display_name: 'Ada L.' })
    expect(await json('users', 'topup', ada, '$-1.5')).toMatchObject({ quota_usd: 3.5 })
    expect(await json('users', 'promote', ada)).toMatchObject({ id: made.id, role: 'admin' })
    expect(await refused('users', 'promote', ada)).toEqual([1, 'user.already_admin'])
    expect(await json('users', 'demote', ada)).toMatchObject({ role: 'user' })
    expect(await json('users', 'disable', ada)).toMatchObject({ status: 'disabled' })
    expect(await json('users', 'enable', ada)).toMatchObject({ status: 'enabled' })

    const changed = await run(['users', 'password', ada, '--password', '-', '--json'], 'a new password\n')
    expect(JSON.parse(changed.stdout)).toMatchObject({ id: made.id, password: null })
    expect([await login(made.password), await login('a new password')]).toEqual([false, true])

    expect(await refused('users', 'rm', ada)).toEqual([2, 'usage'])
    expect(await json('users', 'rm', ada, '--yes')).toMatchObject({ id: made.id, status: 'deleted' })
    expect(await refused('users', 'show', String(made.id))).toEqual([1, 'user.missing'])
  })

  it('a password that nobody would see is not made, and half of a user is told', async () => {
    expect(await run(['users', 'create', 'nobody', '--quiet'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--password must be given with --quiet'),
    })
    const half = await run(['users', 'create', `half-${door}`, '--group', 'nowhere', '--language', 'zh'])
    expect(half).toMatchObject({ code: 1, stderr: expect.stringMatching(/已创建用户 \d+，密码为 \w{16}，但未能/) })
    expect(await json('users', 'show', `half-${door}`)).toMatchObject({ group: 'default' })
  })
})
