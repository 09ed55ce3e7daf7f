// The package as a stranger gets it: packed, installed into an empty folder, set up, served, called and imported.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkPackedFiles, strangerEnvironment as env } from '../support/packed-files.ts'
import { send } from '../support/server.ts'
import { until } from '../support/terminal.ts'

const run = promisify(execFile)
const repository = fileURLToPath(new URL('../..', import.meta.url))
/** Packages may have to be fetched. */
const INSTALL_MS = 400_000

/** What a host writes, with every type of the package looked at. */
const STRICT = `
import { createServer, type Server } from 'node:http'
import { openGateway, readConfig, type Gateway } from 'weir-gateway'
import { createFetchHandler, createListener, createRealtimeDoor, listenForUpgrades } from 'weir-gateway/http'

const gateway: Gateway = await openGateway(readConfig({ data: './weir-data' }, process.env, false))
const server: Server = createServer(createListener(gateway, { basePath: '/ai' }))
listenForUpgrades(server, createRealtimeDoor(gateway, { basePath: '/ai' }))
const answer: Response = await createFetchHandler(gateway)(new Request('http://weir.example/'), { address: '192.0.2.1' })
const { key } = await gateway.client.tokens.create({ name: 'first', unlimited_quota: true })
export const seen: [number, string] = [answer.status, key]
`

let folder = ''
let tarball = ''
let files: string[] = []
let server: ChildProcess | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-package-'))
  const packed = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: repository,
    env,
  })
  const [{ filename, files: listed }] = JSON.parse(packed.stdout) as [{ filename: string; files: { path: string }[] }]
  tarball = join(folder, filename)
  files = listed.map(({ path }) => path)
})
afterAll(async () => {
  // npx stands between us and the server: the whole group that we started ends.
  if (server?.pid && server.exitCode === null && server.signalCode === null) process.kill(-server.pid, 'SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

describe('the package', () => {
  it('holds the program, the built console and their papers, and nothing else', () => checkPackedFiles(files))

  it('installs, sets itself up, serves a call and can be imported', { timeout: INSTALL_MS + 60_000 }, async () => {
    const home = join(folder, 'home')
    await run('mkdir', [home])
    await writeFile(join(home, 'package.json'), JSON.stringify({ name: 'home', private: true, type: 'module' }))
    const inHome = { cwd: home, env, timeout: INSTALL_MS, maxBuffer: 64 * 1024 * 1024 }
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts', tarball], inHome)
    // What `npm ci` has fetched or compiled here; a minute of compiling again would say nothing about the package.
    const compiled = 'node_modules/sqlite3/build/Release/node_sqlite3.node'
    await mkdir(join(home, dirname(compiled)), { recursive: true })
    await copyFile(join(repository, compiled), join(home, compiled))

    const set = JSON.parse((await run('npx', ['weir', 'init', '--yes', '--json'], inHome)).stdout)
    expect(set).toMatchObject({ already_set_up: false, username: 'root', model: 'sandbox-small' })
    expect(set.token_key).toMatch(/^sk-\w{48}$/)

    server = spawn('npx', ['weir', 'serve', '--json', '--port', '0'], { ...inHome, timeout: 0, detached: true })
    let said = ''
    server.stdout?.on('data', (run: Buffer) => (said += run.toString()))
    await until(() => said.includes('"url"') || server?.exitCode !== null, 60_000)
    const url = /"url":\s*"([^"]+)"/.exec(said)?.[1] ?? ''
    const answer = await send('POST', `${url}/v1/chat/completions`, {
      headers: { authorization: `Bearer ${set.token_key}` },
      body: { model: set.model, messages: [{ role: 'user', content: 'Hello' }] },
    })
    expect(answer.json).toMatchObject({ object: 'chat.completion', choices: [{ finish_reason: 'stop' }] })
    expect((await send('GET', url)).text).toContain('<div id="root">')
    process.kill(-server.pid!, 'SIGTERM')
    await until(() => server?.exitCode !== null || server?.signalCode !== null, 20_000)

    // As a reader does: copied from the package, and run by tsx.
    await copyFile(join(home, 'node_modules/weir-gateway/examples/embed-the-gateway.ts'), join(home, 'embed.ts'))
    const tsx = createRequire(import.meta.url).resolve('tsx')
    expect((await run('node', ['--import', tsx, 'embed.ts'], inHome)).stdout).toMatch(
      /You said: Hello.*charged \d+ quota/s,
    )

    await writeFile(join(home, 'strict.ts'), STRICT)
    await symlink(join(repository, 'node_modules/typescript'), join(home, 'node_modules/typescript'))
    const strict = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      'false',
      '--exactOptionalPropertyTypes',
      '--target',
      'es2022',
    ]
    for (const [module, resolution] of [
      ['node16', 'node16'],
      ['esnext', 'bundler'],
    ] as const) {
      const program = [
        'node_modules/typescript/bin/tsc',
        ...strict,
        '--module',
        module,
        '--moduleResolution',
        resolution,
      ]
      const compiled = await run('node', [...program, '--types', 'node', 'strict.ts'], inHome).catch((error) => error)
      expect(compiled.stdout, resolution).toBe('')
    }
  })
})
