// The small bundle, which runs commands to a running Weir: it has the same commands as the whole one, and loads little.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listEveryCommand } from '../../cli/command.ts'
import { allCommands } from '../../cli/commands/index.ts'
import { runCommandLine } from '../../cli/main.ts'
import { findRunningServer } from '../../cli/running-server.ts'
import { REMOTE_COMMANDS, type RemoteCommand } from '../../cli/remote-commands.data.ts'
import { fakeHost, fakeServer } from '../support/terminal.ts'

const BUNDLE = new URL('../../dist/remote/', import.meta.url)
/** What a command needs to ask the server. */
const ARGUMENTS: Partial<Record<RemoteCommand, readonly string[]>> = {
  call: ['users.self'],
}
const isRemote = (name: string | undefined) => (REMOTE_COMMANDS as readonly (string | undefined)[]).includes(name)

let small: typeof runCommandLine
beforeAll(async () => {
  small = (await import(new URL('main.js', BUNDLE).href)).runCommandLine
})

async function run(program: typeof runCommandLine, args: readonly string[], env: Record<string, string> = {}) {
  const { host, written } = fakeHost({ env })
  return { code: await program(args, host), ...written }
}

describe('the small bundle', () => {
  it('has every command of its nouns, with the same help in each language', { timeout: 120_000 }, async () => {
    const paths = listEveryCommand(allCommands)
      .map(([path]) => path)
      .filter(([name]) => isRemote(name))
    expect(new Set(paths.map(([name]) => name)).size).toBe(REMOTE_COMMANDS.length)
    for (const path of paths)
      for (const language of ['en', 'zh']) {
        const args = [...path, '--help', '--language', language]
        expect(await run(small, args), args.join(' ')).toEqual(await run(runCommandLine, args))
      }
  })

  it('loads no package, and no schema before one is built', async () => {
    const files = (await readdir(BUNDLE)).filter((name) => name.endsWith('.js'))
    for (const name of files) {
      const code = await readFile(new URL(name, BUNDLE), 'utf8')
      const from = [...code.matchAll(/^import .*?"([^"]+)";$/gm)].map(([, module = '']) => module)
      const built = [...code.matchAll(/^const \S+ = (?!\([^()]*\) =>)(?!.*buildOnce\().*\bz\.\w+\(/gm)].map(
        ([line]) => line,
      )
      // What draws a question is loaded with it.
      if (name !== 'show.js')
        expect(
          from.filter((module) => !/^(node:|\.\/)/.test(module)),
          name,
        ).toEqual([])
      // A signed document is JSON, which is read by a schema.
      if (name !== 'ledger.js') expect(built, name).toEqual([])
    }
  })

  describe('beside a server', () => {
    let server: Awaited<ReturnType<typeof fakeServer>>
    beforeAll(async () => {
      server = await fakeServer(() => ({
        status: 403,
        body: { success: false, message: 'Not you.', code: 'access.other' },
      }))
    })
    afterAll(() => server.close())

    it('asks and answers as the whole one does', { timeout: 120_000 }, async () => {
      const env = { WEIR_SERVER: server.url, WEIR_ACCESS_TOKEN: 'secret' }
      for (const name of REMOTE_COMMANDS) {
        const answers = []
        for (const program of [small, runCommandLine]) {
          answers.push(await run(program, [name, ...(ARGUMENTS[name] ?? []), '--json'], env))
        }
        expect(answers[0], name).toEqual(answers[1])
        expect(answers[0]?.code, name).not.toBe(0)
      }
    })
  })
})

describe('which of the two bundles', () => {
  const env = { HOME: '/nowhere' }
  const away = { ...env, WEIR_SERVER: 'http://127.0.0.1:1' }

  it('runs a command to a server elsewhere is the small one', async () => {
    expect(await findRunningServer(['channels'], away)).toEqual({})
    expect(await findRunningServer(['channels', 'list', '--server', 'http://127.0.0.1:1'], env)).toEqual({})
    expect(await findRunningServer(['users', '--context', 'far'], env)).toEqual({})
    // The configuration is that of a server on this machine.
    expect(await findRunningServer(['channels'], { ...away, PORT: '1' })).toEqual({})
  })

  it('runs everything else is the whole one', async () => {
    for (const args of [
      [],
      ['serve'],
      ['import'],
      ['--json', 'channels'],
      ['channels', '--data', 'x'],
      ['channels', '--data=x'],
    ])
      expect(await findRunningServer(args, away), args.join(' ')).toBeUndefined()
    // Nothing listens there.
    expect(await findRunningServer(['channels'], { ...env, WEIR_DATA: '/nowhere' })).toBeUndefined()
    expect(
      await findRunningServer(['channels', '--context', 'local'], { ...away, WEIR_DATA: '/nowhere' }),
    ).toBeUndefined()
    expect(await findRunningServer(['channels', '--context=far'], env)).toBeUndefined()
  })

  it('runs a command beside a server on this machine is the small one, unless its place has to be read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'weir-remote-'))
    const socket = join(folder, 'weir.sock')
    const server = await fakeServer(() => ({ body: {} }), socket)
    try {
      // In a container the variables of the server are set, too.
      const variables = { ...env, WEIR_DATA: folder, PORT: '3000', HOST: '0.0.0.0', LOG_FORMAT: 'json' }
      expect(await findRunningServer(['channels'], variables)).toEqual({ socket })
      expect(await findRunningServer(['channels'], { ...variables, DATABASE_URL_FILE: 'url' })).toBeUndefined()
    } finally {
      await server.close()
      await rm(folder, { recursive: true })
    }
  })
})
