// The completions of Tab: from the table of commands, from the gateway, and in a real bash.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { splitTypedWords } from '../../cli/completion/complete.ts'
import { complete } from '../../cli/completion/main.ts'
import { completedShellNames } from '../../cli/commands/completion.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { countStarted } from '../support/started-commands.ts'
import { binary, recordingModules, runHere, weir } from '../support/terminal.ts'
import { leaves } from './commands.data.ts'

let server: TestServer
let cache: string
let env: Record<string, string>
beforeAll(async () => {
  server = await startTestServer()
  cache = await mkdtemp(path.join(tmpdir(), 'weir-completion-'))
  env = { WEIR_DATA: server.config.data, XDG_CACHE_HOME: cache }
  await runHere(['init', '--yes', '--json'], { env })
  await server.gateway.client.users.create({ username: 'alice', password: 'a long password', display_name: 'Alice A.' })
  await server.gateway.client.teams.create({ name: 'night shift' })
})
afterAll(async () => {
  await server.close()
  await rm(cache, { recursive: true })
})

/** What is offered behind this line, without what it is. */
async function offered(line: string, { more = {}, shell = 'zsh', breaks = '' }: Offer = {}) {
  let written = ''
  await complete([shell, line, breaks], { ...env, ...more }, (text) => (written += text))
  return written.split('\n').slice(0, -1)
}
interface Offer {
  more?: Record<string, string>
  shell?: string
  breaks?: string
}
const values = async (line: string, options: Offer = {}) =>
  (await offered(line, options)).map((one) => one.split('\t')[0])

describe('commands, flags and choices', () => {
  it('offers every command, and every flag of each', async () => {
    for (const [name, { options, arguments: _ }] of leaves) {
      const last = name.split(' ').at(-1) ?? ''
      expect(await values(`weir ${name}`)).toContain(last)
      const flags = await values(`weir ${name} --`)
      for (const { flag } of Object.values(options)) expect(flags).toContain(flag.split(' ')[0])
      for (const [key, { flag, choices }] of Object.entries(options))
        if (choices) expect([key, await values(`weir ${name} ${flag.split(' ')[0]} `)]).toEqual([key, [...choices]])
    }
  })

  it('says what a command is in the language of the terminal', async () => {
    expect(await offered('weir compl')).toEqual(['completion\tPrint the script that completes weir in a shell'])
    expect(await offered('weir compl', { more: { LANG: 'zh_CN.UTF-8' } })).toEqual([
      'completion\t输出 shell 自动补全脚本',
    ])
  })

  it.each([
    ['weir --language=z', ['--language=zh']],
    ['weir --json --language ', ['en', 'zh']],
    ['weir call users.updateSe', ['users.updateSelf']],
    ['weir settings get RetryTi', ['RetryTimes']],
    ['weir docs err', ['errors']],
    ['weir run -- --', []],
    ['weir nothing of ours ', []],
  ])('%s', async (line, expected) => expect(await values(line)).toEqual(expected))

  it('reads quotes as shells do', () => {
    expect(splitTypedWords(`weir "a b" 'c "d' e\\ f "g\\"h`)).toEqual(['weir', 'a b', `c "d`, 'e f', 'g"h'])
    expect(splitTypedWords('weir  x ')).toEqual(['weir', 'x', ''])
  })
})

describe('names, of the gateway', () => {
  it.each([
    ['weir users show ', ['alice\tAlice A.', 'root\tRoot User']],
    ['weir users show al', ['alice\tAlice A.']],
    ['weir --json users topup ro', ['root\tRoot User']],
    ['weir tokens env ', ['first token\t#1']],
    ['weir run --team n', ['night shift\t#3']],
    ['weir run --model sandbox-s', ['sandbox-small']],
    ['weir channels edit ', ['Sandbox (answers offline)\t#1']],
  ])('%s', async (line, expected) => expect((await offered(line)).sort()).toEqual(expected))

  it('are asked of the server that is named, with its access token', async () => {
    const form = { name: 'completion', scope: 'all' } as const
    const { token } = await server.gateway.client.users.createAccessToken(form)
    const line = `weir users show --server ${server.url} --access-token ${token} al`
    expect(await values(line, { more: { WEIR_DATA: '/nowhere' } })).toEqual(['alice'])
  })

  it('are none where nobody answers', async () => {
    expect(await offered('weir users show ', { more: { WEIR_DATA: '/nowhere' } })).toEqual([])
    expect(await offered('weir users show --server http://127.0.0.1:9 ')).toEqual([])
  })

  it('are kept for this user alone', async () => {
    expect((await stat(path.join(cache, 'weir'))).mode & 0o777).toBe(0o700)
  })
})

describe('in a shell', () => {
  const BREAKS = ' \t\n"\'><=;|&(:'

  /** What bash gets for a line: from the built command, or from what the same words are answered in this process. */
  const bashGets = async (line: string, from: 'built' | 'here') => {
    const { stdout: script } = await runHere(['completion', 'bash'])
    const here = await offered(line, { shell: 'bash', breaks: BREAKS })
    const weir = {
      built: '"$NODE" "$WEIR" "$@"',
      here: '[ "$#:$1:$2:$3:$4" = "4:__complete:bash:$COMP_LINE:$BREAKS" ] && printf "%s" "$ANSWER"',
    }
    const program = `weir() { ${weir[from]}; }
${script}
COMP_WORDBREAKS=$BREAKS
COMP_LINE=$1 COMP_POINT=\${#1}
_weir
printf '%s\n' "\${COMPREPLY[@]}"`
    const given = { NODE: process.execPath, WEIR: binary, BREAKS, ANSWER: here.map((each) => `${each}\n`).join('') }
    if (from === 'built') countStarted()
    const { stdout } = await promisify(execFile)('bash', ['-c', program, 'bash', line], {
      env: { ...process.env, ...env, ...given },
    })
    return stdout.split('\n').filter((one) => one !== '')
  }

  it('bash gets what stands behind its breaks, quoted', async () => {
    expect(await bashGets('weir users to', 'here')).toEqual(['topup'])
    expect(await bashGets('weir --language=', 'here')).toEqual(['en', 'zh'])
    expect(await bashGets('weir run --team ni', 'built')).toEqual(['night\\ shift'])
  })

  it('loads next to nothing once the table is there', { timeout: 60_000 }, async () => {
    const complete = ['__complete', 'bash', 'weir users show ']
    const seen = path.join(cache, 'seen')
    const { stdout } = await weir(complete, { env: { ...env, NODE_OPTIONS: recordingModules(seen) } })
    expect(stdout.trim().split('\n').sort()).toEqual(['alice', 'root'])
    const loaded = (await readFile(seen, 'utf8')).split('\n').filter((one) => one.startsWith('file:'))
    expect(loaded.map((one) => path.basename(one))).toEqual(expect.arrayContaining(['weir.js', 'completion.js']))
    const sizes = await Promise.all(loaded.map(async (one) => (await stat(fileURLToPath(one))).size))
    expect(loaded.length).toBeLessThan(9)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(40_000)
  })

  it.each(completedShellNames)('%s has a script', async (name) => {
    expect((await runHere(['completion', name])).stdout).toContain(`weir __complete ${name}`)
  })

  it('there is none for others', async () => {
    expect(await runHere(['completion', 'tcsh'])).toMatchObject({ code: 2, stdout: '' })
  })
})
