// The package as a stranger gets it: packed, installed into an empty folder, set up, served, called and imported.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { send } from '../support/server.ts'
import { until } from '../support/terminal.ts'

const run = promisify(execFile)
const repository = fileURLToPath(new URL('../..', import.meta.url))
/** sqlite3 may have to be compiled. */
const INSTALL_MS = 400_000

/** What the surroundings of a stranger hold: no keys, nothing of this run's npm or of a Weir. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_(package|lifecycle|command|config_local|config_prefix)|WEIR_|DATABASE_URL|PORT$|HOST$|VITEST|NODE_ENV)|_KEY$/.test(
        name,
      ),
  ),
)

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
  it('holds the program, the built console and their papers, and nothing else', () => {
    const wanted = [
      'package.json',
      'README.md',
      'LICENSE',
      'bin/weir.js',
      'examples/express.ts',
      'dist/cli/main.js',
      'dist/console/index.html',
    ]
    const entries = ['dist/core/index.js', 'dist/core/index.d.ts', 'dist/http/index.js', 'dist/http/index.d.ts']
    expect(files).toEqual(expect.arrayContaining([...wanted, ...entries]))
    expect(files.some((file) => /^dist\/console\/assets\/.+\.js$/.test(file))).toBe(true)
    expect(files.some((file) => /^dist\/migrations\/.+\.js$/.test(file))).toBe(true)
    const odd = files.filter(
      (file) =>
        !/^(bin\/|examples\/[\w-]+\.(ts|sh)$|examples\/README\.md$|dist\/(bin|cli|console|core|http|migrations)\/|package\.json$|README\.md$|LICENSE$)/.test(
          file,
        ),
    )
    expect(odd).toEqual([])
    expect(
      files.filter((file) => /\.map$|\.test\.|(^|\/)test\/|^dist.*(?<!\.d)\.tsx?$|\.db$|\.key$|\.env/.test(file)),
    ).toEqual([])
  })

  it('installs, sets itself up, serves a call and can be imported', { timeout: INSTALL_MS + 60_000 }, async () => {
    const home = join(folder, 'home')
    await run('mkdir', [home])
    await writeFile(join(home, 'package.json'), JSON.stringify({ name: 'home', private: true, type: 'module' }))
    const inHome = { cwd: home, env, timeout: INSTALL_MS, maxBuffer: 64 * 1024 * 1024 }
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball], inHome)

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

    await writeFile(
      join(home, 'embed.js'),
      `import { createServer } from 'node:http'
       import { openGateway, readConfig } from 'weir-gateway'
       import { createListener } from 'weir-gateway/http'
       const config = readConfig({ data: './weir-data', log_level: 'silent' }, {}, false)
       const gateway = await openGateway(config)
       const server = createServer(createListener(gateway, { basePath: '/ai/' })).listen(0, '127.0.0.1', async () => {
         const reply = await fetch('http://127.0.0.1:' + server.address().port + '/ai/api/status')
         console.log(JSON.stringify(await reply.json()))
         server.closeAllConnections()
         server.close()
         await gateway.close()
       })`,
    )
    const embedded = JSON.parse((await run('node', ['embed.js'], inHome)).stdout)
    expect(embedded).toMatchObject({ success: true, data: { setup: true, version: gatewayVersion() } })
  })
})

const gatewayVersion = () => /weir-gateway-(.+)\.tgz$/.exec(tarball)?.[1]
