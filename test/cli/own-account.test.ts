// The commands of users about their own account, with an access token of an ordinary user on a remote Weir.
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Json } from '../support/json.ts'
import { startMailServer, type MailServer } from '../support/mail-server.ts'
import { createVisitor, startTestServer, type TestServer } from '../support/server.ts'
import { runHere } from '../support/terminal.ts'

const MAIL = { user: 'weir', pass: 'mail password' }
const PASSWORD = 'a long password'

let server: TestServer
let mail: MailServer
let people = 0

/** The ordinary user of the test under way. */
let username = ''
let id = 0
let env: Record<string, string>

const runAsRoot = (args: string[], input?: string) => runHere(args, { env: { WEIR_DATA: server.config.data }, input })
const run = (args: string[], input?: string) => runHere(args, { env, input })
const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await run([...args, '--json'])
  expect([args.join(' '), stderr, code]).toEqual([args.join(' '), '', 0])
  return JSON.parse(stdout) as Json
}
const refusal = async (...args: string[]) => {
  const { code, stdout, stderr } = await run([...args, '--json'])
  expect(stdout).toBe('')
  return [code, (JSON.parse(stderr) as Json).code]
}
const login = async (password: string) => (await createVisitor(server.url).login(username, password)).json as Json

beforeAll(async () => {
  server = await startTestServer()
  mail = await startMailServer(MAIL)
  await runAsRoot(['init', '--yes', '--json', '--password', '-'], 'a root password')
  for (const [key, value] of Object.entries({
    ...{ SMTPServer: '127.0.0.1', SMTPPort: String(mail.port), SMTPAccount: MAIL.user, SMTPToken: MAIL.pass },
    ...{ SMTPFrom: 'weir@example.com', ServerAddress: 'https://weir.example' },
    ...{ PayAddress: 'https://pay.example/', EpayId: '1001', EpayKey: 'a key of epay' },
  }))
    expect((await runAsRoot(['settings', 'set', key, value, '--yes'])).stderr).toBe('')
})
afterAll(async () => {
  await server.close()
  await mail.close()
})

beforeEach(async () => {
  username = `own${(people += 1)}`
  await runAsRoot(['users', 'create', username, '--password', PASSWORD])
  const visitor = createVisitor(server.url)
  id = (await visitor.login(username, PASSWORD)).json.data.id
  const { token } = await visitor.client.users.createAccessToken({ name: 'terminal', scope: 'all' })
  env = { WEIR_SERVER: server.url, WEIR_ACCESS_TOKEN: token }
})

describe('weir me', () => {
  it('password takes both passwords from standard input, or names the flag that is missing', async () => {
    expect((await run(['me', 'password'])).stderr).toContain('--password is required')
    expect((await run(['me', 'password', '--password', 'another one'])).stderr).toContain('--current-password')
    expect(await refusal('me', 'password', '--current-password', 'wrong one', '--password', 'another one')).toEqual([
      ...[expect.any(Number), 'user.wrong_original'],
    ])
    const both = ['me', 'password', '--current-password', '-', '--password', '-']
    expect(await run(both, `${PASSWORD}\nanother one\n`)).toMatchObject({ code: 0, stderr: '' })
    expect((await login(PASSWORD)).success).toBe(false)
    expect((await login('another one')).success).toBe(true)
  })

  it('transfer moves earnings to the balance, an amount or all, and says what moved', async () => {
    await runAsRoot(['settings', 'set', 'QuotaForInviter', '1500000'])
    const aff_code = (await run(['me', 'invitation'])).stdout.trim()
    const invited = { username: `guest${people}`, password: PASSWORD, password2: PASSWORD, aff_code }
    await createVisitor(server.url).client.auth.register(invited)
    await runAsRoot(['settings', 'unset', 'QuotaForInviter'])
    const { quota: before } = await json('me', 'show')
    const { code, stdout } = await run(['me', 'transfer', '1usd'])
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Moved \$1\.00 to your balance: .* left: \$2\.00\./)])
    expect(await json('me', 'transfer', 'all')).toMatchObject({ quota: before + 1_500_000, earnings: 0 })
    expect((await run(['me', 'transfer', '0'])).code).toBe(2)
    expect(await refusal('me', 'transfer', 'all')).toEqual([expect.any(Number), 'invitation.minimum'])
  })

  it('second-factor sets an authenticator app up in two steps, renews the codes and removes it', async () => {
    const { secret, address } = await json('me', 'second-factor', 'setup')
    expect(address).toContain(`secret=${secret}`)
    expect(await json('me', 'second-factor')).toEqual({ authenticator: false, backup_codes_left: null })
    const code = new TOTP({ secret: Secret.fromBase32(String(secret)) }).generate()
    const { code: exit, stdout } = await run(['me', 'second-factor', 'setup', '--code', '-', '--quiet'], `${code}\n`)
    const [first = '', second = ''] = stdout.trim().split('\n')
    expect([exit, first]).toEqual([0, expect.stringMatching(/^\S+$/)])
    expect(await json('me', 'second-factor', 'show')).toMatchObject({ authenticator: true, backup_codes_left: 10 })
    expect((await login(PASSWORD)).code).toBe('login.second_factor')
    expect((await run(['me', 'second-factor', 'backup-codes', '--yes'])).stderr).toContain('--code is required')
    expect((await run(['me', 'second-factor', 'off', '--code', second])).stderr).toContain('--yes is required')
    const renewed = await json('me', 'second-factor', 'backup-codes', '--code', first, '--yes')
    expect(renewed).toHaveLength(10)
    expect(await refusal('me', 'second-factor', 'off', '--code', second, '--yes')).toEqual([
      ...[expect.any(Number), 'second_factor.wrong'],
    ])
    await json('me', 'second-factor', 'off', '--code', String(renewed[0].code), '--yes')
    expect((await login(PASSWORD)).success).toBe(true)
  })

  it('email sends a code, and binds the address with it', async () => {
    mail.mails.splice(0)
    const address = `${username}@example.com`
    expect((await run(['me', 'email', address])).stdout).toContain(`weir me email ${address} --code CODE`)
    const code = /\b[0-9a-f]{6}\b/.exec(mail.mails[0]?.text ?? '')?.[0] ?? ''
    expect(await refusal('me', 'email', address, '--code', 'wrong!')).toEqual([expect.any(Number), expect.any(String)])
    expect(await json('me', 'email', address, '--code', code)).toMatchObject({ email: address })
    mail.mails.splice(0)
    expect((await run(['me', 'notifications', '--test'])).stdout).toBe('A test is sent to where you are warned.\n')
    expect(mail.mails.map(({ to }) => to)).toEqual([[address]])
    expect((await run(['me', 'email', 'no address'])).code).toBe(2)
    for (const [key, value] of [
      ['TurnstileSiteKey', 'site'],
      ['TurnstileSecretKey', 'secret'],
      ['TurnstileCheckEnabled', 'true'],
    ])
      await runAsRoot(['settings', 'set', key!, value!, '--yes'])
    const { code: exit, stderr } = await run(['me', 'email', `new-${address}`])
    await runAsRoot(['settings', 'unset', 'TurnstileCheckEnabled', '--yes'])
    expect([exit, stderr]).toEqual([1, expect.stringContaining('only a browser can show')])
  })

  it('sign-ins, passkeys and sessions are listed, and removed by name', async () => {
    const { identities, passkeys } = server.gateway.ports.storage
    await identities.bind({ provider: 'github', subject: username, user_id: id, created_time: 1_700_000_000 })
    const passkey = { id: `key-${id}`, user_id: id, name: 'phone', public_key: 'k', counter: 0, transports: '' }
    await passkeys.insert({ ...passkey, created_time: 1_700_000_000, used_time: 0 })
    expect(await json('me', 'sign-ins')).toMatchObject([{ service: 'github' }])
    expect((await run(['me', 'unbind', 'gihub', '--yes'])).stderr).toContain('Did you mean github?')
    expect((await run(['me', 'unbind', 'github'])).code).toBe(2)
    await json('me', 'unbind', 'github', '--yes')
    expect(await json('me', 'sign-ins')).toEqual([])
    expect((await run(['me', 'passkeys', '--quiet'])).stdout).toBe(`key-${id}\n`)
    await json('me', 'passkeys', 'rm', 'phone', '--yes')
    expect(await json('me', 'passkeys')).toEqual([])
    expect(await json('me', 'sessions')).toHaveLength(1)
    expect((await runAsRoot(['sessions', '--user', username, '--quiet'])).stdout).toMatch(/^\d+\n$/)
    expect((await runAsRoot(['sessions', 'end', '--user', username, '--yes'])).code).toBe(2)
    await runAsRoot(['sessions', 'end', '--user', username, '--all', '--yes'])
    expect(await json('me', 'sessions')).toEqual([])
  })

  it('export has the own data, and rm ends the account after --yes', async () => {
    const { stdout } = await run(['me', 'export'])
    expect(JSON.parse(stdout)).toMatchObject({ user_id: id, data: { users: [{ username }] } })
    expect((await run(['me', 'rm'])).code).toBe(2)
    expect(await json('me', 'rm', '--yes')).toMatchObject({ username })
    expect((await run(['me', 'show'])).code).toBe(1)
  })
})

describe('weir topups', () => {
  it('says the price, and orders with the page to pay at', async () => {
    expect((await run(['topups', 'price', '10', '--quiet'])).stdout).toMatch(/^\d+\.\d\d\n$/)
    const { url } = await json('topups', 'buy', '10', '--method', 'wx')
    const page = new URL(String(url))
    expect([page.origin, page.searchParams.get('type'), page.searchParams.get('sign')]).toEqual([
      ...['https://pay.example', 'wxpay', expect.stringMatching(/^\w+$/)],
    ])
    const [order] = await json('topups')
    expect(order).toMatchObject({ trade_no: page.searchParams.get('out_trade_no'), status: 'pending' })
    for (const amount of ['0', 'ten', '1.5']) expect((await run(['topups', 'buy', amount])).code).toBe(2)
  })

  it('verify-report refuses what the service did not sign, and credits nothing', async () => {
    const args = ['topups', 'verify-report', '--service', 'epay', '--report', '-', '--json']
    const { code, stderr } = await runAsRoot(args, 'pid=1001&out_trade_no=x&sign=no\n')
    expect([code, (JSON.parse(stderr) as Json).code]).toEqual([expect.any(Number), 'topup.notice'])
  })
})

it('settings test-mail sends one', async () => {
  mail.mails.splice(0)
  expect((await runAsRoot(['settings', 'test-mail', 'ops@example.com'])).stdout).toContain('ops@example.com')
  expect(mail.mails.map(({ to }) => to)).toEqual([['ops@example.com']])
})

it('sign-in-services are added, changed and removed; an edit keeps the secret', async () => {
  const root = async (...args: string[]) => {
    const { code, stdout, stderr } = await runAsRoot(['sign-in-services', ...args, '--json'])
    expect([args, stderr, code]).toEqual([args, '', 0])
    return JSON.parse(stdout) as Json
  }
  const wellKnown = 'https://id.example.com/.well-known/openid-configuration'
  const flags = [
    '--name',
    'Company',
    '--client-id',
    'weir',
    '--well-known',
    wellKnown,
    '--client-secret',
    '-',
    '--json',
  ]
  expect((await runAsRoot(['sign-in-services', 'add', 'company', ...flags], 'its secret\n')).stderr).toBe('')
  expect(await root()).toMatchObject([{ id: 'company', enabled: true, scopes: 'openid profile email' }])
  expect(await root('edit', 'Company', '--name', 'Firm', '--scopes', 'openid')).toMatchObject({ name: 'Firm' })
  expect(await root('disable', 'firm')).toMatchObject({ enabled: false, scopes: 'openid' })
  const { loginServices } = server.gateway.ports.storage
  expect(await loginServices.find('company')).toMatchObject({ client_secret: 'its secret', enabled: false })
  expect(await json('sign-in-services')).toEqual([])
  await root('enable', 'company')
  expect(await json('sign-in-services')).toMatchObject([{ id: 'company', name: 'Firm', client_id: null }])
  expect((await runAsRoot(['sign-in-services', 'edit', 'compnay', '--name', 'x'])).stderr).toContain('mean company?')
  expect((await runAsRoot(['sign-in-services', 'add', 'half', '--name', 'Half'])).code).toBe(2)
  await root('rm', 'company', '--yes')
  expect(await root()).toEqual([])
})

it('search finds what is there, to an ordinary user what is theirs', async () => {
  await run(['tokens', 'add', '--name', `laptop ${username}`])
  expect(await json('search', username)).toMatchObject([{ kind: 'token', name: `laptop ${username}` }])
  const { stdout } = await runAsRoot(['search', username, '--json'])
  expect((JSON.parse(stdout) as Json[]).map(({ kind }) => kind)).toContain('user')
  expect((await run(['search', 'x', '--limit', '21'])).code).toBe(2)
})
