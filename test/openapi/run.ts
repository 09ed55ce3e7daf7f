// Machines that read the OpenAPI document: npx tsx test/openapi/run.ts [--database sqlite|postgres] [--examples N]
//
// Installs a generator of Python clients and schemathesis from PyPI (Python 3.11; kept in ~/.cache/weir-openapi), and lets both
// loose on a filled gateway, schemathesis as nobody, as a user, as root and as a caller of the relay, on both databases. Fails on a
// status 5xx, on a status or a kind of content that the document does not name, on an answer that is not of its schema, and on a
// method that nobody declared and somebody answers.
import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import { ApiRateSettings } from '../../core/settings/network.ts'
import { startPostgres } from '../bench/postgres.ts'
import { addAccount, setUp, startBuiltServer } from '../support/built-server.ts'
import type { Visitor } from '../support/server.ts'
import { startUpstream } from '../support/upstream.ts'

const { values: options } = parseArgs({
  options: { database: { type: 'string' }, examples: { type: 'string', default: '30' } },
})
const execute = promisify(execFile)
const say = (line: string) => process.stdout.write(`${line}\n`)
const FOLDER = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'weir-openapi')
const tool = (name: string) => join(FOLDER, 'venv', 'bin', name)

/** What would end the run: the own account, the own session, and all of the others. */
const LEFT_OUT = [
  'users.deleteSelf',
  'users.delete',
  'users.manage',
  'auth.logout',
  'users.accessToken',
  'users.updateSelf',
]
const API = '^/(api|pg|dashboard)'
const CHECKS =
  'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,unsupported_method'

async function install(): Promise<void> {
  if (existsSync(tool('st'))) return
  await execute('python3.11', ['-m', 'venv', join(FOLDER, 'venv')])
  await execute(tool('pip'), [
    'install',
    '--quiet',
    'schemathesis==4.32.5',
    'openapi-python-client==0.29.1',
    'httpx',
    'attrs',
  ])
}

/** Runs a program and gives its exit code; what it says is shown. */
const shown = (command: string, args: readonly string[], cwd: string): Promise<number> =>
  new Promise((resolve) => {
    const child = spawn(command, args, { cwd, stdio: 'inherit' })
    child.on('close', (code) => resolve(code ?? 1))
  })

/** A gateway with something of everything: a channel, a model, users, a token, codes and calls. */
async function fill(root: Visitor, url: string): Promise<Visitor> {
  // Behind a limit there is nothing to be seen.
  const none = Object.fromEntries(Object.keys(ApiRateSettings.shape).map((name) => [name, [0, 60]]))
  await root.client.settings.update({ key: 'ApiRateLimits', value: JSON.stringify(none) })
  const upstream = await startUpstream()
  await root.client.channels.create({
    name: 'a channel',
    type: 1,
    key: 'k',
    base_url: upstream.url,
    models: 'gpt-4.1-mini',
  })
  await root.client.redemptions.create({ name: 'gift', quota: 1000, count: 3 })
  const { visitor } = await addAccount(root, url, 'ada', 1_000_000)
  await visitor.client.tokens.create({ name: 'a token', unlimited_quota: true })
  return visitor
}

/** A client that a generator made says what a call was refused for. */
async function generated(url: string): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'weir-openapi-'))
  const out = join(folder, 'weir_client')
  await execute(tool('openapi-python-client'), [
    'generate',
    '--url',
    `${url}/api/openapi.json`,
    '--meta',
    'none',
    '--output-path',
    out,
  ])
  return (
    (await shown(tool('python'), [fileURLToPath(new URL('client.py', import.meta.url)), url, folder], folder)) === 0
  )
}

const failures: string[] = []
async function play(kind: 'sqlite' | 'postgres'): Promise<void> {
  const postgres = kind === 'postgres' ? await startPostgres() : undefined
  const env = {
    WEIR_DATA: mkdtempSync(join(tmpdir(), 'weir-openapi-')),
    ...(postgres ? { DATABASE_URL: await postgres.database('openapi') } : {}),
  }
  const server = await startBuiltServer(env)
  const root = await setUp(env, server.url)
  const user = await fill(root, server.url)
  if (!(await generated(server.url))) failures.push(`${kind}: the client made of the document`)
  const { key: token } = await user.client.tokens.create({ name: 'for the relay', unlimited_quota: true })
  const askers = [
    { who: 'nobody', key: '', paths: '.' },
    { who: 'user', key: await user.client.users.accessToken(), paths: API },
    { who: 'root', key: await root.client.users.accessToken(), paths: API },
    { who: 'caller', key: `sk-${token}`, paths: '^/v1' },
  ]
  for (const { who, key, paths } of askers) {
    say(`${kind}, as ${who}`)
    const code = await shown(
      tool('st'),
      [
        ...['run', `${server.url}/api/openapi.json`, '--checks', CHECKS, '--max-examples', options.examples],
        ...['--include-path-regex', paths],
        ...[
          '--phases',
          'examples,coverage,fuzzing',
          '--workers',
          '1',
          '--request-timeout',
          '30',
          '--continue-on-failure',
        ],
        ...LEFT_OUT.flatMap((id) => ['--exclude-operation-id', id]),
        ...(key ? ['-H', `Authorization: Bearer ${key}`] : []),
      ],
      FOLDER,
    )
    if (code !== 0) failures.push(`${kind}, as ${who}`)
  }
  server.child.kill('SIGTERM')
  await server.ended
}

await install().catch((error: Error) => {
  say(`Python's tools are not to be had: ${error.message}`)
  process.exit(1)
})
for (const kind of ['sqlite', 'postgres'] as const) if (kind === (options.database ?? kind)) await play(kind)
say(failures.length === 0 ? 'all is well' : `not well: ${failures.join('; ')}`)
process.exit(failures.length === 0 ? 0 : 1)
