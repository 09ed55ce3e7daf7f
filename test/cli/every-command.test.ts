// Rules for every command: its exit codes, the output of --quiet, and the rows of an ordinary user.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errors } from '../../core/errors.data.ts'
import { findRequiredRole } from '../../cli/permission.ts'
import type { Json } from '../support/json.ts'
import { createVisitor, startTestServer, type TestServer } from '../support/server.ts'
import { joinTeam } from '../support/teams.ts'
import { pickInTurn, sampleCases } from '../support/suite.ts'
import { fakeServer, runHere } from '../support/terminal.ts'
import { newTask } from '../storage/samples.ts'
import { apart, leaves, looks, takers } from './commands.data.ts'
import { gatewayChanges, gatewayVerdicts } from './gateway-commands.ts'
import { peopleChanges } from './people-commands.ts'
import { taskChanges } from './task-commands.ts'
import type { Changes } from './team-commands.ts'

let server: TestServer
let key: string
const run = (args: string[], input?: string) => runHere(args, { env: { WEIR_DATA: server.config.data }, input })
/** At a terminal, where these keys are pressed. */
const runAtTerminal = (args: string[], input: string) =>
  runHere(args, { env: { WEIR_DATA: server.config.data }, tty: true, input })
const dataOf = async (args: string[]) =>
  JSON.parse((await run([...args, '--json'])).stdout) as { id: number; model?: string }

beforeAll(async () => {
  server = await startTestServer()
  const made = JSON.parse((await run(['init', '--yes', '--json'])).stdout) as { token_key: string }
  key = made.token_key
})
afterAll(() => server.close())

/** Commands that make or change something, and what they print with --quiet: the id, of a new token its key. */
const changes: Changes = {
  ...gatewayChanges(dataOf),
  'prices set': { args: async () => ['priced', '--input', '2.5', '--output', '10'], quiet: () => /^priced\n$/ },
  'prices undo': { args: async () => ['1', '--force', '--yes'], quiet: () => /^\w[\w-]*\n$/ },
  'prices rm': {
    args: async () => [String((await dataOf(['prices', 'set', 'gone', '--input', '1'])).model), '--yes'],
    quiet: () => /^gone\n$/,
  },
  'prices sync': {
    args: async () => {
      const file = join(server.config.data, 'list.json')
      const listed = { model_name: 'synced', quota_type: 0, model_ratio: Math.random(), completion_ratio: 2 }
      await writeFile(file, JSON.stringify({ data: [listed] }))
      return ['--file', file, '--models', 'synced', '--all', '--yes']
    },
    quiet: () => /^synced\n$/,
  },
  ...peopleChanges(dataOf, () => server.gateway),
  ...taskChanges(() => server.gateway.ports.storage),
  call: { args: async () => ['channels.update', '--id', '1', '--weight', '2'], quiet: () => /^1\n$/ },
}

it('every command stands in one of the lists', () => {
  const listed = [...Object.keys(changes), ...Object.keys(looks), ...apart]
  expect(listed.sort()).toEqual(leaves.map(([name]) => name).sort())
})

/** Makes a call, and returns the id of its receipt. */
const call = async () => {
  const body = JSON.stringify({ model: 'sandbox-small', messages: [{ role: 'user', content: 'Hello' }] })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', headers, body })
  return answer.headers.get('x-weir-receipt') ?? ''
}

/** The commands that print a list and change nothing. */
const lists = leaves.filter(([, { readOnly, output }]) => readOnly && output?.many)

/** What a command is given; made once, for what it names is there only to be named. */
const known = new Map<string, Promise<string[]>>()
function argsOf(name: string): Promise<string[]> {
  const args = known.get(name) ?? Promise.resolve(looks[name] ?? changes[name]?.args() ?? [])
  known.set(name, args)
  return args
}

describe('with --quiet', () => {
  it(
    'every command that changes something prints the id, and asks before what cannot be undone',
    { timeout: 120_000 },
    async () => {
      const wrong: object[] = []
      const asking: string[] = []
      for (const [name, { quiet }] of Object.entries(changes)) {
        const given = await argsOf(name)
        if (given.includes('--yes')) {
          // Enter is no. Nothing has changed: the command can still do it.
          const asked = [...name.split(' '), ...given.filter((each) => each !== '--yes')]
          const { code, stdout, stderr } = await runAtTerminal(asked, '\r')
          asking.push(name)
          if (code !== 130 || !stdout.includes('? ') || !stderr.includes('Cancelled: nothing was changed.'))
            wrong.push({ name, asked, code, stdout, stderr })
        }
        const { code, stdout, stderr } = await run([...name.split(' '), ...given, '--quiet'])
        if (code !== 0 || stderr !== '' || !quiet(given).test(stdout)) wrong.push({ name, given, code, stdout, stderr })
      }
      expect(wrong).toEqual([])
      expect(asking.length).toBeGreaterThan(20)
    },
  )

  it('every list prints what the other commands take', { timeout: 120_000 }, async () => {
    expect(Object.keys(takers).sort()).toEqual(lists.map(([name]) => name).sort())
    await server.gateway.ports.storage.topups.insert({
      ...{ amount: 1, money: 730, currency: 'cny', quota: 500_000, provider: 'epay', method: 'alipay' },
      ...{ user_id: 1, trade_no: 'USR1NOlisted', create_time: 1 },
    })
    const crew = await dataOf(['teams', 'add', 'crew'])
    await run(['users', 'create', 'mate', '--password', 'long enough'])
    await joinTeam(server.gateway, { id: crew.id, username: 'mate' })
    await run(['users', 'create', 'invited', '--password', 'long enough'])
    await run(['teams', 'member', 'crew', 'invited'])
    await run(['teams', 'views', 'add', 'crew', 'Errors', '--list', 'logs'])
    await call()
    const wrong: object[] = []
    for (const [name, take] of Object.entries(takers).filter(([, take]) => take !== undefined)) {
      const { stdout } = await run([...name.split(' '), ...(looks[name] ?? []), '--quiet'])
      const id = stdout.trim().split('\n').at(-1) ?? ''
      const taken = id === '' ? undefined : await run(take?.(id) ?? [])
      if (taken?.code !== 0) wrong.push({ name, stdout, taken })
    }
    expect(wrong).toEqual([])
  })

  it('and without it a text in the language of the terminal', async () => {
    const wrong: object[] = []
    // `weir call` prints what the endpoint answers.
    const spoken = Object.entries(changes).filter(([each]) => each !== 'call')
    for (const [name, { args }] of sampleCases(spoken, 3)) {
      const { code, stdout } = await run([...name.split(' '), ...(await args()), '--language', 'zh'])
      if (code !== 0 || !/\p{Script=Han}/u.test(stdout) || /undefined|NaN|\[object/.test(stdout))
        wrong.push({ name, code, stdout })
    }
    expect(wrong).toEqual([])
  })

  it.each([
    [['channels.list'], /^\d+\n\d+/],
    [['users.list'], /^\d+\n/],
    [['users.updateSelf', '--display_name', 'Somebody'], /^null\n$/],
  ])('call %j prints ids where there are some', async (args, printed) => {
    const { code, stdout } = await run(['call', ...args, '--quiet'])
    expect([code, stdout]).toEqual([0, expect.stringMatching(printed)])
  })

  it('init makes no password that nobody sees', async () => {
    const fresh = await startTestServer()
    const env = { WEIR_DATA: fresh.config.data }
    const refused = await runHere(['init', '--yes', '--quiet'], { env })
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--password is required') })
    expect(await fresh.gateway.client.site.setupStatus({})).toMatchObject({ status: false })
    const args = ['init', '--yes', '--quiet', '--password', '-']
    expect(await runHere(args, { env, input: 'a long password\n' })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^sk-\w{48}\n$/),
    })
    expect(await runHere(['init', '--yes', '--quiet'], { env })).toMatchObject({ code: 0, stdout: '' })
    await fresh.close()
  })
})

describe('lists in pages', () => {
  const paged = lists.filter(([, { options }]) => options.page && options.limit).map(([name]) => name)
  const limited = lists.filter(([, { options }]) => options.limit).map(([name]) => name)

  it('are whole for programs, and any limit is served', async () => {
    for (const count of [100, 100, 50])
      await server.gateway.client.redemptions.create({ name: 'many', quota: 1, count })
    const ids = async (...args: string[]) =>
      (await run(['redemptions', 'ls', '--search', 'many', ...args])).stdout.trim().split('\n')
    const all = await ids('--quiet')
    expect(new Set(all).size).toBe(250)
    expect(await ids('--jq', '.[].id')).toEqual(all)
    expect(JSON.parse((await ids('--json')).join('\n'))).toHaveLength(250)
    expect(await ids('--csv')).toHaveLength(251)
    expect(await ids('--limit', '500')).toHaveLength(251)
    expect(await ids('--quiet', '--limit', '130')).toEqual(all.slice(0, 130))
    expect(await ids('--quiet', '--limit', '130', '--page', '2')).toEqual(all.slice(130))
    expect(await ids('--quiet', '--limit', '30', '--page', '3')).toEqual(all.slice(60, 90))
    const part = await run(['redemptions', 'ls', '--search', 'many', '--limit', '130'])
    expect(part.stderr).toBe('130 of 250; --page and --limit show the others.\n')
  })

  it('say where a page is past the end, in every form', { timeout: 120_000 }, async () => {
    expect(paged.length).toBeGreaterThan(7)
    for (const name of paged)
      for (const form of pickInTurn([[], ['--quiet'], ['--json'], ['--csv']], paged.indexOf(name), 1)) {
        const { code, stdout, stderr } = await run([
          ...name.split(' '),
          ...(looks[name] ?? []),
          '--page',
          '99',
          ...form,
        ])
        expect([name, code, stderr]).toEqual([name, 0, expect.stringMatching(/^Page 99 is past the end/)])
        // Nothing says that there are no rows at all.
        if (form.length === 0) expect([name, stdout]).toEqual([name, ''])
      }
  })

  it('refuse pages and limits that are no whole numbers from 1', async () => {
    for (const name of limited)
      for (const flag of paged.includes(name) ? ['--page', '--limit'] : ['--limit'])
        for (const value of ['0', '-1', '1.5', 'ten', '1e2', '0x10', ''])
          expect([name, flag, value, (await runHere([...name.split(' '), `${flag}=${value}`])).code]).toEqual([
            ...[name, flag, value, 2],
          ])
  })
})

describe('exit codes', () => {
  it('2 for every command written wrongly', { timeout: 120_000 }, async () => {
    const wrong: object[] = []
    const refuse = async (args: string[]) => {
      const { code, stdout } = await runHere(args)
      if (code !== 2 || stdout !== '') wrong.push({ args, code, stdout })
    }
    for (const [name, { anyOptions, arguments: declared }] of leaves) {
      const path = name.split(' ')
      await refuse(anyOptions ? [...path, 'no.endpoint'] : [...path, '--no-such-flag'])
      if (Object.values(declared).some(({ spec }) => spec.startsWith('<'))) await refuse(path)
    }
    expect(wrong).toEqual([])
  })

  it('2 for every wrong value, before anything is asked or changed', { timeout: 120_000 }, async () => {
    const gone = ['--server', 'http://127.0.0.1:9']
    const wrong: object[] = []
    for (const [name, { anyOptions, alone, here, readOnly, options, arguments: declared }] of sampleCases(leaves, 2)) {
      if (anyOptions || alone || here || apart.includes(name)) continue
      const given = changes[name]
        ? Object.values(declared).flatMap(({ spec }) => (spec.startsWith('<') ? ['1'] : []))
        : (looks[name] ?? [])
      const flags = Object.values(options).flatMap(({ flag, choices }) => {
        const isNumber = /<(number|n|when|amount|json)>$/.test(flag)
        return choices || isNumber ? [`${flag.split(' ')[0]}=no such value`] : []
      })
      // Commands that only look check the names of fields as they print.
      const column = readOnly ? [] : ['--columns=no_such_field']
      for (const flag of [...flags, ...column, '--jq=.[', '--watch=soon', '--context=nowhere']) {
        const place = flag.startsWith('--context') ? [] : gone
        const { code, stdout, stderr } = await runHere([...name.split(' '), ...given, flag, ...place])
        if (code !== 2 || stdout !== '') wrong.push({ name, flag, code, stdout, stderr })
      }
    }
    expect(wrong).toEqual([])
  })

  it('2 for a value that the gateway refuses, here and over the wire', async () => {
    const access = JSON.parse((await run(['call', 'users.accessToken', '--json'])).stdout) as string
    const remote = ['--server', server.url, '--access-token', access]
    for (const args of [
      ['usage', 'ls', '--zone', 'No/Where'],
      ['tokens', 'add', '--name', 'x'.repeat(10_000)],
      ['call', 'channels.update', '--id', 'one'],
      ['channels', 'edit', '1', '--model-mapping', '{"a":"b","b":"a"}'],
      ['export', '--seal-to', 'no recipient'],
    ])
      for (const place of [[], remote]) expect([args, (await run([...args, ...place])).code]).toEqual([args, 2])
  })

  it('1 for what Weir holds, or a file contains, here and over the wire', async () => {
    const access = JSON.parse((await run(['call', 'users.accessToken', '--json'])).stdout) as string
    const file = join(server.config.data, 'no-list.txt')
    await writeFile(file, 'no list')
    for (const args of [
      ['users', 'edit', 'root', '--group', 'nobody-made-it'],
      ['prices', 'sync', '--file', file, '--all', '--yes'],
      ['call', 'channels.updateBalance', '--id', '1'],
    ])
      for (const place of [[], ['--server', server.url, '--access-token', access]]) {
        const { code, stderr } = await run([...args, ...place, '--json'])
        const failure = JSON.parse(stderr.trim().split('\n').at(-1) ?? '{}') as Json
        expect([args, code, errors[failure.code as keyof typeof errors].kind]).toEqual([args, 1, 'precondition'])
      }
  })

  it('1 for every command where it is refused, and where nobody answers', { timeout: 120_000 }, async () => {
    const refusal = { success: false, message: 'No', code: 'access.forbidden' }
    const refusing = await fakeServer(() => ({ body: refusal }))
    const gone = await fakeServer(() => ({ body: {} }))
    await gone.close()
    const wrong: object[] = []
    const asked = [...Object.keys(changes), ...Object.keys(looks)].filter((each) => each !== 'doctor')
    for (const name of sampleCases(asked, 3)) {
      const args = [...name.split(' '), ...(await argsOf(name)), '--json', '--server']
      const refused = await runHere([...args, refusing.url])
      const alone = await runHere([...args, gone.url])
      const isTold =
        isDeepStrictEqual(JSON.parse(refused.stderr || '{}'), refusal) &&
        (JSON.parse(alone.stderr || '{}') as Json).success === false &&
        (JSON.parse(alone.stderr || '{}') as Json).code === 'unreachable'
      if (refused.code !== 1 || alone.code !== 1 || refused.stdout + alone.stdout !== '' || !isTold)
        wrong.push({ name, refused, alone })
    }
    await refusing.close()
    expect(wrong).toEqual([])
  })

  const verdicts = gatewayVerdicts({ run, dataOf, call })

  it('1 for every command that says when it fails', async () => {
    const declared = leaves.filter(([, { failsWhen }]) => failsWhen !== undefined).map(([name]) => name)
    expect(Object.keys(verdicts).sort()).toEqual(declared.sort())
    for (const [name, { fails, holds }] of Object.entries(verdicts)) {
      expect([name, (await fails()).code, (await holds()).code]).toEqual([name, 1, 0])
      expect((await runHere([...name.split(' '), '--help'])).stdout).toContain('Exit code 1 where')
    }
  })

  it('1 for a route that only channels that are off could take, 0 where a fallback serves', async () => {
    const made = await dataOf(['channels', 'add', '--type', 'sandbox', '--name', 'off', '--models', 'resting'])
    expect((await run(['route', 'explain', '--model', 'resting'])).code).toBe(0)
    await run(['channels', 'edit', String(made.id), '--disable'])
    expect((await run(['route', 'explain', '--model', 'resting'])).code).toBe(1)
    const token = (await JSON.parse(
      (await run(['call', 'tokens.create', '--name', 'f', '--fallback_models', 'sandbox-small'])).stdout,
    )) as { id: number }
    expect((await run(['route', 'explain', '--model', 'resting', '--token', String(token.id)])).code).toBe(0)
  })
})

describe('what an operator asks of others', () => {
  const DEAD = 'http://127.0.0.1:9'
  it('says which fault of the network it was, with exit code 1', async () => {
    for (const [setting, value] of [
      ['AllowedNetworks', '["127.0.0.0/8"]'],
      ['ServerAddress', server.url],
      ['general_setting.release_url', `${DEAD}/release`],
      ['oidc.well_known', `${DEAD}/.well-known/openid-configuration`],
      ['oidc.client_id', 'weir'],
      ['oidc.enabled', 'true'],
    ])
      expect((await run(['settings', 'set', setting!, value!, '--yes'])).stderr).toBe('')
    const fields = ['--name', 'dead', '--key', 'k', '--models', 'm', '--base-url', DEAD]
    const id = String((await dataOf(['channels', 'add', '--type', 'openai', ...fields])).id)
    for (const args of [
      ['channels', 'test', id],
      ['call', 'channels.fetchModels', '--id', id],
      ['call', 'channels.fetchModelsNew', '--type', '1', '--base_url', DEAD, '--key', 'k'],
      ['call', 'channels.updateBalance', '--id', id],
      ['call', 'auth.oauthStart', '--type', 'oidc'],
      ['call', 'site.release'],
    ]) {
      const { code, stdout, stderr } = await run([...args, '--json'])
      expect([args, code, stdout + stderr]).toEqual([args, 1, expect.stringContaining('the connection was refused')])
      expect(stdout + stderr).not.toMatch(/\b500\b|server\.bug/)
    }
    await run(['channels', 'delete', id, '--yes'])
    await run(['settings', 'set', 'ServerAddress', ''])
  })
})

describe('an ordinary user', () => {
  let env: Record<string, string>
  const runAs = (args: string[]) => runHere(args, { env })
  const read = async (args: string[]) => {
    const { code, stdout, stderr } = await runAs([...args, '--json'])
    expect([args.join(' '), stderr, code]).toEqual([args.join(' '), '', 0])
    return JSON.parse(stdout) as Json[]
  }
  const callOnce = async (token: string) => {
    const reply = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'sandbox-small', messages: [{ role: 'user', content: 'Hello' }] }),
    })
    expect(reply.status).toBe(200)
    return reply.headers.get('x-request-id') ?? ''
  }
  let requests: { own: string; other: string }

  beforeAll(async () => {
    const [username, password] = ['everybody', 'a long password']
    expect(await run(['users', 'create', username, '--quota', '$5', '--password', '-'], password)).toMatchObject({
      code: 0,
    })
    const visitor = createVisitor(server.url)
    await visitor.login(username, password)
    const { token } = await visitor.client.users.createAccessToken({ name: 'terminal', scope: 'all' })
    env = { WEIR_SERVER: server.url, WEIR_ACCESS_TOKEN: token }
    const own = (await runAs(['tokens', 'add', '--name', 'own', '--quiet'])).stdout.trim()
    requests = { own: await callOnce(own), other: await callOnce(key) }
  })

  it('sees the own rows of the log, usage, orders, tasks, prices, models and groups', async () => {
    const rows = await read(['logs'])
    expect(await read(['logs', '--min-cost', '1'])).toEqual(rows.filter(({ quota }) => Number(quota) >= 1))
    expect(await read(['logs', '--min-cost', '$900', '--min-ms', '3600000'])).toEqual([])
    expect(rows.map(({ request_id }) => request_id)).toContain(requests.own)
    expect(new Set(rows.map(({ user }) => user))).toEqual(new Set(['everybody']))
    expect((await runAs(['logs', 'export'])).stdout).toContain(requests.own)
    expect((await runAs(['logs', 'export'])).stdout).not.toContain(requests.other)
    expect(await read(['logs', 'trace', requests.own])).toMatchObject({ request_id: requests.own, user: 'everybody' })
    expect(await read(['logs', 'explain', requests.own])).toMatchObject({ request_id: requests.own })
    expect((await runAs(['logs', 'explain', requests.other])).code).toBe(1)
    expect(await read(['usage'])).toMatchObject([{ name: 'sandbox-small', calls: 1, cost: null }])
    expect(await read(['usage', '--by', 'day', '--since', '1d'])).not.toEqual([])
    expect(await read(['topups'])).toEqual([])
    expect(await read(['tasks'])).toEqual([])
    expect(await read(['prices', '--search', 'SANDBOX-small'])).toMatchObject([
      { model: 'sandbox-small', input: expect.any(Number), source: null },
    ])
    expect(await read(['models', '--search', 'sandbox-small'])).toMatchObject([
      { model: 'sandbox-small', groups: ['default'], channels_on: null, input_usd_per_1m: expect.any(Number) },
    ])
    expect((await read(['groups'])).map(({ name }) => name)).toContain('default')
    for (const noun of ['logs', 'usage', 'topups', 'prices', 'models', 'groups']) {
      const { code, stdout } = await runAs([noun])
      expect([noun, code, /undefined|NaN|null/.test(stdout)]).toEqual([noun, 0, false])
    }
  })

  it.each([
    [['logs', '--user', 'root'], /username=root/],
    [['logs', '--channel', '1'], /channel=1/],
    [['usage', '--user', 'root'], /user=root/],
    [['topups', '--review'], /needs_review=true/],
    [['prices', '--bought'], /--bought/],
    [['models', '--missing'], /--missing/],
  ])('%j is refused, not ignored', async (args, named) => {
    const { code, stdout, stderr } = await runAs(args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/Only an administrator/)
    expect(stderr).toMatch(named)
  })

  it('is told who may run a command exactly where the help says so', { timeout: 120_000 }, async () => {
    const wrong: object[] = []
    for (const [name, command] of leaves.filter(([each]) => each !== 'call' && (each in changes || each in looks))) {
      // Without a name it is the user's own balance.
      const given = name === 'ledger show' ? [] : await argsOf(name)
      const { code, stderr } = await runAs([...name.split(' '), ...given, '--json'])
      const failure = code === 0 ? {} : (JSON.parse(stderr.trim().split('\n').at(-1) ?? '{}') as Json)
      const isTold = failure.code === 'access.forbidden' && /administrator/.test(failure.message)
      const isMarked = findRequiredRole(command) !== undefined
      if (isTold !== isMarked) wrong.push({ name, isMarked, code, stderr })
    }
    expect(wrong).toEqual([])
  })

  it('reads of what belongs to others that only the own is searched, and of what needs a role that', async () => {
    await server.gateway.ports.storage.tasks.add(newTask({ task_id: 'of-root', channel_id: 1, user_id: 1 }))
    await server.gateway.ports.storage.topups.insert({
      ...{ amount: 1, money: 730, currency: 'cny', quota: 500_000, provider: 'epay', method: 'alipay' },
      ...{ user_id: 1, trade_no: 'USR1NOofroot', create_time: 1 },
    })
    for (const args of [
      ['tasks', 'show', 'of-root'],
      ['topups', 'show', 'USR1NOofroot'],
      ['logs', 'trace', requests.other],
      ['logs', 'explain', requests.other],
      ['why', requests.other],
    ]) {
      const { code, stderr } = await runAs(args)
      expect([args, code, stderr]).toEqual([args, 1, expect.stringContaining('Only your own are searched')])
      expect([args, (await run(args)).code]).toEqual([args, 0])
      expect((await run([...args.slice(0, -1), 'nothing-like-it'])).stderr).not.toContain('Only your own')
    }
    for (const verb of ['cancel', 'retry', 'refund'])
      expect((await runAs(['tasks', verb, 'of-root', '--yes'])).stderr).toContain('This needs an administrator')
  })

  it('redeems a code and hears the balance before and after; a disabled one is refused', async () => {
    const [code] = (await dataOf(['redemptions', 'create', '--name', 'gift', '--quota', '$2'])) as unknown as Json[]
    await run(['redemptions', 'disable', 'gift'])
    expect((await runAs(['redemptions', 'redeem', String(code?.key)])).code).toBe(1)
    expect((await run(['redemptions', 'show', 'gift'])).stdout).toContain('disabled')
    await run(['redemptions', 'enable', 'gift'])
    const { code: exit, stdout } = await runHere(['redemptions', 'redeem', '-'], { env, input: `${code?.key}\n` })
    expect([exit, stdout]).toEqual([
      0,
      expect.stringMatching(/Added \$2\.00: the balance was \$[\d.]+ and is \$[\d.]+\./),
    ])
    expect((await run(['redemptions', 'show', 'gift', '--json'])).stdout).toContain('"status": "used"')
  })

  it('reads in the help which commands are for administrators', async () => {
    const help = (await runHere(['redemptions', '--help'])).stdout.replaceAll(/\s+/g, ' ')
    expect(help).toContain('List redemption codes, newest first (administrators)')
    expect((await runHere(['logs', 'home', '--help'])).stdout.replaceAll(/\s+/g, ' ')).toContain(
      '(the super administrator)',
    )
    expect((await runHere(['logs', 'ls', '--help'])).stdout).not.toContain('(administrators)')
    expect(await runAs(['channels', 'ls'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /needs an administrator, and "everybody" is an ordinary user\. Ask an administrator/,
      ),
    })
  })
})
