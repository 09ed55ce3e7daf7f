// The package with what npm would put into it and the libraries that it declares, and nothing else. package.long.test.ts packs
// and installs it.
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPTIONAL_PACKAGES } from '../../core/adapters/optional-package.ts'
import { checkPackedFiles, strangerEnvironment } from '../support/packed-files.ts'
import { sampleCases } from '../support/suite.ts'
import { fakeHost } from '../support/terminal.ts'

const run = promisify(execFile)
const repository = fileURLToPath(new URL('../..', import.meta.url))

interface Manifest {
  name: string
  bin: Record<string, string>
  dependencies: Record<string, string>
  peerDependencies: Record<string, string>
  peerDependenciesMeta: Record<string, { optional?: boolean }>
}

/** A command for each optional package, which needs it. */
const NEEDING_MORE: Record<keyof typeof OPTIONAL_PACKAGES, { args: string[]; env: Record<string, string> }> = {
  clickhouse: { args: ['serve', '--logs', 'clickhouse://127.0.0.1:9/weir'], env: {} },
  mysql: { args: ['import', 'new-api', 'mysql://127.0.0.1:9/oneapi'], env: {} },
  parquet: { args: ['serve', '--logs', 'parquet:logs'], env: {} },
  telemetry: { args: ['serve'], env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' } },
}

let home = ''
let files: string[] = []

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'weir-package-'))
  const packing = ['pack', '--dry-run', '--ignore-scripts', '--json']
  const { stdout } = await run('npm', packing, { cwd: repository, env: strangerEnvironment })
  const [listed] = JSON.parse(stdout) as [{ files: { path: string }[] }]
  files = listed.files.map(({ path }) => path)
}, 60_000)
afterAll(() => rm(home, { recursive: true, force: true }))

describe('the package', () => {
  it('holds the program, the built console and their papers, and nothing else', () => checkPackedFiles(files))

  it('sets itself up and can be imported where only its own libraries are', { timeout: 120_000 }, async () => {
    const manifest = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as Manifest
    const modules = join(home, 'node_modules')
    const place = join(modules, manifest.name)
    await writeFile(join(home, 'package.json'), JSON.stringify({ name: 'home', private: true, type: 'module' }))
    for (const file of files) await cp(join(repository, file), join(place, file))
    for (const name of Object.keys(manifest.dependencies)) {
      await mkdir(dirname(join(modules, name)), { recursive: true })
      await symlink(join(repository, 'node_modules', name), join(modules, name))
    }
    const inHome = { cwd: home, env: strangerEnvironment }
    const program = join(place, manifest.bin['weir'] ?? '')
    const set = JSON.parse((await run(process.execPath, [program, 'init', '--yes', '--json'], inHome)).stdout)
    expect(set).toMatchObject({ already_set_up: false, username: 'root', model: 'sandbox-small' })
    expect(set.token_key).toMatch(/^sk-\w{48}$/)

    // A provider that an operator's file adds to the library is one of the command: both are the same modules.
    const load = (file: string) => import(pathToFileURL(join(place, file)).href)
    const { addProvider, openaiChat, provider } = await load('dist/bundle/core.js')
    const models = { models: ['acme-large'], models_path: '/v1/models' }
    const chat = [{ dialect: openaiChat, path: '/v1/chat/completions' }]
    addProvider(provider({ type: 5000, id: 'acme', name: 'Acme', base_url: 'https://acme.example', chat, ...models }))
    const { runCommandLine } = await load('dist/bundle/main.js')
    const { host, written } = fakeHost({ env: { WEIR_DATA: join(home, 'weir-data') } })
    expect(await runCommandLine(['channels', 'types', '--json'], host), written.stderr).toBe(0)
    expect(JSON.parse(written.stdout)).toContainEqual(expect.objectContaining({ id: 'acme' }))

    // Copied from the package and run by tsx: it imports both entries, serves, and calls.
    await cp(join(place, 'examples/embed-the-gateway.ts'), join(home, 'embed.ts'))
    const tsx = createRequire(import.meta.url).resolve('tsx')
    // The example ends without closing its gateway, whose data base in memory keeps a temporary folder.
    const embedded = { ...inHome, env: { ...strangerEnvironment, TMPDIR: home } }
    const { stdout } = await run(process.execPath, ['--import', tsx, 'embed.ts'], embedded)
    expect(stdout).toMatch(/You said: Hello.*charged \d+ quota/s)

    // What needs a package that is not installed says which one.
    const needing = sampleCases(Object.entries(NEEDING_MORE), 4)
    const failures = await Promise.all(
      needing.map(async ([feature, { args, env }]) => {
        const starting = run(process.execPath, [program, ...args], {
          ...inHome,
          env: { ...strangerEnvironment, ...env },
        })
        const { code, stderr } = await starting.then(
          () => ({ code: 0, stderr: '' }),
          (error: unknown) => error as { code: number; stderr: string },
        )
        const { packages } = OPTIONAL_PACKAGES[feature as keyof typeof OPTIONAL_PACKAGES]
        return [feature, code, stderr.includes(`run \`npm install ${packages.join(' ')}\` beside Weir.`)]
      }),
    )
    expect(failures).toEqual(needing.map(([feature]) => [feature, 1, true]))
  })

  it('has the licence of every package whose code it has', async () => {
    const bundles = files.filter((file) => /^dist\/(bundle|remote)\/.*\.c?js$/.test(file))
    const texts = await Promise.all(bundles.map((file) => readFile(join(repository, file), 'utf8')))
    // The bundler names the module above its code.
    const modules = texts.flatMap((text) => [
      ...text.matchAll(/^\/\/(?:#region)? .*node_modules\/((?:@[^/]+\/)?[^/]+)\//gm),
    ])
    const packages = [...new Set(modules.map(([, name = '']) => name))].sort()
    expect(packages).toEqual(expect.arrayContaining(['gpt-tokenizer', 'ink', 'knex', 'koa', 'react', 'undici', 'zod']))
    const licences = await readFile(join(repository, 'dist/bundle/LICENSES.txt'), 'utf8')
    const papers = licences.split(`\n${'-'.repeat(72)}\n\n`).map((paper) => paper.replace(/^The files of .*\n\n/, ''))
    const named = papers.map((paper) => /^(\S+) \d+\.\d+\.\S+\n\n(?=[^]{200})/.exec(paper)?.[1])
    expect(packages.filter((name) => !named.includes(name))).toEqual([])
    // They are installed with Weir no longer.
    const { dependencies } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as Manifest
    expect(Object.keys(dependencies).sort()).toEqual([
      '@node-rs/argon2',
      '@types/ws',
      'decimal.js',
      'jq-web',
      'sqlite3',
      'zod',
    ])
  })

  it('has every declaration that its declarations name, and installs the packages of the others', async () => {
    const { dependencies } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as Manifest
    const installed = Object.keys(dependencies).map((name) => name.replace(/^@types\//, ''))
    const missing: string[] = []
    for (const file of files.filter((each) => each.startsWith('dist/types/'))) {
      const text = await readFile(join(repository, file), 'utf8')
      for (const [, id = ''] of text.matchAll(/\b(?:from|import|import\() ?["']([^"']+)["']/g)) {
        const there = id.startsWith('.')
          ? files.includes(join(dirname(file), id.replace(/\.ts$/, '.d.ts')))
          : id.startsWith('node:') || installed.includes(id.split('/')[0] ?? '')
        if (!there) missing.push(`${file}: ${id}`)
      }
    }
    expect(missing).toEqual([])
  })

  it('names every optional package as a peer that is optional', async () => {
    const manifest = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as Manifest
    const packages = Object.values(OPTIONAL_PACKAGES).flatMap((feature) => feature.packages)
    expect(Object.keys(manifest.peerDependencies).sort()).toEqual(packages.toSorted())
    expect(Object.keys(manifest.peerDependenciesMeta).sort()).toEqual(packages.toSorted())
    expect(Object.values(manifest.peerDependenciesMeta).every(({ optional }) => optional)).toBe(true)
  })
})
