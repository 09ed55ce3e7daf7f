// How the terminal prints the keys of tokens: masked in lists, whole in the lines for a shell.
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callableEndpoints } from '../../cli/input/call-endpoints.built.ts'
import { withFullKeys } from '../../cli/commands/call.ts'
import { endpointsByName } from '../../core/contracts.ts'
import { buildEnvironmentLines, SHELL_SYNTAXES, detectShell } from '../../core/tokens/shell.ts'
import { maskKeyText, Token } from '../../core/tokens/token.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { runHere } from '../support/terminal.ts'

let server: TestServer
let key: string
const run = (args: string[]) => runHere(args, { env: { WEIR_DATA: server.config.data } })
const dataOf = async (args: string[]) => JSON.parse((await run([...args, '--json'])).stdout) as Record<string, unknown>

beforeAll(async () => {
  server = await startTestServer()
  key = (JSON.parse((await run(['init', '--yes', '--json'])).stdout) as { token_key: string }).token_key
})
afterAll(() => server.close())

describe('keys of tokens', () => {
  it('are masked in every form of the list, and whole with their prefix where somebody asks', async () => {
    const masked = `${key.slice(0, 6)}***${key.slice(-3)}`
    for (const form of [[], ['--json'], ['--search', 'first'], ['--search', 'first', '--json']]) {
      const { stdout } = await run(['tokens', 'list', ...form])
      expect(stdout).toContain(masked)
      expect(stdout).not.toContain(key.slice(3))
      expect((await run(['tokens', 'list', '--keys', ...form])).stdout).toContain(key)
    }
    expect(await dataOf(['tokens', 'add', '--name', 'json'])).toMatchObject({
      key: expect.stringMatching(/^sk-\w{48}$/),
    })
  })

  it('have their prefix in the reply of every endpoint that has some', async () => {
    const raw = 'K'.repeat(48)
    const shown = [...endpointsByName].map(([name, { reply, replyFields }]) => {
      const before = sample(replyFields ? replyFields.extend({ data: reply }) : reply, raw)
      const after = withFullKeys(callableEndpoints[name]!.keyPlaces, before)
      return { name, before: JSON.stringify(before), after: JSON.stringify(after) }
    })
    const changed = shown.filter(({ before, after }) => before !== after)
    const names =
      'tokens.list tokens.search tokens.get tokens.create tokens.update tokens.ofUser tokens.ofTeam tokens.createOf tokens.updateOf tokens.manage'
    expect(changed.map(({ name }) => name).join(' ')).toBe(names)
    for (const { after } of shown) expect(after).not.toMatch(/(?<!sk-)K{48}/)
    expect((await run(['call', 'tokens.get', '--id', '1'])).stdout).toContain(`"${key}"`)
    expect((await run(['call', 'tokens.list'])).stdout).toContain(`"${maskKeyText(key.slice(3))}"`)
  })
})

/** A value of a reply that has a key wherever a token may stand. */
function sample(schema: unknown, raw: string): unknown {
  if (schema === Token.shape.key) return raw
  const { shape, element, innerType } = (schema as { def: Record<string, never> }).def
  if (innerType) return sample(innerType, raw)
  if (element) return [sample(element, raw)]
  if (!shape) return 1
  return Object.fromEntries(Object.entries(shape).map(([name, one]) => [name, sample(one, raw)]))
}

describe('the lines for a shell', () => {
  const HOSTILE = `http://x/'"$(touch /tmp/weir-was-here)\`id\`\\ ’; & | $HOME`

  it('point clients at this Weir', async () => {
    const { stdout } = await run(['tokens', 'env', '1', '--shell', 'sh'])
    expect(stdout.split('\n')).toEqual([
      `export OPENAI_API_KEY=${key} OPENAI_BASE_URL=${server.url}/v1`,
      `export ANTHROPIC_API_KEY=${key} ANTHROPIC_BASE_URL=${server.url}`,
      `export GEMINI_API_KEY=${key} GOOGLE_GEMINI_BASE_URL=${server.url}`,
      '',
    ])
    expect((await run(['tokens', 'env', '1', '--client', 'openai', '--shell', 'fish'])).stdout).toBe(
      `set -gx OPENAI_API_KEY ${key}; set -gx OPENAI_BASE_URL ${server.url}/v1\n`,
    )
    expect((await run(['tokens', 'env', '1', '--client', 'gemini', '--shell', 'powershell'])).stdout).toBe(
      `$env:GEMINI_API_KEY = '${key}'; $env:GOOGLE_GEMINI_BASE_URL = '${server.url}'\n`,
    )
    expect(await dataOf(['tokens', 'env', '1'])).toMatchObject({ OPENAI_API_KEY: key, ANTHROPIC_BASE_URL: server.url })
    const added = await run(['tokens', 'add', '--name', 'shown'])
    expect(added.stdout).toMatch(/export OPENAI_API_KEY=sk-\w{48} OPENAI_BASE_URL=http/)
  })

  it('name the server that was asked', async () => {
    const access = JSON.parse((await run(['call', 'users.accessToken', '--json'])).stdout) as string
    const env = { WEIR_SERVER: server.url, WEIR_ACCESS_TOKEN: access }
    expect((await runHere(['tokens', 'env', '1'], { env })).stdout).toContain(`OPENAI_BASE_URL=${server.url}/v1`)
  })

  it('are one word to the shell, whatever is in them', () => {
    const script = `${buildEnvironmentLines('sh', 'sk-a b', HOSTILE, ['anthropic'])[0]}; printf '%s|%s' "$ANTHROPIC_API_KEY" "$ANTHROPIC_BASE_URL"`
    expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(`sk-a b|${HOSTILE}`)
    expect(SHELL_SYNTAXES.fish.quote(`a'b\\c$x`)).toBe(`'a\\'b\\\\c$x'`)
    expect(SHELL_SYNTAXES.powershell.quote(`a'b’c$x`)).toBe(`'a''b’’c$x'`)
  })

  it('are for the shell at hand', () => {
    const shells = [{ SHELL: '/usr/bin/fish' }, { SHELL: '/bin/zsh' }, { PSModulePath: 'C:\\x' }].map(detectShell)
    expect(shells).toEqual(['fish', 'sh', 'powershell'])
  })
})
