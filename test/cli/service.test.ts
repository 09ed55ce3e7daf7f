// `weir service`: the unit, the calls of systemd, and the errors without systemd.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type ServiceUnit, formatServiceUnit, quoteUnitWord, formatVariableLine } from '../../cli/service.ts'
import { runHere } from '../support/terminal.ts'

let folder: string
let env: Record<string, string>
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'weir-service-'))
  env = { HOME: folder, PATH: path.join(folder, 'bin') }
  await mkdir(env.PATH!)
  return () => rm(folder, { recursive: true })
})
const run = (args: string[], more = {}) => runHere(['service', ...args], { env: { ...env, ...more } })
const printed = async (args: string[], more = {}) =>
  (JSON.parse((await run(['install', '--print', '--json', ...args], more)).stdout) as { content: string }).content

/** A systemctl that writes down what it is told, and answers as told. */
async function fakeSystemctl(body = '') {
  const file = path.join(env.PATH!, 'systemctl')
  await writeFile(file, `#!/bin/sh\necho "$@" >> ${folder}/told\n${body}\n`)
  await chmod(file, 0o755)
}
const told = async () => (await readFile(path.join(folder, 'told'), 'utf8')).trim().split('\n')
const RUNNING = `[ "$2" = show ] || [ "$1" = show ] && printf 'ActiveState=active\\nUnitFileState=enabled\\nStateChangeTimestamp=Mon 2026-11-23 07:00:00 UTC\\n'; exit 0`

const unit: ServiceUnit = {
  ...{ name: 'weir', kind: 'system', node: '/usr/bin/node', program: '/usr/lib/weir/bin/weir.js', options: [] },
  ...{ variables: '/etc/weir/weir.env', secretFiles: {}, lowPort: false },
}
const kinds: [string, ServiceUnit][] = [
  ['of the machine', unit],
  ['of a user', { ...unit, kind: 'user', data: '/home/ada/my data/100% "weir"' }],
  ['with data of its own, on a low port', { ...unit, data: '/srv/weir', runAs: 'weir', lowPort: true }],
  ['with secrets in files', { ...unit, secretFiles: { WEIR_SECRET_FILE: '/etc/weir/a secret' } }],
  [
    'of a user with secrets in files',
    { ...unit, kind: 'user', secretFiles: { WEIR_SECRET_FILE: '/home/ada/a secret' } },
  ],
]

describe('the unit', () => {
  it.each(kinds)('%s is hardened, and restarted', (_, given) => {
    const text = formatServiceUnit(given)
    for (const line of ['NoNewPrivileges=yes', 'SystemCallFilter=@system-service', 'Restart=on-failure', 'UMask=0077'])
      expect(text).toContain(`${line}\n`)
    if (given.kind === 'user') return
    for (const line of ['ProtectSystem=strict', 'ProtectHome=yes', 'PrivateTmp=yes'])
      expect(text).toContain(`${line}\n`)
    expect(text).toContain(given.data === undefined ? 'StateDirectory=weir\n' : 'ReadWritePaths=/srv/weir\n')
    expect(text.includes('CAP_NET_BIND_SERVICE')).toBe(given.lowPort)
  })

  const analyses = spawnSync('systemd-analyze', ['--version']).status === 0
  it.runIf(analyses).each(kinds)('%s is one that systemd takes without a remark', async (_, given) => {
    const file = path.join(folder, 'weir.service')
    const program = path.join(folder, 'weir.js')
    await writeFile(program, '')
    await writeFile(
      file,
      formatServiceUnit({ ...given, node: process.execPath, program, runAs: given.runAs && 'root' }),
    )
    const seen = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
    expect([seen.status, seen.stderr]).toEqual([0, ''])
  })

  it('quotes what is said, and expands nothing', () => {
    expect(quoteUnitWord('/a b/$HOME/%h/"x"\\')).toBe('"/a b/$$HOME/%%h/\\"x\\"\\\\"')
    expect(quoteUnitWord('/usr/bin/node')).toBe('/usr/bin/node')
    for (const bad of ['a\nExecStartPre=/bin/sh', 'a\u0007']) {
      expect(() => quoteUnitWord(bad)).toThrow('control character')
      expect(() => formatVariableLine('WEIR_SECRET', bad)).toThrow('control character')
    }
    const shell = execFileSync('sh', ['-c', `${formatVariableLine('A', 'a"b\\c$d`e')}; printf %s "$A"`], {
      encoding: 'utf8',
    })
    expect(shell).toBe('a"b\\c$d`e')
  })

  it('has the options of serve that are given, and no secrets', async () => {
    const secret = { WEIR_SECRET: 'a secret of 16 or more', DATABASE_URL: 'postgres://a:hidden@db/weir' }
    const content = await printed(['--system', '--port', '8080', '--workers', '2', '--log-level', 'warn'], secret)
    expect(content).toMatch(
      /ExecStart=\S+ \S+\/bin\/weir\.js serve --data %S\/weir --port 8080 --log-level warn --workers 2\n/,
    )
    expect(content).not.toMatch(/hidden|16 or more/)
    expect(await printed(['--user'])).toContain(`--data ${folder}/.local/share/weir\n`)
    const file = path.join(folder, 'secret')
    await writeFile(file, 'a secret of 16 or more\n')
    const inFile = await printed(['--system'], { WEIR_SECRET_FILE: file })
    expect(inFile).toContain(
      `LoadCredential=WEIR_SECRET_FILE:${file}\nEnvironment=WEIR_SECRET_FILE=%d/WEIR_SECRET_FILE\n`,
    )
    expect(inFile).not.toContain('16 or more')
    for (const wrong of [
      ['--system', '--user'],
      ['--name', '../weir'],
      ['--system', '--data', '/srv/weir'],
      ['--user', '--run-as', 'ada'],
      ['--system', '--run-as', 'ada\nUser=root'],
    ])
      expect(await run(['install', '--print', ...wrong]), wrong.join(' ')).toMatchObject({ code: 2, stdout: '' })
    expect(await run(['install', '--print'], { WEIR_SERVER: 'http://weir' })).toMatchObject({ code: 2 })
  })
})

describe.runIf(process.platform === 'linux')('with systemd', () => {
  const file = () => path.join(folder, '.config/systemd/user/weir.service')

  it('is written, started, told of and taken out again, its secrets for nobody else', async () => {
    await fakeSystemctl(RUNNING)
    expect(await run(['install', '--user'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
    const database = { DATABASE_URL: 'postgres://a:hidden@db/weir' }
    expect((await run(['install', '--user', '--yes', '--quiet'], database)).stdout).toBe(`${file()}\n`)
    const variables = path.join(folder, '.config/weir/weir.env')
    expect([await readFile(variables, 'utf8'), (await stat(variables)).mode & 0o777]).toEqual([
      'DATABASE_URL="postgres://a:hidden@db/weir"\n',
      0o600,
    ])
    const acts = ['--user daemon-reload', '--user enable weir', '--user restart weir']
    expect((await told()).slice(0, 3)).toEqual(acts)
    const row = { name: 'weir', kind: 'user', installed: true, enabled: 'enabled', state: 'active', unit: file() }
    expect(JSON.parse((await run(['status', '--user', '--json'])).stdout)).toEqual({
      ...row,
      since: expect.stringMatching(/^2026-11-2/) as string,
    })
    const out = await run(['uninstall', '--user', '--yes'])
    expect(out).toMatchObject({ code: 0, stdout: expect.stringContaining(variables) })
    expect((await told()).slice(-3)).toEqual(['--user disable --now weir', '--user daemon-reload', expect.anything()])
    expect(await run(['uninstall', '--user', '--yes'])).toMatchObject({ code: 1 })
  })

  it('says what is left to do where there is no systemd, or it does not answer', async () => {
    const alone = await run(['install', '--user', '--yes'])
    expect(alone).toMatchObject({ code: 0, stderr: expect.stringContaining('systemctl is not there') })
    expect(alone.stderr).toContain(
      'systemctl --user daemon-reload\n  systemctl --user enable weir\n  systemctl --user restart weir',
    )
    await fakeSystemctl('echo "no bus" >&2; exit 1')
    expect((await run(['install', '--user', '--yes'])).stderr).toContain('no bus')
    const seen = JSON.parse((await run(['--json', 'status', '--user'])).stdout) as object
    expect(seen).toMatchObject({ installed: true, state: null, enabled: null })
  })

  it('leaves a unit of somebody else alone', async () => {
    await mkdir(path.dirname(file()), { recursive: true })
    await writeFile(file(), '[Service]\nExecStart=/bin/true\n')
    for (const act of ['install', 'uninstall'])
      expect(await run([act, '--user', '--yes'])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('not written by Weir'),
      })
    expect(await readFile(file(), 'utf8')).toContain('/bin/true')
  })
})
