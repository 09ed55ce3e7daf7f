// The commands of administrators about people, on the host and remotely with an access token.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { maskKeyText } from '../../core/tokens/token.ts'
import type { Json } from '../support/json.ts'
import { createVisitor, startTestServer, type TestServer } from '../support/server.ts'
import { runsAllTests } from '../support/suite.ts'
import { joinTeam } from '../support/teams.ts'
import { runHere } from '../support/terminal.ts'

let server: TestServer
const doors: Record<string, Record<string, string>> = {}

beforeAll(async () => {
  server = await startTestServer()
  doors.here = { WEIR_DATA: server.config.data }
  await runHere(['init', '--yes', '--json', '--password', '-'], { env: doors.here, input: 'a root password' })
  const args = ['access-tokens', 'add', '--name', 'afar', '--scope', 'all', '--quiet']
  const access = (await runHere(args, { env: doors.here })).stdout.trim()
  doors.afar = { WEIR_SERVER: server.url, WEIR_ACCESS_TOKEN: access }
})
afterAll(() => server.close())

it('what is changed on the host is listed as local', async () => {
  const run = (...args: string[]) => runHere([...args, '--json'], { env: doors.here })
  await run('users', 'create', 'onhost')
  await run('users', 'disable', 'onhost')
  const { stdout } = await run('audit', '--since', '1h', '--action', 'user.disable')
  expect((JSON.parse(stdout) as Json[])[0]).toMatchObject({ action: 'user.disable', user: 'root', via: 'local' })
})

// Other files speak over the socket of the host; `npm test` has this one speak from afar.
describe.each(runsAllTests ? ['here', 'afar'] : ['afar'])('%s', (door) => {
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

  it('a name that is wrong by a letter is refused with the one that was probably meant', async () => {
    await json('channels', 'add', '--type', 'sandbox', '--name', `Provider ${door}`)
    await json('tokens', 'add', '--name', `laptop-${door}`)
    await json('users', 'create', `grace-${door}`)
    await json('groups', 'set', 'premium', '--ratio', '1')
    await json('prices', 'set', 'sandbox-small', '--input', '3')
    const wrong: [string[], string][] = [
      [['channels', 'show', `Provdier ${door}`], `Did you mean Provider ${door}`],
      [['tokens', 'show', `laptpo-${door}`], `Did you mean laptop-${door}?`],
      [['users', 'show', `garce-${door}`], `Did you mean grace-${door}?`],
      [['groups', 'rm', 'premuim', '--yes'], 'Did you mean premium?'],
      [['settings', 'get', 'RetryTime'], 'Did you mean RetryTimes?'],
      [['prices', 'rm', 'sandbox-smal', '--yes'], 'Did you mean sandbox-small?'],
      [['chat', 'sandbox-smal', 'Hello'], 'Did you mean sandbox-small'],
    ]
    for (const [args, told] of wrong) {
      const { code, stdout, stderr } = await run(args)
      expect([args, stdout, stderr]).toEqual([args, '', expect.stringContaining(told)])
      expect(code).toBe(args[0] === 'settings' ? 2 : 1)
    }
    expect((await run(['channels', 'show', 'something else entirely'])).stderr).not.toContain('Did you mean')
    // A price may be set for any name, and a route asked for it.
    const route = await run(['route', 'explain', '--model', 'sandbox-smal'])
    expect([route.code, route.stdout + route.stderr]).toEqual([
      1,
      expect.stringContaining('Did you mean sandbox-small'),
    ])
    const priced = await run(['prices', 'set', 'Sandbox-Small', '--input', '1'])
    expect([priced.code, priced.stderr]).toEqual([0, expect.stringContaining('Did you mean sandbox-small')])
    await run(['prices', 'rm', 'Sandbox-Small', '--yes'])
  })

  it('of two with one name neither is taken in silence', async () => {
    const ids = async (...args: string[]) => [Number((await json(...args)).id), Number((await json(...args)).id)]
    const channels = await ids('channels', 'add', '--type', 'sandbox', '--name', `twin ${door}`)
    const tokens = await ids('tokens', 'add', '--name', `twin-${door}`)
    for (const args of [
      ['channels', 'show', `twin ${door}`],
      ['channels', 'rm', `twin ${door}`, '--yes'],
      ['logs', '--channel', `twin ${door}`],
    ]) {
      const { code, stderr } = await run(args)
      expect([code, stderr]).toEqual([1, expect.stringContaining('Several channels are called')])
      for (const id of channels) expect(stderr).toContain(String(id))
    }
    for (const args of [['show'], ['disable'], ['rm', '--yes']]) {
      const [verb = '', ...rest] = args
      const { code, stderr } = await run(['tokens', verb, `twin-${door}`, ...rest])
      expect([code, stderr]).toEqual([1, expect.stringContaining('Several tokens are called')])
      for (const id of tokens) expect(stderr).toContain(String(id))
    }
    expect(await json('tokens', 'show', String(tokens[1]))).toMatchObject({ id: tokens[1], status: 'enabled' })
  })

  it('every field that is refused is told, not the first alone', async () => {
    const form = ['call', 'tokens.create', '--data-json', '{"expired_time":-5,"requests_per_minute":-1}']
    const { code, stderr } = await run(form)
    const lines = stderr.trim().split('\n')
    expect([code, lines.length]).toEqual([2, 2])
    const told = JSON.parse((await run([...form, '--json'])).stderr) as Json
    expect(told.fields).toMatchObject([{ field: 'expired_time' }, { field: 'requests_per_minute' }])
    const fields = told.fields as { message: string }[]
    expect(lines).toEqual(fields.map(({ message }) => `weir: ${message}`))
    expect(told.message).toBe(fields[0]!.message)
  })

  it('a user is made, changed, paid, shut out and removed by name', async () => {
    const made = await json('users', 'create', ada, '--group', 'vip', '--quota', '$5')
    const listed = ['users', 'ls', '--search', ada, '--role', 'user', '--status'] as const
    expect(await json(...listed, 'enabled')).toHaveLength(1)
    expect(await json(...listed, 'deregistered')).toEqual([])
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

  it('a password that nobody would see is not made, and a user of an unknown group is none', async () => {
    expect(await run(['users', 'create', 'nobody', '--quiet'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--password is required with --quiet'),
    })
    expect(await refused('users', 'create', `half-${door}`, '--group', 'nowhere')).toEqual([1, 'group.unknown'])
    expect((await refused('users', 'show', `half-${door}`))[0]).toBe(1)
  })

  it('an e-mail address is an invitation: with its group and balance, and a link where no mail can be sent', async () => {
    const address = `new.${door}@example.com`
    const made = await json('users', 'create', '--email', address, '--group', 'vip', '--quota', '2.50')
    expect(made).toMatchObject({ username: `new.${door}`.slice(0, 12), email: address, group: 'vip', quota: 1_250_000 })
    expect(made).toMatchObject({ password: null, link: expect.stringMatching(/\/user\/reset\?email=.*&invited=true$/) })
    const told = await run(['users', 'create', '--email', `second.${door}@example.com`])
    expect(told.stdout).toMatch(/No mail was sent: No mail server is configured\. Send the user this link/)
    for (const one of [made.username, `second.${door}`]) await json('users', 'rm', one.slice(0, 12), '--yes')
  })

  it('a team has a balance, and members with limits in dollars', async () => {
    const [team, member] = [`crew ${door}`, `mate-${door}`]
    const { id } = await json('teams', 'add', team)
    await json('users', 'create', member)
    expect(await json('teams', 'topup', team, '$5', '--grant')).toMatchObject({ id, quota: 2_500_000, quota_usd: 5 })
    expect(await json('teams', 'topup', team, '$1', '--grant', '--back')).toMatchObject({ quota_usd: 4 })
    expect(await json('teams', 'topup', team, '$-1', '--grant')).toMatchObject({ quota_usd: 3 })
    await json('tokens', 'add', '--name', `of ${team}`, '--team', team)
    expect(await json('teams', 'tokens', team)).toMatchObject([{ name: `of ${team}`, member: 'root', team_id: id }])
    expect(await json('teams', 'logs', team)).toEqual([])
    await json('tokens', 'rm', `of ${team}`, '--yes')
    await json('teams', 'member', team, member)
    expect(await json('teams', 'invitations', team)).toMatchObject([{ username: member, role: 'member' }])
    expect(await json('teams', 'withdraw', team, member)).toMatchObject({ username: member })
    expect(await refused('teams', 'withdraw', team, member)).toEqual([1, 'team.no_invitation'])
    expect(await refused('teams', 'accept', team)).toEqual([1, 'team.no_invitation'])
    await joinTeam(server.gateway, { id, username: member, role: 'owner' })
    expect(await json('teams', 'member', team, member, '--budget-day', '$2')).toMatchObject({
      ...{ username: member, role: 'owner', used_day: 0, budget_day: 1_000_000, budget_day_usd: 2, budget_month: 0 },
    })
    const whole = await json('teams', 'show', team)
    const mate = whole.members.find(({ username }: Json) => username === member)
    expect([whole.name, whole.members.length, mate.budget_day]).toEqual([team, 2, 1_000_000])
    expect((await run(['teams', 'show', team, '--language', 'zh'])).stdout).toContain(`${member} (所有者, $0.00)`)
    expect(await json('teams', 'members', String(id))).toHaveLength(2)
    expect(await refused('teams', 'remove-member', team, member)).toEqual([2, 'usage'])
    expect(await json('teams', 'remove-member', team, member, '--yes')).toMatchObject({ username: member })
    expect(await refused('teams', 'remove-member', team, member, '--yes')).toEqual([1, 'team.no_member'])
    const view = await json('teams', 'views', 'add', team, 'Errors', '--list', 'logs', '--query', '?type=5')
    expect(view).toMatchObject({ team, team_id: id, list: 'logs', name: 'Errors', query: '?type=5' })
    expect(await refused('teams', 'views', 'add', team, 'Slow')).toEqual([2, 'usage'])
    expect(await json('teams', 'views', 'rename', team, 'errors', 'Failures')).toMatchObject({ name: 'Failures' })
    expect(await json('teams', 'views', team)).toMatchObject([{ id: view.id, name: 'Failures' }])
    expect(await refused('teams', 'views', 'rm', team, 'Failures')).toEqual([2, 'usage'])
    expect(await refused('teams', 'views', 'rm', team, 'Errors', '--yes')).toEqual([1, 'view.missing'])
    expect(await json('teams', 'views', 'rm', team, String(view.id), '--yes')).toMatchObject({ name: 'Failures' })
    const { id: twin } = await json('teams', 'add', team)
    expect(await refused('teams', 'show', team)).toEqual([1, 'team.ambiguous'])
    expect(await json('teams', 'show', String(id))).toMatchObject({ id, name: team })
    expect(await json('teams', 'rm', String(twin), '--yes')).toMatchObject({ id: twin })
    await json('teams', 'rename', team, `${team} 2`)
    expect((await json('teams')).map(({ name }: Json) => name)).toContain(`${team} 2`)
    await json('teams', 'topup', `${team} 2`, '$3', '--grant', '--back')
    expect(await json('teams', 'rm', `${team} 2`, '--yes')).toMatchObject({ id })
  })

  it('a token is made, changed, switched and removed by name', async () => {
    const name = `bot ${door}`
    const limits = ['--budget-day', '$1', '--max-concurrent', '3']
    const made = await json('tokens', 'add', '--name', name, '--quota', '$5', '--models', 'a,b', ...limits)
    const told = { name, status: 'enabled', unlimited_quota: false, remain_quota: 2_500_000, remain_quota_usd: 5 }
    expect(made).toMatchObject({ ...told, models: ['a', 'b'], budget_day_usd: 1, max_concurrent: 3, expires: null })
    const row = { ...made, key: expect.stringMatching(/^sk-\w{3}\*{3}\w{3}$/) }
    expect(await json('tokens', 'show', name)).toEqual(row)
    expect((await json('tokens', 'show', name, '--keys')).key).toBe(made.key)
    expect(await json('tokens', 'ls', '--search', name)).toEqual([row])
    const changed = await json('tokens', 'edit', name, '--quota', 'unlimited', '--models', '', '--expires', '30d')
    expect(changed).toMatchObject({ id: made.id, unlimited_quota: true, remain_quota: null, models: null })
    expect(await json('tokens', 'disable', name)).toMatchObject({ id: made.id, status: 'disabled' })
    expect(await json('tokens', 'ls', '--search', name, '--status', 'disabled')).toHaveLength(1)
    expect(await json('tokens', 'ls', '--search', name, '--status', 'exhausted')).toEqual([])
    expect(await json('tokens', 'ls', '--search', name, '--group', 'elsewhere')).toEqual([])
    expect(await json('tokens', 'enable', name)).toMatchObject({ status: 'enabled', max_concurrent: 3 })
    expect((await run(['tokens', 'env', name])).stdout).toContain(made.key)
    expect(await json('tokens', 'rm', name, '--yes')).toMatchObject({ id: made.id })
    expect(await refused('tokens', 'show', name)).toEqual([1, 'token.missing'])
  })

  it('an administrator sees, switches and removes the token of another', async () => {
    const owner = `own-${door}`
    const { id, password } = await json('users', 'create', owner)
    const visitor = createVisitor(server.url)
    await visitor.login(owner, password)
    const token = await visitor.client.tokens.create({ name: 'theirs', unlimited_quota: true })
    const key = maskKeyText(token.key)
    const asked = ['theirs', '--user', owner]
    expect(await json('tokens', '--user', owner)).toMatchObject([{ id: token.id, user_id: id, key }])
    expect(await refused('tokens', 'ls', '--user', owner, '--keys')).toEqual([2, 'usage'])
    expect(await json('tokens', 'disable', ...asked)).toMatchObject({ id: token.id, status: 'disabled' })
    expect(await json('tokens', 'enable', ...asked)).toMatchObject({ status: 'enabled', key })
    expect(await json('tokens', 'rm', ...asked, '--yes')).toMatchObject({ id: token.id })
    const limits = ['--quota', '$2', '--models', 'a', '--user', owner]
    const given = await json('tokens', 'add', '--name', 'given', ...limits)
    expect(given).toMatchObject({ user_id: id, remain_quota_usd: 2, models: ['a'], team_id: null })
    expect((await visitor.client.tokens.get({ id: given.id })).key).toBe(given.key.slice(3))
    const changed = await json('tokens', 'edit', 'given', '--user', owner, '--quota', '$3')
    expect(changed).toMatchObject({
      id: given.id,
      remain_quota_usd: 3,
      models: ['a'],
      key: maskKeyText(given.key.slice(3)),
    })
    const crew = `crew ${door}`
    const { id: crewId } = await json('teams', 'add', crew)
    await joinTeam(server.gateway, { id: crewId, username: owner })
    const paid = await json('tokens', 'add', '--name', 'paid', '--user', owner, '--team', crew)
    expect(await json('tokens', '--user', owner, '--team', crew)).toMatchObject([{ id: paid.id, user_id: id }])
    expect(await refused('tokens', 'show', ...asked)).toEqual([1, 'token.missing'])
  })

  it('a token of a team is listed by its team', async () => {
    const { id } = await json('teams', 'add', `payers ${door}`)
    const made = await json('tokens', 'add', '--name', `paid ${door}`, '--team', `payers ${door}`)
    expect(await json('tokens', '--team', String(id))).toMatchObject([{ id: made.id, team_id: id }])
  })

  it('an access token is made, listed and removed by name', async () => {
    const made = await json('access-tokens', 'add', '--name', `ci ${door}`, '--scope', 'relay', '--expires', '30d')
    expect(made).toMatchObject({ scope: 'relay', last_use: null, token: expect.stringMatching(/^\w{40}$/) })
    expect(Date.parse(made.expires)).toBeGreaterThan(Date.now() + 29 * 86_400_000)
    const row = { ...made }
    delete row.token
    expect(await json('access-tokens')).toContainEqual(row)
    expect(await json('access-tokens', 'rm', `ci ${door}`, '--yes')).toEqual(row)
    expect(await refused('access-tokens', 'rm', `ci ${door}`, '--yes')).toEqual([1, 'access_token.missing'])
  })

  it('codes are minted, told once, exported and removed', async () => {
    const name = `spring ${door}`
    const made = await run(['redemptions', 'create', '--name', name, '--quota', '$5', '--count', '3', '--quiet'])
    const codes = made.stdout.trim().split('\n')
    expect(codes.map((code) => code.length)).toEqual([32, 32, 32])
    const listed = await run(['redemptions', '--search', name])
    for (const code of codes) expect(listed.stdout).not.toContain(code)
    const rows = (await json('redemptions', 'ls', '--search', name, '--codes')) as Json[]
    expect(rows.map(({ key }) => key).sort()).toEqual([...codes].sort())
    expect(rows[0]).toMatchObject({ status: 'unused', quota_usd: 5, redeemed: null, redeemed_by: null })
    const file = (await run(['redemptions', 'export', '--search', name, '--unused'])).stdout.trim().split('\n')
    expect(file[0]).toBe('id,name,key,status,quota,quota_usd,created,expires,remark,redeemed,redeemed_by')
    expect(file).toHaveLength(4)
    expect(file.join()).toContain(codes[0])
    expect(await refused('redemptions', 'rm', name, '--yes')).toEqual([1, 'redemption.ambiguous'])
    expect(await json('redemptions', 'rm', String(rows[0]!.id), '--yes')).toMatchObject({ id: rows[0]!.id })
    expect(await json('redemptions', 'ls', '--search', name)).toHaveLength(2)
  })

  it('groups are listed with their ratios', async () => {
    const rows = await json('groups')
    const none = { users: 0, tokens: 0, channels: 0, special: {} }
    expect(rows).toContainEqual({ name: 'vip', ratio: 1, choosable: true, description: expect.any(String), ...none })
  })

  it('groups are made, changed and taken out; of one that is used it is said by whom', async () => {
    const gold = `gold ${door}`
    expect(await json('groups', 'set', gold, '--ratio', '0.8', '--description', 'For gold')).toMatchObject({
      ...{ name: gold, ratio: 0.8, choosable: true, description: 'For gold', users: 0 },
    })
    expect(await json('groups', 'set', gold, '--special', 'vip=0.5', '--description', '')).toMatchObject({
      ...{ ratio: 0.8, choosable: false, description: null, special: { vip: 0.5 } },
    })
    const name = `au${door === 'here' ? 1 : 2}`
    await json('users', 'create', name, '--group', gold)
    expect(await refused('groups', 'rm', gold)).toEqual([2, 'usage'])
    const gone = await run(['groups', 'rm', gold, '--yes'])
    expect(gone).toMatchObject({ code: 0, stdout: `Removed the group ${gold}.\n` })
    expect(gone.stderr).toContain(`users 1 (${name}), channels 0, tokens 0`)
    expect(await refused('groups', 'rm', gold, '--yes')).toEqual([1, 'group.missing'])
    for (const args of [[], ['--ratio', 'many'], ['--special', 'vip']])
      expect(await refused('groups', 'set', gold, ...args)).toEqual([2, 'usage'])
  })

  it('what was changed is listed by time, person and kind', async () => {
    const rows = (await json('audit', '--since', '1h', '--user', 'root', '--action', 'user.disable')) as Json[]
    expect(rows[0]).toMatchObject({
      action: 'user.disable',
      user: 'root',
      via: door === 'here' ? 'local' : 'access_token',
    })
    expect(await json('audit', 'ls', '--until', '1h')).toEqual([])
  })

  it('sessions are listed and ended, one or all', async () => {
    const login = async () => {
      const body = JSON.stringify({ username: 'root', password: 'a root password' })
      await fetch(`${server.url}/api/user/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
    }
    await login()
    await login()
    const [one, other] = (await json('sessions')) as Json[]
    expect(one).toMatchObject({ current: false, ip: '127.0.0.1' })
    expect(await json('sessions', 'end', String(one!.id), '--yes')).toEqual([one])
    expect(await refused('sessions', 'end', String(one!.id), '--yes')).toEqual([1, 'session.missing'])
    expect(await refused('sessions', 'end', '--yes')).toEqual([2, 'usage'])
    expect(await json('sessions', 'end', '--all', '--yes')).toEqual([other])
    expect(await json('sessions')).toEqual([])
  })
})
