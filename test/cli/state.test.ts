// The configuration as a file in the terminal: export, a change, a plan with its effects, apply, drift, and back again.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/server.ts'
import { runHere } from '../support/terminal.ts'

let server: TestServer
let folder: string
const run = (args: string[], env: Record<string, string> = {}) =>
  runHere(args, { env: { WEIR_DATA: server.config.data, ...env } })
const file = (name: string) => path.join(folder, name)
const save = async (name: string, text: string) => {
  await writeFile(file(name), text)
  return file(name)
}

beforeAll(async () => {
  server = await startTestServer()
  folder = await mkdtemp(path.join(tmpdir(), 'weir-state-'))
  await run(['init', '--yes', '--json'])
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

it('a day with a file: out, changed, planned, applied, changed by hand, planned again, and back', async () => {
  await run(['channels', 'add', '--type', 'openai', '--name', 'Main', '--key', 'sk-kept', '--models', 'gpt-4o'])
  const first = (await run(['export'])).stdout
  expect(first).toContain('key: ${ENV:WEIR_CHANNELS_MAIN_KEY}')
  expect(first).not.toContain('sk-kept')
  const before = await save('before.yaml', first)
  expect(await run(['plan', before])).toMatchObject({ code: 0 })
  const weir = await save(
    'weir.yaml',
    first.replace('prices: {}', 'prices:\n  gpt-4o: { usd: { input: 5, output: 20 } }'),
  )
  const plan = await run(['plan', weir])
  expect(plan.code).toBe(2)
  expect(plan.stdout).toContain('~ prices gpt-4o')
  expect(plan.stdout).toContain('usd.input: 2.5 → 5')
  const kept = await save('plan.json', (await run(['plan', weir, '--json'])).stdout)
  expect(await run(['apply', weir])).toMatchObject({ code: 2 })
  expect((await run(['apply', weir, '--plan', kept, '--yes'])).stdout).toContain('Applied.')
  expect(await run(['plan', weir])).toMatchObject({ code: 0 })
  expect(await run(['apply', weir, '--plan', kept, '--yes'])).toMatchObject({ code: 1 })
  const byHand = await run(['prices', 'set', 'gpt-4o', '--input', '7', '--output', '20'])
  expect(byHand.stderr).toContain('prices gpt-4o is managed by weir.yaml')
  const again = await run(['plan', weir])
  expect(again.stdout).toContain('changed manually')
  expect(again.stdout).toContain('usd.input: 7 → 5')
  expect((await run(['apply', before, '--source', 'weir.yaml', '--prune', '--yes'])).code).toBe(0)
  expect((await run(['export'])).stdout).toBe(first)
  const zh = await run(['plan', weir, '--language', 'zh'])
  expect(zh.stdout).toContain('更改 1 项')
})

it('a change is reported once, and only where it changes what a file manages', async () => {
  const channels = Array.from({ length: 12 }, (_, at) => `  lot-${at}: { type: sandbox, models: [m], tag: lot }`)
  const lot = await save('lot.yaml', `weir: 1\nchannels:\n${channels.join('\n')}\nsettings:\n  RetryTimes: 4\n`)
  const made = await run(['apply', lot, '--yes'])
  expect(made.code).toBe(0)
  const edit = async (...args: string[]) => (await run(args)).stderr
  expect(await edit('channels', 'edit', 'lot-1', '--weight', '3')).toBe('')
  const priority = await edit('channels', 'edit', 'lot-1', '--models', 'other')
  expect(priority).toBe(
    'channels lot-1 is managed by lot.yaml and no longer matches it (models): the next weir apply undoes that.\n',
  )
  // The first drift is known; neither another thing of the section nor the same field again repeats it.
  expect(await edit('channels', 'edit', 'Main', '--weight', '3')).toBe('')
  expect(await edit('channels', 'edit', 'lot-1', '--models', 'another')).toBe('')
  expect(await edit('settings', 'set', 'DisplayInCurrencyEnabled', 'true')).toBe('')
  expect(await edit('settings', 'set', 'RetryTimes', '5')).toContain('settings RetryTimes is managed by lot.yaml')
  expect(await edit('channels', 'edit', '--tag', 'lot', '--models', 'third')).toBe(
    '11 of channels are managed by lot.yaml and no longer match it: the next weir apply undoes that.\n',
  )
})

it('a plan of many changes of one kind is folded, and shows each of them with --all', async () => {
  const lines = (text: string) => text.trimEnd().split('\n')
  const lot = file('lot.yaml')
  const folded = await run(['plan', lot])
  expect(folded.stdout).toContain('~ channels  12 of them: lot-0, lot-1, lot-2, lot-3, lot-4, …  (12 changed manually')
  expect(folded.stdout).toContain('    models: ["third"] → ["m"]\n')
  expect(folded.stdout).toContain('m: 0 → 12 channels (+lot-0 +lot-1 +lot-2 +lot-3 +lot-4 …)')
  expect(folded.stdout).toContain('--all')
  expect(lines(folded.stdout).length).toBeLessThan(14)
  const whole = await run(['plan', lot, '--all'])
  for (let at = 0; at < 12; at += 1) expect(whole.stdout).toContain(`~ channels lot-${at}`)
  expect(whole.stdout).not.toContain('--all')
  expect((JSON.parse((await run(['plan', lot, '--json'])).stdout) as { changes: [] }).changes).toHaveLength(13)
})

it('a reference that stands for nothing keeps what there is; files and sealed texts stand for theirs', async () => {
  const { generateX25519Identity, identityToRecipient } = await import('age-encryption')
  const identity = await generateX25519Identity()
  await save('identity.txt', `# mine\n${identity}\n`)
  await save('key.txt', 'sk-of-a-file\n')
  const text = (key: string) => `weir: 1\nchannels:\n  main:\n    key: ${key}\n`
  const absent = await run(['plan', await save('absent.yaml', text('${ENV:NOT_THERE}')), '--json'])
  expect(JSON.parse(absent.stdout)).toMatchObject({
    changes: [],
    missing: [{ at: 'channels.main.key', reference: '${ENV:NOT_THERE}' }],
  })
  expect((await run(['apply', await save('file.yaml', text('${file:key.txt}')), '--yes'])).code).toBe(0)
  const sealed = await save(
    'sealed.yaml',
    (await run(['export', '--seal-to', await identityToRecipient(identity)])).stdout,
  )
  expect(await readFile(sealed, 'utf8')).toContain('${age:')
  await run(['apply', await save('other.yaml', text('sk-other')), '--yes'])
  const changed = await run(['plan', sealed, '--identity', file('identity.txt')])
  expect(changed.stdout).toContain('key: *** → ***')
  await run(['apply', sealed, '--identity', file('identity.txt'), '--yes'])
  expect(await run(['plan', file('file.yaml')])).toMatchObject({ code: 0 })
})

it('a file that cannot be read is refused with its line', async () => {
  const torn = await run(['apply', await save('torn.yaml', 'weir: 1\nchannels:\n  a: [\n'), '--yes'])
  expect(torn.code).toBe(1)
  expect(torn.stderr).toMatch(/nothing was changed.*line \d/s)
  const schema = JSON.parse((await run(['export', '--schema'])).stdout) as { properties: object }
  expect(Object.keys(schema.properties)).toContain('channels')
})
