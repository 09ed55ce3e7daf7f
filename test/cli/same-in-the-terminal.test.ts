// 'The same in the terminal': the command line that the console shows gives the same rows, and makes the same change.
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listEndpointFields } from '../../cli/input/callable-endpoint.ts'
import { buildEndpointInput } from '../../cli/input/endpoint-input.ts'
import { runCommandLine } from '../../cli/main.ts'
import { allCommands } from '../../cli/commands/index.ts'
import { listEveryCommand } from '../../cli/command.ts'
import { spokenCommandLines, toCommandLine } from '../../console/shell/command-lines.ts'
import { secretFieldNames } from '../../console/data/secret-fields.built.ts'
import { toOutline } from '../../core/contract/client.ts'
import { buildCommandLine } from '../../core/contract/command-line.ts'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import { endpointsByName } from '../../core/contracts.ts'
import { newLog } from '../storage/samples.ts'
import { createVisitor, startTestServer, type TestServer, type Visitor } from '../support/server.ts'
import { fakeHost } from '../support/terminal.ts'

const root = { username: 'root', password: 'a root password' }
const rows = Array.from({ length: 30 }, (_, number) =>
  newLog({
    content: `row ${number}`,
    created_at: 1000 + number,
    token_name: number % 3 ? 'ci' : "it's --mine",
    type: 2,
  }),
)

let server: TestServer
let browser: Visitor
beforeAll(async () => {
  server = await startTestServer()
  await server.gateway.client.site.setup({ ...root, confirmPassword: root.password })
  await server.gateway.ports.storage.logs.insert(rows)
  await server.gateway.ports.storage.logs.insert(
    rows.map((row) => ({ ...row, created_at: row.created_at + 1_700_000_000, token_name: "it's --mine" })),
  )
  browser = createVisitor(server.url)
  await browser.login(root.username, root.password)
  for (const name of ['--first', 'second']) await inBrowser('tokens.create', { name })
  for (const name of ['alpha', 'beta']) await inBrowser('channels.create', { name, type: 1, key: name, models: 'm' })
  await inBrowser('teams.create', { name: 'research' })
})
afterAll(() => server.close())

const lineOf = (name: string, input: Record<string, unknown>) =>
  buildCommandLine(name, toOutline(endpointsByName.get(name)!), input, secretFieldNames[name])

/** As a shell reads it. */
const wordsOf = (line: string): string[] =>
  execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' })
    .split('\0')
    .slice(1, -1)

async function inTerminal(line: string): Promise<unknown> {
  const { host, written } = fakeHost({ env: { WEIR_DATA: server.config.data } })
  expect(await runCommandLine([...wordsOf(line), '--json'], host), written.stderr).toBe(0)
  // Of a list with more rows.
  expect(written.stderr).toMatch(/^(\d+ of \d+; --page and --limit show the others\.\n)?$/)
  // Keys of tokens are printed as clients send them.
  return JSON.parse(written.stdout.replace(/("key":\s*")sk-/g, '$1'))
}

async function inBrowser(name: string, input: Record<string, unknown>): Promise<unknown> {
  const [feature = '', endpoint = ''] = name.split('.')
  const client = browser.client as unknown as Record<string, Record<string, (input: object) => Promise<unknown>>>
  return client[feature]![endpoint]!(input)
}

describe('the same rows', () => {
  /** What lists of the console ask for. */
  const asked: [string, Record<string, unknown>][] = [
    ['logs.list', { p: 2, page_size: 10, type: 2, model_name: '', token_name: "it's --mine", sort: '-created_at' }],
    ['logs.list', { p: 1, page_size: 100, type: 0, start_timestamp: 1003, end_timestamp: 1020, channel: 0 }],
    ['tokens.list', { p: 0, size: 10 }],
    ['tokens.search', { keyword: '--first', token: '', p: 0, size: 10 }],
    ['channels.list', { p: 0, page_size: 10, id_sort: 'true' }],
    ['channels.search', { keyword: 'a "b" $c', model: '', group: 'default', id_sort: 'false' }],
    ['teams.list', { p: 1, page_size: 10, all: 'true' }],
    ['users.list', { p: 1, page_size: 10 }],
    ['groups.list', {}],
  ]
  it.each(asked)('%s %j', async (name, input) => {
    const shown = await inBrowser(name, input)
    expect(await inTerminal(lineOf(name, input))).toEqual(JSON.parse(JSON.stringify(shown)))
  })
})

describe('in the words of a command, the same rows', () => {
  /** What lists of the console ask for, the line, and what their rows are known by. */
  const asked: [name: string, input: Record<string, unknown>, line: string, by: string][] = [
    [
      'logs.list',
      {
        ...{ p: 2, page_size: 10, type: 2, model_name: '', token_name: "it's --mine", channel: 0, username: '' },
        ...{ start_timestamp: 1_000_000_000, end_timestamp: 1_900_000_000 },
      },
      `weir logs ls --page 2 --limit 10 --type consumption --token 'it'\\''s --mine' --since 1000000000 --until 1900000000`,
      'id',
    ],
    ['tokens.list', { p: 0, size: 1 }, 'weir tokens ls --limit 1', 'id'],
    ['tokens.list', { p: 1, size: 1 }, 'weir tokens ls --page 2 --limit 1', 'id'],
    [
      'tokens.search',
      { keyword: '--firs', token: '', p: 0, size: 10 },
      'weir tokens ls --search=--firs --limit 10',
      'id',
    ],
    [
      'channels.list',
      { p: 0, page_size: 10, status: 1, type: 0, tag: '', id_sort: 'false', tag_mode: 'false' },
      'weir channels ls --limit 10 --status enabled',
      'id',
    ],
    [
      'channels.search',
      { keyword: 'a', model: '', group: 'default', type: 1, id_sort: 'false' },
      'weir channels ls --search a --group default --type 1',
      'id',
    ],
    ['teams.list', { p: 1, page_size: 10, all: 'true' }, 'weir teams ls --limit 10', 'id'],
    ['groups.list', {}, 'weir groups ls', 'name'],
  ]
  it.each(asked)('%s %j', async (name, input, line, by) => {
    expect(toCommandLine(name, input)).toBe(line)
    const rows = (whole: unknown): unknown[] => {
      const found = Array.isArray(whole) ? whole : Object.values(whole as object).find(Array.isArray)
      return (found as unknown[]).map((row) => (typeof row === 'string' ? row : (row as Record<string, unknown>)[by]))
    }
    const shown = rows(await inBrowser(name, input))
    expect(shown.length).toBeGreaterThan(0)
    expect(rows(await inTerminal(line))).toEqual(shown)
  })

  it('leaves to `weir call` what a command cannot say', () => {
    expect(toCommandLine('channels.list', { p: 0, id_sort: 'true' })).toBeNull()
    expect(toCommandLine('channels.list', { p: 0, sort: 'name' })).toBeNull()
    expect(toCommandLine('tokens.search', { token: 'sk-x' })).toBeNull()
    expect(toCommandLine('tokens.update', { id: 1, name: 'x', status: 1 })).toBeNull()
    expect(toCommandLine('logs.list', { start_timestamp: 1003 })).toBeNull()
    expect(toCommandLine('teams.list', { p: 1 })).toBeNull()
    expect(toCommandLine('users.list', { p: 1 })).toBeNull()
  })

  const known = new Map(listEveryCommand(allCommands).map(([path, declared]) => [path.join(' '), declared]))
  const lines = Object.entries(spokenCommandLines).flatMap(([name, all]) => all.map((each) => [name, each] as const))
  it.each(lines)('%s is said by a command that there is, of fields that it has: $command', (name, each) => {
    const declared = known.get(each.command)
    expect(declared, each.command).toBeDefined()
    const options = Object.values(declared!.options).map(({ flag }) => flag.split(' ')[0])
    const said = [...Object.values(each.flags ?? {}).map(({ flag }) => flag), ...(each.sure ? ['--yes'] : [])]
    expect(said.filter((flag) => !options.includes(flag))).toEqual([])
    expect(Object.keys(declared!.arguments).length).toBeGreaterThanOrEqual(each.args?.length ?? 0)
    const { params, query, body } = endpointsByName.get(name)!
    const fields = [params, query, body].flatMap((part) => Object.keys(part?.shape ?? {}))
    const spokenOf = [each.args ?? [], ...[each.flags, each.only].map((part) => Object.keys(part ?? {}))].flat()
    expect(spokenOf.filter((field) => !fields.includes(field))).toEqual([])
  })
})

it('in the words of a command, the same change', async () => {
  const { id } = (await inBrowser('tokens.create', { name: 'switched', unlimited_quota: true })) as { id: number }
  const status = async () => ((await inBrowser('tokens.get', { id })) as { status: number }).status
  for (const wanted of [2, 1]) {
    await inTerminal(toCommandLine('tokens.update', { id, status: wanted, status_only: 'true' })!)
    expect(await status()).toBe(wanted)
  }
  const [first, second] = (await server.gateway.client.channels.list({})).data.map((channel) => channel.id)
  await inTerminal(toCommandLine('channels.switchMany', { ids: [first, second], status: 2 })!)
  const states = (await server.gateway.client.channels.list({})).data.map((channel) => channel.status)
  expect(states).toEqual([2, 2])
  await inTerminal(toCommandLine('tokens.delete', { id })!)
  await expect(status()).rejects.toThrow()
})

it('the same change', async () => {
  const token = (await inBrowser('tokens.create', { name: 'from the page' })) as { id: number }
  const change = { id: token.id, name: `it's "new"`, model_limits: '', unlimited_quota: true, remain_quota: 7 }
  const line = lineOf('tokens.update', change)
  expect(await inTerminal(line)).toMatchObject({ name: `it's "new"`, unlimited_quota: true, remain_quota: 7 })
  expect(await inBrowser('tokens.get', { id: token.id })).toMatchObject({ name: `it's "new"`, unlimited_quota: true })
})

it('names no secret', () => {
  const line = lineOf('channels.create', { name: 'main', key: 'sk-very-secret', type: 1, models: 'a,b' })
  expect(line).toBe('weir call channels.create --name main --key "$KEY" --type 1 --models a,b')
  expect(secretFieldNames['users.create']).toContain('password')
})

/** Values that every shell, and the command line itself, could take for something else. */
const ODD = ["it's", '--flag', '-1', '$HOME `x` \\', 'two\nlines', '*', '"', '#', '~', '!x', 'a;b']

it('says odd values as they are', () => {
  const read = (name: string, declared: Endpoint, input: Record<string, unknown>) => {
    const line = buildCommandLine(name, toOutline(declared), input)
    const [, , ...given] = wordsOf(line)
    const at = given.indexOf('--data-json')
    const json = at < 0 ? undefined : given[at + 1]
    return buildEndpointInput(listEndpointFields(declared), at < 0 ? given : given.slice(0, at), json)
  }
  const declared = endpointsByName.get('channels.update')!
  const search = endpointsByName.get('logs.search')!
  for (const keyword of ODD) expect(read('logs.search', search, { keyword })).toEqual({ keyword })
  expect(read('channels.update', declared, { id: 1, tag: null, base_url: '' })).toEqual({
    id: 1,
    tag: null,
    base_url: '',
  })
})
