// Every command that prints fields, on this machine and over the network, as the super administrator, an administrator
// and an ordinary user: complete for programs in every form, tables that fit at every width, and refusals that say what
// is needed. The cases are the declarations of the commands.
import stringWidth from 'fast-string-width'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stripColor } from '../../cli/output/paint.ts'
import { ApiRateSettings } from '../../core/settings/network.ts'
import { listPlainNames } from '../../cli/output/view.ts'
import { joinTeam } from '../support/teams.ts'
import { createVisitor, startTestServer, type TestServer } from '../support/server.ts'
import { runHere } from '../support/terminal.ts'
import { leaves, looks } from './commands.data.ts'

const WIDTHS = [60, 80, 120, 200]
const PASSWORD = 'a long password'
const ACCOUNTS = ['this machine', 'root', 'administrator', 'user'] as const
type Account = (typeof ACCOUNTS)[number]

/** Commands whose result differs from one run to the next, or that measure something. */
const CHANGING =
  /^(?:channels test|channels balance|doctor|status|attention|me export|users export|me sessions ls|sessions ls|logs ls)$/

/** Commands of one thing with a table inside, which is what their CSV has. */
const TABLES_INSIDE = ['route explain', 'ledger show']

/** `discover` needs the address of a service that answers. */
const printed = leaves.filter(
  ([name, { output, anyOptions, here }]) =>
    name in looks && output && !anyOptions && !here && name !== 'sign-in-services discover',
)

let server: TestServer
const places = new Map<Account, Record<string, string>>()
const run = (args: string[], account: Account = 'this machine', more: Parameters<typeof runHere>[1] = {}) =>
  runHere(args, { ...more, env: { ...places.get(account), TERM: 'xterm', ...more.env } })

async function signIn(username: string, password: string): Promise<Record<string, string>> {
  const visitor = createVisitor(server.url)
  await visitor.login(username, password)
  const { token } = await visitor.client.users.createAccessToken({ name: 'terminal', scope: 'all' })
  return { WEIR_SERVER: server.url, WEIR_ACCESS_TOKEN: token }
}

beforeAll(async () => {
  server = await startTestServer()
  places.set('this machine', { WEIR_DATA: server.config.data })
  const made = JSON.parse(
    (await run(['init', '--yes', '--json', '--password', '-'], undefined, { input: PASSWORD })).stdout,
  ) as {
    token_key: string
  }
  // Nothing here is asked as slowly as by people.
  const unlimited = Object.fromEntries(Object.keys(ApiRateSettings.shape).map((name) => [name, [0, 60]]))
  await server.gateway.client.settings.update({ key: 'ApiRateLimits', value: JSON.stringify(unlimited) })
  for (const name of ['adm', 'everybody'])
    expect(
      (await run(['users', 'add', name, '--quota', '5usd', '--password', '-'], undefined, { input: PASSWORD })).code,
    ).toBe(0)
  await run(['users', 'promote', 'adm'])
  places.set('root', await signIn('root', PASSWORD))
  places.set('administrator', await signIn('adm', PASSWORD))
  places.set('user', await signIn('everybody', PASSWORD))
  // Rows for most lists, some with long names.
  const long = 'long name 与中文名称'
  const team = JSON.parse((await run(['teams', 'add', 'crew', '--json'])).stdout) as { id: number }
  await joinTeam(server.gateway, { id: team.id, username: 'everybody' })
  const keys = [made.token_key]
  for (const account of ['administrator', 'user'] as const)
    keys.push((await run(['tokens', 'add', '--name', long, '--quiet'], account)).stdout.trim())
  expect(keys.filter((key) => !key.startsWith('sk-'))).toEqual([])
  await run(['redemptions', 'add', '--name', 'spring', '--quota', '2usd', '--count', '3'])
  await run(['channels', 'add', '--type', 'sandbox', '--name', long, '--models', 'sandbox-small,sandbox-large'])
  await run(['alerts', 'add', '--name', 'errors', '--kind', 'error_rate', '--threshold', '20'])
  for (const key of keys)
    for (const model of ['sandbox-small', 'nobody-has-it'])
      await fetch(`${server.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
      }).then((reply) => reply.text())
  // Calls that are refused before a provider is asked may share a row.
  while (Number((await run(['logs', '--type', 'consumption', '--jq', 'length'])).stdout) < keys.length)
    await new Promise((resolve) => setTimeout(resolve, 50))
})
afterAll(() => server.close())

const toArgs = (name: string) => [...name.split(' '), ...(looks[name] ?? [])]
const countLines = (text: string) => (text === '' ? 0 : text.replace(/\n$/, '').split('\n').length)

/** Counts the rows of a CSV text, in which quoted cells may hold line breaks. */
const countCsvRows = (text: string) => countLines(text.replace(/"(?:[^"]|"")*"/g, 'x')) - 1

describe.each(ACCOUNTS)('%s', (account) => {
  /** The commands that the account may run; what they print as JSON. */
  const answers = new Map<string, unknown>()

  it('gets an answer or a refusal that names what is needed', { timeout: 300_000 }, async () => {
    const wrong: object[] = []
    for (const [name, command] of printed) {
      const { code, stdout, stderr } = await run([...toArgs(name), '--json'], account)
      // A command that says when it fails prints its rows all the same.
      if (code === 0 || (command.failsWhen && stdout !== '')) {
        answers.set(name, JSON.parse(stdout))
        continue
      }
      const failure = JSON.parse(stderr.trim().split('\n').at(-1) ?? '{}') as { code?: string; message?: string }
      const isRefused = failure.code === 'access.forbidden'
      const isClear = isRefused ? /administrator/.test(failure.message ?? '') : failure.code !== 'server.bug'
      if (code !== 1 || !isClear || (isRefused && (account === 'root' || account === 'this machine')))
        wrong.push({ name, code, stdout, stderr })
    }
    expect(wrong).toEqual([])
    expect(answers.size).toBeGreaterThan(account === 'user' ? 15 : 40)
  })

  it('gets everything in every form for programs', { timeout: 300_000 }, async () => {
    const wrong: object[] = []
    for (const [name, json] of answers) {
      const { output } = leaves.find(([each]) => each === name)![1]
      const many = Array.isArray(json)
      const rows = many ? json.length : 1
      const [csv, none, same, quiet] = await Promise.all(
        [['--csv'], ['--jq', 'empty'], ['--jq', 'if type == "array" then length else 1 end'], ['--quiet']].map((form) =>
          run([...toArgs(name), ...form], account),
        ),
      )
      const names = listPlainNames(output!.view)
      const header = csv!.stdout.split('\n')[0]!.split(',')
      const isIdentified = Object.values(output!.view).some(({ identifies }) => identifies)
      const faults = [
        TABLES_INSIDE.includes(name) || header.length === names.length ? '' : 'names of the CSV',
        TABLES_INSIDE.includes(name) || CHANGING.test(name) || countCsvRows(csv!.stdout) === rows
          ? ''
          : 'rows of the CSV',
        none!.stdout === '' ? '' : 'jq of nothing',
        CHANGING.test(name) || Number(same!.stdout) === rows ? '' : 'jq',
        CHANGING.test(name) || !many || !isIdentified || countLines(quiet!.stdout) === rows ? '' : 'quiet',
        many === output!.many || !many ? '' : 'a list where one thing is declared',
        /undefined|NaN|\[object/.test(csv!.stdout + same!.stdout + quiet!.stdout) ? 'undefined' : '',
      ].filter(Boolean)
      if (faults.length > 0) wrong.push({ name, faults, rows, names, csv, same, quiet })
    }
    expect(wrong).toEqual([])
  })

  it('sees tables that fit, and never less on a wider terminal', { timeout: 600_000 }, async () => {
    const wrong: object[] = []
    for (const name of answers.keys())
      for (const language of ['en', 'zh']) {
        let shown = 0
        for (const columns of WIDTHS) {
          const { stdout } = await run([...toArgs(name), '--language', language], account, { tty: true, columns })
          const lines = stripColor(stdout).split('\n')
          // A terminal wraps sentences itself; tables and figures have several blanks in a line.
          const wide = lines.filter((line) => / {2}/.test(line.trim()) && stringWidth(line) > columns)
          // On 60 columns, and for single things, each field is a line; `search` prints several tables.
          const titles = lines[0]?.trim().split(/\s{2,}/).length ?? 0
          const isTable = leaves.find(([each]) => each === name)![1].output!.many && name !== 'search'
          const isLess = isTable && columns > 60 && titles < shown
          if (columns > 60) shown = titles
          if (wide.length > 0 || isLess || /undefined|NaN|\[object/.test(stdout))
            wrong.push({ name, language, columns, wide, isLess, first: lines[0] })
        }
      }
    expect(wrong).toEqual([])
  })
})

it('is the same on this machine and over the network', { timeout: 300_000 }, async () => {
  const wrong: object[] = []
  for (const [name] of printed.filter(([each]) => !CHANGING.test(each))) {
    const [here, there] = await Promise.all(
      (['this machine', 'root'] as const).map((account) => run([...toArgs(name), '--json'], account)),
    )
    if (here!.code !== there!.code || here!.stdout !== there!.stdout) wrong.push({ name, here, there })
  }
  expect(wrong).toEqual([])
})
