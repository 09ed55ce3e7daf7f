import { describe, expect, it } from 'vitest'
import { listEveryCommand } from '../../cli/command.ts'
import { allCommands } from '../../cli/commands/index.ts'
import { listContradictions } from '../../cli/first-run.ts'
import { parseMomentFlag, parseDurationSeconds } from '../../cli/input/flags.ts'
import { formatQuotaAmount } from '../../cli/output/format.ts'
import { getPublicAddress } from '../../cli/connection/address.ts'
import { localAddress } from '../../core/config.ts'
import { referencePages } from '../../cli/reference/index.ts'
import type { WeirClient } from '../../core/contracts.ts'
import { configOptions } from '../../core/config.ts'
import { fail } from '../../core/errors.ts'
import { fakeServer, runHere as run } from '../support/terminal.ts'

const yes = (data: unknown) => ({ body: { success: true, message: '', data } })

describe('wrong usage ends with 2 and names the flag', () => {
  it.each([
    [['frobnicate'], "unknown command 'frobnicate'"],
    [['channels', 'lst'], "unknown command 'lst'"],
    [['channels', 'list', '--jsn'], 'Did you mean --json?'],
    [['channels', 'add'], '--type is required'],
    [['channels', 'delete', '3'], '--yes is required'],
    [['channels', 'edit', '3'], 'Nothing to change'],
    [['channels', 'disable'], 'Name channels, or give --tag'],
    [['tokens', 'add'], '--name is required'],
    [['tokens', 'add', '--name', 'a', '--quota', 'lots'], '--quota must be dollars'],
    [['tokens', 'add', '--name', 'a', '--expires', 'soon'], '--expires accepts a span'],
    [['tokens', 'delete', '3'], '--yes is required'],
    [['settings', 'set', 'retrytimes', '1'], 'Did you mean RetryTimes?'],
    [['call', 'tokens.make'], 'did you mean tokens.list'],
    [['docs', 'nothing'], 'choose one of endpoints'],
    [['serve', '--server', 'http://x'], 'does not accept --server'],
    [['init', '--server', 'http://x'], 'does not accept --server'],
    [['init', '--mode', 'public'], 'external, self, demo'],
    [['serve', '--port', 'often'], '--port (PORT) must be'],
    [['users', 'list', '--data', ''], '--data (WEIR_DATA) must not be empty'],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await run(args)
    expect(stderr).toContain(message)
    expect([code, stdout]).toEqual([2, ''])
  })
})

/** Every flag of every command that takes a number, an amount or a time, given nonsense. */
const nonsense = listEveryCommand(allCommands)
  .filter(([path]) => path.length > 1)
  .flatMap(([path, { options, arguments: places }]) => {
    const known = Object.values(places).filter(({ spec }) => spec.startsWith('<'))
    const words = known.map(({ spec }) => (/id|entry|units/.test(spec) ? '3' : 'x'))
    const needed = ['--name', '--type', '--model'].flatMap((flag) =>
      Object.values(options).some((option) => option.flag.startsWith(`${flag} <`) && !option.choices)
        ? [flag, 'x']
        : [],
    )
    return Object.values(options)
      .filter(({ flag }) => /<(number|units|when)>$/.test(flag))
      .map(({ flag }): [string[], string] => {
        const [name = ''] = flag.split(' ')
        return [[...path, ...words, ...needed, name, 'lots'], name]
      })
  })

describe('nonsense in a flag is told before any Weir is asked', () => {
  it('there are such flags', () => expect(nonsense.length).toBeGreaterThan(20))

  it.each(nonsense)('%j', async (args, name) => {
    const { code, stdout, stderr } = await run(args)
    expect(stderr).toContain(name)
    expect(stderr).not.toContain('No Weir')
    expect([code, stdout]).toEqual([2, ''])
  })
})

describe('help', () => {
  it('of what is served names every flag of the configuration', async () => {
    const helps = await Promise.all([run(['--help']), run(['serve', '--help'])])
    const told = helps.map(({ stdout }) => stdout).join('')
    expect(Object.values(configOptions).filter(({ flag }) => !told.includes(flag.split(' ')[0]!))).toEqual([])
    const { code, stderr } = await run(['serve', '--journal', 'sometimes'])
    expect([code, stderr]).toEqual([2, expect.stringMatching(/--journal.*local, spool/)])
  })

  it('comes without a command, and with --help for every command', async () => {
    expect((await run([])).stdout).toContain('Usage: weir')
    for (const [path] of listEveryCommand(allCommands)) {
      const { code, stdout } = await run([...path, '--help'])
      expect([code, stdout]).toEqual([0, expect.stringContaining(`Usage: weir ${path.join(' ')}`)])
    }
  })
})

describe('commands against a server', () => {
  const channel = {
    id: 4,
    name: 'main',
    type: 1,
    status: 1,
    group: 'default',
    priority: 0,
    weight: 0,
    test_time: 0,
    models: 'a,b',
  }

  const openai = {
    type: 1,
    id: 'openai',
    name: 'OpenAI',
    base_url: 'https://api.openai.com',
    models: ['m1', 'm2'],
    needs_key: true,
    env: 'OPENAI_API_KEY',
    fields: {},
  }

  it('print JSON of what the server gave', async () => {
    const server = await fakeServer(({ url }) => (url.endsWith('/types') ? yes([openai]) : yes([channel])))
    const { code, stdout } = await run(['channels', 'list', '--json', '--server', server.url])
    await server.close()
    const shown = { id: 4, name: 'main', type: 'openai', status: 'enabled', groups: ['default'], models: ['a', 'b'] }
    expect([code, JSON.parse(stdout)]).toMatchObject([0, [shown]])
  })

  it('take the server and the access token from variables', async () => {
    const server = await fakeServer(() => yes([]))
    const { stdout } = await run(['channels', 'list'], { env: { WEIR_SERVER: server.url, WEIR_ACCESS_TOKEN: 'abc' } })
    await server.close()
    expect(server.seen[0]?.headers.authorization).toBe('Bearer abc')
    expect(stdout).toBe('No channels yet: `weir channels add` makes one.\n')
  })

  it('end with 1 for a refusal, and give its code in JSON', async () => {
    const server = await fakeServer(() => ({
      body: { success: false, message: 'Channel not found', code: 'channel.missing' },
    }))
    const { code, stdout, stderr } = await run([
      'channels',
      'edit',
      '9',
      '--weight',
      '1',
      '--json',
      '--server',
      server.url,
    ])
    await server.close()
    expect([code, stdout, JSON.parse(stderr)]).toEqual([
      1,
      '',
      { success: false, message: 'Channel not found', code: 'channel.missing' },
    ])
  })

  it('send only what an edit names, and a key from standard input', async () => {
    const server = await fakeServer(({ url }) => (url.endsWith('/types') ? yes([openai]) : yes(channel)))
    await run(['channels', 'edit', '4', '--disable', '--key', '-', '--server', server.url], { input: 'sk-new\n' })
    await server.close()
    const put = server.seen.find(({ method }) => method === 'PUT')
    expect(JSON.parse(put?.body ?? '')).toEqual({ id: 4, status: 2, key: 'sk-new' })
  })

  it('fill a new channel in from its type and the variable that holds its key', async () => {
    const server = await fakeServer(({ url }) => (url.endsWith('/types') ? yes([openai]) : yes([channel])))
    const args = ['channels', 'add', '--type', 'openai', '--quiet', '--server', server.url]
    const without = await run(args)
    const { code, stdout } = await run(args, { env: { OPENAI_API_KEY: 'sk-env' } })
    await server.close()
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('--key is required')])
    expect([code, stdout]).toEqual([0, '4\n'])
    const post = server.seen.findLast(({ method }) => method === 'POST')
    expect(JSON.parse(post?.body ?? '')).toEqual({
      name: 'OpenAI',
      type: 1,
      models: 'm1,m2',
      key: 'sk-env',
    })
  })

  it('end with 1 where a channel test fails', async () => {
    const server = await fakeServer(({ url }) =>
      url.includes('/test/')
        ? { body: { success: false, message: 'wrong key', code: 'upstream.unreachable' } }
        : yes(channel),
    )
    const { code, stdout } = await run(['channels', 'test', '4', '--json', '--server', server.url])
    await server.close()
    expect([code, JSON.parse(stdout)]).toMatchObject([
      1,
      [{ id: 4, name: 'main', result: 'failed', message: 'wrong key' }],
    ])
  })

  it('ask with filters for the log', async () => {
    const server = await fakeServer(() =>
      yes({ items: [], total: 0, page: 1, page_size: 20, quota_per_unit: 1, display_in_currency: true }),
    )
    await run([
      'logs',
      '--type',
      'error',
      '--model',
      'm1',
      '--since',
      '2026-01-02 03:04',
      '--json',
      '--server',
      server.url,
    ])
    await server.close()
    expect(server.seen[0]?.url).toContain(
      `type=5&model_name=m1&start_timestamp=${Date.parse('2026-01-02T03:04') / 1000}`,
    )
  })
})

describe('values', () => {
  it('reads spans and moments', () => {
    expect([
      parseDurationSeconds('90s'),
      parseDurationSeconds('15m'),
      parseDurationSeconds('2w'),
      parseDurationSeconds('x'),
    ]).toEqual([90, 900, 1_209_600, undefined])
    expect(parseMomentFlag('--since', '1h', -1, 10_000_000)).toBe(6400)
    expect(parseMomentFlag('--expires', '1d', 1, 0)).toBe(86_400)
    expect(parseMomentFlag('--since', '1700000000', -1)).toBe(1_700_000_000)
  })

  it('shows quota as money or as units', () => {
    expect(formatQuotaAmount(750_000, { quota_per_unit: 500_000, display_in_currency: true })).toBe('$1.50')
    expect(formatQuotaAmount(12, { quota_per_unit: 500_000, display_in_currency: true })).toBe('$0.000024')
    expect(formatQuotaAmount(-750_000, { quota_per_unit: 500_000, display_in_currency: true })).toBe('-$1.50')
    expect(formatQuotaAmount(1_234, { quota_per_unit: 500_000, display_in_currency: false })).toBe('1,234')
  })

  it('names an address people can open', async () => {
    expect(localAddress({ host: '0.0.0.0', port: 8080 })).toBe('http://127.0.0.1:8080')
    expect(localAddress({ host: '::1', port: 80 })).toBe('http://[::1]:80')
    const behind = (server_address: string, running?: string) =>
      getPublicAddress(
        {
          client: { site: { status: async () => ({ server_address }) } } as unknown as WeirClient,
          address: async () => running,
        },
        { config: { host: 'x', port: 1 } },
      )
    expect(await behind('https://weir.example.com/', 'http://127.0.0.1:99')).toBe('https://weir.example.com')
    expect(await behind('', 'http://127.0.0.1:99')).toBe('http://127.0.0.1:99')
    expect(await behind('')).toBe('http://x:1')
  })
})

describe('a Weir that is set up', () => {
  const client = {
    users: { search: async () => ({ items: [{ username: 'root', role: 100, DeletedAt: null }] }) },
    auth: {
      login: async ({ password }: { password: string }) => (password === 'right password' ? {} : fail('login.failed')),
    },
    site: { status: async () => ({ self_use_mode_enabled: true, demo_site_enabled: false }) },
  } as unknown as WeirClient

  it('contradicts another name, password or mode, and nothing else', async () => {
    expect(await listContradictions(client, {})).toEqual([])
    expect(await listContradictions(client, { username: 'root', password: 'right password', mode: 'self' })).toEqual([])
    expect(await listContradictions(client, { password: 'wrong' })).toMatchObject([{ en: 'root has another password' }])
    expect(await listContradictions(client, { username: 'ada', mode: 'demo' })).toMatchObject([
      { en: 'its super administrator is not ada' },
      { en: 'its mode is self' },
    ])
  })
})

describe('the reference pages', () => {
  it.each(referencePages.map((page) => [page.topic, page] as const))('%s is Markdown without holes', (_topic, page) => {
    const text = page.write(allCommands, 'en')
    expect(text).toMatch(/^# \w/)
    expect(text).not.toMatch(/undefined|\[object|NaN/)
  })

  it('comes as JSON too', async () => {
    const { stdout } = await run(['docs', 'errors', '--json'])
    expect(JSON.parse(stdout)).toEqual({ topic: 'errors', markdown: expect.stringContaining('quota.insufficient') })
  })
})
