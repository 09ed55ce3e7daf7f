// A day of an operator by commands alone: from an empty folder to users, teams, channels and prices, a rise in price, a
// broken channel found and repaired, a refund, and the report of the month. Every output is checked by its JSON.
import { expect } from 'vitest'

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

/** One command line of weir; `input` is its standard input. */
export type Run = (args: string[], input?: string) => Promise<Ran>

type Row = Record<string, unknown>

interface Day {
  /** Commands of the person at work. */
  run: Run
  /** The gateway's address, for the programs that call it. */
  url: string
  /** A provider that answers every call with this status, until it is mended. */
  provider: { url: string; mend(): void }
}

const MODEL = 'sandbox-small'
const PASSWORD = 'a long password'

/** Gives how many commands it took. */
export async function operatorsDay({ run, url, provider }: Day): Promise<number> {
  let commands = 0
  /** Runs it, and gives what it says to programs. */
  async function json<T = Row>(words: string, more: string[] = [], input?: string, code = 0): Promise<T> {
    commands += 1
    const args = [...words.split(' '), ...more, '--json']
    const ended = await run(args, input)
    expect([args, ended.code, code === 0 ? ended.stderr : '']).toEqual([args, code, ''])
    return JSON.parse(ended.stdout) as T
  }
  async function call(key: string): Promise<string> {
    const answer = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'How deep is the water?' }] }),
    })
    await answer.text()
    expect(answer.status).toBe(200)
    return answer.headers.get('x-request-id') ?? ''
  }
  /** A row of the log is there a moment after its answer. */
  async function traced(request: string): Promise<Row & { attempts: Row[] }> {
    let found: (Row & { attempts: Row[] }) | undefined
    for (let tries = 0; !found && tries < 50; tries += 1) {
      const ended = await run(['logs', 'trace', request, '--json'])
      if (ended.code === 0) found = JSON.parse(ended.stdout) as Row & { attempts: Row[] }
      else await new Promise((resolve) => setTimeout(resolve, 100))
    }
    commands += 1
    if (!found) throw new Error(`no trace of ${request}`)
    return found
  }

  // In the morning: who, and with what.
  expect(await json('status')).toMatchObject({ version: expect.any(String) })
  await json('settings set', ['AllowedNetworks', '["127.0.0.0/8"]', '--yes'])
  const base = ['--base-url', provider.url, '--key', 'sk-of-the-provider', '--models', MODEL]
  await json('channels add', ['--type', 'openai', '--name', 'main', '--priority', '10', ...base])
  await json('channels add', ['--type', 'sandbox', '--name', 'spare', '--models', MODEL])
  expect(await json<Row[]>('channels')).toMatchObject([
    { name: 'main', type: 'openai', status: 'enabled', priority: 10 },
    { name: 'spare', type: 'sandbox', status: 'enabled', models: [MODEL] },
  ])
  await json('prices set', [MODEL, '--input', '1', '--output', '2'])
  expect(await json<Row[]>('prices ls')).toEqual(
    expect.arrayContaining([expect.objectContaining({ model: MODEL, input: 1, output: 2 })]),
  )
  expect(await json<Row[]>('channels keys add', ['main', '--key', '-'], 'sk-second-of-the-provider')).toMatchObject([
    { place: 1, status: 'enabled' },
    { place: 2, status: 'enabled' },
  ])
  expect(await json<Row[]>('channels keys disable', ['main', '2'])).toMatchObject([{}, { status: 'disabled' }])
  expect(await json('groups set', ['staff', '--ratio', '0.5'])).toMatchObject({ name: 'staff', ratio: 0.5, users: 0 })
  await json('users create', ['alice', '--password', '-'], PASSWORD)
  await json('users create', ['bob', '--password', '-'], PASSWORD)
  expect(await json('users topup', ['alice', '$5', '--reason', 'welcome'])).toMatchObject({
    ...{ username: 'alice', status: 'enabled', role: 'user' },
  })
  const { quota: before } = await json('users show', ['alice'])
  await json('teams add', ['Platform'])
  await json('teams member', ['Platform', 'alice', '--budget-day', '$1'])
  expect(await json('teams topup', ['Platform', '$20', '--grant'])).toMatchObject({ name: 'Platform', quota_usd: 20 })
  const own = await json('tokens add', ['--name', 'work', '--expires', '30d'])
  const shared = await json('tokens add', ['--name', 'shared', '--team', 'Platform'])
  expect(await json<Row[]>('tokens')).toHaveLength(3)

  // A call takes long: its trace tells which channel failed.
  const slow = await traced(await call(String(own.key)))
  expect(slow.attempts).toMatchObject([
    { name: 'main', result: 'failed' },
    { name: 'spare', result: 'answered' },
  ])
  expect(await json<Row[]>('channels test', ['main'], undefined, 1)).toMatchObject([{ name: 'main', result: 'failed' }])
  await json('channels disable', ['main'])
  expect((await traced(await call(String(own.key)))).attempts).toMatchObject([{ name: 'spare' }])
  provider.mend()
  await json('channels enable', ['main'])
  expect(await json<Row[]>('channels test', ['main'])).toMatchObject([{ name: 'main', result: 'ok' }])
  const mended = await call(String(shared.key))
  expect((await traced(mended)).attempts).toMatchObject([{ name: 'main', result: 'answered' }])

  // The provider has raised its price.
  const cheap = await json('logs explain', [mended])
  await json('prices set', [MODEL, '--input', '10', '--output', '20'])
  const dear = await call(String(shared.key))
  await traced(dear)
  expect(Number((await json('logs explain', [dear])).quota)).toBeGreaterThan(9 * Number(cheap.quota))

  // Alice gets something back: her statement has it, and the log tells why.
  await json('users topup', ['alice', '$0.50', '--reason', 'refund of Tuesday'])
  const { quota: after } = await json('users show', ['alice'])
  expect(Number(after) - Number(before)).toBe(250_000)
  const statement = await json('ledger show', ['alice'])
  expect(JSON.stringify(statement)).toContain('250000')
  expect(JSON.stringify(await json<Row[]>('logs', ['--user', 'alice']))).toContain('refund of Tuesday')
  expect(await json('ledger verify')).toMatchObject({ ok: true })

  // Who leaves, and what was handed out.
  expect(await json('users disable', ['bob'])).toMatchObject({ username: 'bob', status: 'disabled' })
  expect(await json('tokens disable', ['work'])).toMatchObject({ name: 'work', status: 'disabled' })
  await json('redemptions create', ['--name', 'spring', '--quota', '$1', '--count', '3'])
  expect(await json<Row[]>('redemptions')).toHaveLength(3)
  expect((await json<Row[]>('audit')).map(({ action }) => action)).toContain('user.disable')
  expect(await json<Row[]>('settings diff')).toEqual(
    expect.arrayContaining([expect.objectContaining({ key: 'AllowedNetworks' })]),
  )

  // The month's report.
  const byModel = await json<Row[]>('usage', ['--by', 'model', '--since', '30d'])
  expect(byModel).toMatchObject([{ calls: 4 }])
  const byUser = await json<Row[]>('usage', ['--by', 'team', '--since', '30d'])
  expect(byUser.reduce((sum, { calls }) => sum + Number(calls), 0)).toBe(4)
  return commands
}
