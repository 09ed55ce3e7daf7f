// `weir settings …` on a real gateway: set and made the default again, compared, edited in an editor, asked about where dangerous.
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findWarning } from '../../cli/declared-settings.ts'
import { runCommandLine } from '../../cli/main.ts'
import { declaredSettings } from '../../core/settings/index.ts'
import type { Setting } from '../../core/settings/setting.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { fakeHost, runHere } from '../support/terminal.ts'

let server: TestServer
let folder: string
const run = (args: string[], input?: string) => runHere(args, { env: { WEIR_DATA: server.config.data }, input })
const json = async <T = Record<string, unknown>>(args: string[]): Promise<T> => {
  const { stdout, stderr } = await run([...args, '--json'])
  expect(stderr).toBe('')
  return JSON.parse(stdout) as T
}

beforeAll(async () => {
  server = await startTestServer()
  folder = await mkdtemp(path.join(tmpdir(), 'weir-settings-'))
  await run(['init', '--yes', '--json'])
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

it('a setting is set, listed as changed, and its default again', async () => {
  const usual = await json<{ default: string; changed: boolean }>(['settings', 'get', 'RetryTimes'])
  expect(usual).toMatchObject({ key: 'RetryTimes', value: usual.default, changed: false, secret: false })
  expect(await json(['settings', 'set', 'RetryTimes', '7'])).toMatchObject({ value: '7', changed: true })
  const row = expect.objectContaining({ key: 'RetryTimes', value: '7', default: usual.default })
  expect(await json(['settings', 'ls', '--changed'])).toContainEqual(row)
  expect(await json(['settings', 'diff'])).toContainEqual(
    expect.objectContaining({ key: 'RetryTimes', here: '7', there: usual.default }),
  )
  expect((await run(['settings', 'get', 'RetryTimes'])).stdout).toBe('7\n')
  expect(await json(['settings', 'unset', 'RetryTimes'])).toMatchObject({ value: usual.default, changed: false })
  expect(JSON.stringify(await json(['settings', 'diff']))).not.toContain('RetryTimes')
})

it('a secret is set and never shown', async () => {
  const { stdout } = await run(['settings', 'set', 'SMTPToken', '-'], 'hidden-word\n')
  expect(stdout).toBe('SMTPToken is set.\n')
  const got = await run(['settings', 'get', 'SMTPToken', '--json'])
  expect(JSON.parse(got.stdout)).toMatchObject({ key: 'SMTPToken', value: null, secret: true, changed: true })
  expect(got.stdout + got.stderr).not.toContain('hidden-word')
  expect((await run(['settings', 'ls', '--language', 'zh'])).stdout).toMatch(/SMTPToken +（已设置）/)
  await run(['settings', 'unset', 'SMTPToken'])
})

it('a dangerous value is set by who means it, the others by anybody', async () => {
  expect(await run(['settings', 'set', 'StrictHold', 'true'])).toMatchObject({
    ...{ code: 0, stdout: 'StrictHold is now true\n' },
  })
  const args = ['settings', 'set', 'StrictHold', 'false']
  const refused = await run([...args, '--language', 'zh'])
  expect([refused.code, refused.stdout]).toEqual([2, ''])
  expect(refused.stderr).toContain('--yes')
  expect(await run(['settings', 'unset', 'StrictHold'])).toMatchObject({ code: 2, stdout: '' })
  expect(await run([...args, '--yes'])).toMatchObject({ code: 0, stdout: 'StrictHold is now false\n' })
  expect(await run(['settings', 'unset', 'StrictHold', '--yes'])).toMatchObject({ code: 0 })
})

describe.each(Object.entries(declaredSettings as Record<string, Setting<unknown>>).filter(([, one]) => one.danger))(
  'the danger of %s',
  (key, { danger, dangerAt, value }) => {
    const at = dangerAt === undefined ? undefined : value.encode(dangerAt)
    const others = value.kind === 'flag' ? ['true', 'false'] : ['0', '1', '7', value.encode(value.default)]

    it.each([...others, null])('is told at %s as on the settings screen', (given) => {
      const becomes = given ?? value.encode(value.default)
      expect(findWarning(key, given)).toBe(at === undefined || at === becomes ? danger : undefined)
    })
  },
)

it('a file that says the same differs in nothing; what differs is told, with exit code 1', async () => {
  await run(['settings', 'set', 'SystemName', 'Ours'])
  const changed = await json<{ key: string; value: string }[]>(['settings', 'ls', '--changed'])
  const file = path.join(folder, 'settings.json')
  await writeFile(file, JSON.stringify(Object.fromEntries(changed.map(({ key, value }) => [key, value]))))
  expect(await run(['settings', 'diff', file])).toMatchObject({ code: 0, stdout: 'No difference.\n' })
  await run(['settings', 'set', 'SystemName', 'Theirs'])
  const told = await run(['settings', 'diff', file, '--json'])
  expect([told.code, JSON.parse(told.stdout)]).toMatchObject([
    1,
    [{ key: 'SystemName', here: 'Theirs', there: 'Ours' }],
  ])
  await writeFile(file, 'no JSON')
  expect((await run(['settings', 'diff', file, '--language', 'zh'])).stderr).toContain('JSON 对象')
  await run(['settings', 'unset', 'SystemName'])
})

/** An editor that puts these lines in the place of the file. */
async function editor(text: string): Promise<string> {
  const script = path.join(folder, 'editor.sh')
  await writeFile(path.join(folder, 'text'), text)
  await writeFile(script, `#!/bin/sh\ncp "$1" '${folder}/seen'\ncat '${folder}/text' > "$1"\n`)
  await chmod(script, 0o700)
  return script
}

const onTerminal = async (args: string[], env: Record<string, string>) => {
  const { host, written } = fakeHost({ tty: true, env: { WEIR_DATA: server.config.data, TERM: 'xterm', ...env } })
  return { code: await runCommandLine(args, host), ...written }
}

it('edit opens an editor: on one value, or on all that are changed', async () => {
  const one = await onTerminal(['settings', 'edit', 'SystemName'], { EDITOR: await editor('Edited\n') })
  expect([one.code, await readFile(path.join(folder, 'seen'), 'utf8')]).toEqual([0, 'Weir\n'])
  expect(await json(['settings', 'get', 'SystemName'])).toMatchObject({ value: 'Edited' })
  const all = await onTerminal(['settings', 'edit'], { EDITOR: await editor('{"RetryTimes": 5}') })
  expect(all.code).toBe(0)
  expect(JSON.parse(await readFile(path.join(folder, 'seen'), 'utf8'))).toMatchObject({ SystemName: 'Edited' })
  expect(await json(['settings', 'get', 'SystemName'])).toMatchObject({ value: 'Weir' })
  expect(await json(['settings', 'get', 'RetryTimes'])).toMatchObject({ value: '5' })
  expect(await run(['settings', 'edit', 'SystemName'])).toMatchObject({ code: 2, stdout: '' })
})

it('edit tells of who came between, and keeps what was written', async () => {
  const script = path.join(folder, 'slow.sh')
  await writeFile(
    script,
    `#!/bin/sh\necho Mine > "$1"\ntouch '${folder}/open'\nwhile [ ! -e '${folder}/go' ]; do sleep 0.02; done\n`,
  )
  await chmod(script, 0o700)
  const editing = onTerminal(['settings', 'edit', 'SystemName'], { EDITOR: script })
  await expect.poll(() => existsSync(path.join(folder, 'open')), { timeout: 5000 }).toBe(true)
  await run(['settings', 'set', 'SystemName', 'Theirs'])
  await writeFile(path.join(folder, 'go'), '')
  const { code, stderr } = await editing
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/has been changed since \(SystemName: the last .* by root, /),
  ])
  const file = /kept in (\S+)/.exec(stderr)?.[1] ?? ''
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ SystemName: 'Mine' })
  expect(await json(['settings', 'get', 'SystemName'])).toMatchObject({ value: 'Theirs' })
  await rm(path.dirname(file), { recursive: true })
})

it('explain says in both languages what a setting is', async () => {
  expect(await json(['settings', 'explain', 'RetryTimes'])).toMatchObject({ key: 'RetryTimes', writer: 'admin' })
  expect((await run(['settings', 'explain', 'RetryTimes', '--language', 'zh'])).stdout).toMatch(/含义[^]*默认值/)
})
