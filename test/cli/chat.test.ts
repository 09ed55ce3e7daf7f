// `weir chat`: questions from a pipe and from a terminal, several models, costs, and no token left.
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { runCommandLine, type CommandHost } from '../../cli/main.ts'
import {
  appendChatAnswer,
  buildMessagesFor,
  createConversation,
  parseChatLine,
  replaceConversationModels,
} from '../../cli/chat.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { runHere, until } from '../support/terminal.ts'

let server: TestServer
let env: Record<string, string>
beforeAll(async () => {
  server = await startTestServer()
  env = { WEIR_DATA: server.config.data }
  await runHere(['init', '--yes'], { env })
})
afterAll(() => server.close())

const tokens = async () => (await server.gateway.client.tokens.list({})).data.map(({ name }) => name)
const chat = (args: string[], input = '') => runHere(['chat', ...args], { env, input })

/** The last that is shown, with the cursor behind it. */
const PROMPT = /> \S*$/

/** A terminal that somebody types into. */
function talking(args: string[]) {
  let shown = ''
  const screen = () =>
    Object.assign(new PassThrough(), {
      isTTY: true,
      columns: 100,
      write: (text: unknown) => ((shown += String(text)), true),
    })
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined })
  const host = { env: { ...env, TERM: 'xterm', NO_COLOR: '1' }, stdin, stdout: screen(), stderr: screen() }
  const ended = runCommandLine(['chat', ...args], host as unknown as CommandHost)
  return { ended, shown: () => shown, types: (text: string) => void stdin.write(text), closes: () => void stdin.end() }
}

/** An answer that begins, and goes on until who asked breaks it off. */
const neverEnding: typeof fetch = async (_, init) => {
  const start = (body: ReadableStreamDefaultController) => {
    body.enqueue(new TextEncoder().encode('data: {"choices":[{"delta":{"content":"so far"}}]}\n\n'))
    init?.signal?.addEventListener('abort', () => body.error(new Error('broken off')))
  }
  return new Response(new ReadableStream({ start }))
}

describe('without a terminal', () => {
  it('prints the answer alone, to a question behind the model or on standard input, and leaves no token', async () => {
    const before = await tokens()
    for (const [args, input] of [
      [['sandbox-small', 'Hello', 'there'], ''],
      [['sandbox-small'], 'Hello there\n'],
      [['sandbox-small', '--token', '1'], 'Hello there\n'],
      [[], 'Hello there'],
    ] as const) {
      const { code, stdout, stderr } = await chat([...args], input)
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toMatch(/Hello there.*\n$/)
    }
    expect(await tokens()).toEqual(before)
  })

  it('gives each answer with its model, cost and time as a line of JSON', async () => {
    const models = ['sandbox-small', 'sandbox-large']
    const { stdout } = await chat(['--compare', models.join(), '--json'], 'Hello')
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { model: string })
    expect(rows.map(({ model }) => model)).toEqual(models)
    for (const row of rows)
      expect(row).toMatchObject({
        answer: expect.stringContaining('Hello'),
        quota: expect.any(Number),
        quota_usd: expect.any(Number),
        took: expect.any(Number),
        prompt_tokens: expect.any(Number),
      })
  })

  it('names the models that are compared', async () => {
    const { stdout } = await chat(['sandbox-small', 'Hello', '--compare', 'sandbox-large'])
    expect(stdout).toMatch(/^sandbox-small\n[^]+\nsandbox-small · \$0\.\d+ · \d+\.\d s\n\nsandbox-large\n/)
  })

  it('ends with 1 where the call fails, with 2 without a question, and leaves no token', async () => {
    const before = await tokens()
    const failed = await chat(['no-such-model', 'Hello'])
    expect(failed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('no-such-model') })
    expect(await chat(['sandbox-small', 'Hello', '--budget', '1'])).toMatchObject({ code: 1, stdout: '' })
    expect(await chat(['sandbox-small'])).toMatchObject({ code: 2, stdout: '' })
    expect(await chat(['m', 'x', '--budget', '$1', '--token', '1'])).toMatchObject({ code: 2, stdout: '' })
    expect(await tokens()).toEqual(before)
  })
})

describe('on a terminal', () => {
  it('talks on after an answer, a failure and Ctrl+C, says costs, and leaves no token', async () => {
    const before = await tokens()
    const { ended, shown, types } = talking(['sandbox-small'])
    const after = async (text: string, sign: RegExp) => {
      const seen = shown().length
      types(text)
      await until(() => sign.test(shown().slice(seen)))
    }
    await until(() => shown().includes('> '))
    await after('First\r', /sandbox-small · \$0\.\d+ · \d+\.\d s\n/)
    await after('/what\r', /\/model NAME/)
    await after('/model no-such-model\r', PROMPT)
    await after('Second\r', /weir: .*no-such-model/)
    await after('/model sandbox-large\r', PROMPT)
    const fetching = vi.spyOn(globalThis, 'fetch').mockImplementationOnce(neverEnding)
    await after('Third\r', /so far/)
    await after('\u0003', /sandbox-large · \d+\.\d s · stopped[^]*> \S*$/)
    fetching.mockRestore()
    await after('/new\r', PROMPT)
    await after('Fourth\r', /sandbox-large · \$0\.\d+/)
    types('/quit\r')
    expect(await ended).toBe(0)
    expect(await tokens()).toEqual(before)
  })
})

it('each model is told its own answers, a new one those of the first', () => {
  let talk = createConversation(['a', 'b'], 'Be short')
  talk = appendChatAnswer(talk, 'a', 'q', 'from a')
  talk = appendChatAnswer(talk, 'b', 'q', 'from b')
  const contents = (model: string) => buildMessagesFor(talk, model, 'next').map(({ content }) => content)
  expect(contents('b')).toEqual(['Be short', 'q', 'from b', 'next'])
  talk = replaceConversationModels(talk, ['c', 'b'])
  expect([contents('c'), contents('b')]).toEqual([
    ['Be short', 'q', 'from a', 'next'],
    ['Be short', 'q', 'from b', 'next'],
  ])
  expect(appendChatAnswer(talk, 'c', 'q', '')).toBe(talk)
})

it.each([
  ['hi ', { kind: 'question', text: 'hi' }],
  ['/model a, b', { kind: 'model', models: ['a', 'b'] }],
  ['/new', { kind: 'new' }],
  ['/quit', { kind: 'quit' }],
  ['/model', { kind: 'unknown' }],
  ['  ', { kind: 'nothing' }],
])('%j means %j', (typed, line) => expect(parseChatLine(typed)).toEqual(line))
