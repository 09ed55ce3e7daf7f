// The world around a gateway: the mock provider and the load generator, built from C on demand, and the request bodies.
import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { freePort } from '../support/free-port.ts'
import { listening, output, start, temporaryFolder, WORLD_CORE } from './processes.ts'

/** Models with a price in the built-in tables: of the provider of chat completions, and of the one of messages. */
export const MODEL = 'gpt-4o-mini'
export const MESSAGES_MODEL = 'claude-sonnet-4-5'
export const MESSAGES_PATH = '/v1/messages'
export const CHAT_PATH = '/v1/chat/completions'

/** What the generator prints; see load.c. */
export interface LoadResult {
  calls_s: number
  calls: number
  p50_ms: number
  p99_ms: number
  p999_ms: number
  max_ms: number
  errors: number
  refused: number
  lost: number
  events: number
  gap_p99_ms: number
  gap_max_ms: number
  opened: number
  finished: number
}

export type Load = (
  | { mode: 'closed'; connections: number }
  | { mode: 'rate'; connections: number; rate: number }
  | { mode: 'streams'; connections: number; rate: number }
) & {
  body: string
  seconds: number
  /** The path of the call; chat completions if undefined. */
  path?: string
}

/** Where a load goes. */
export interface Address {
  port: number
  /** A key, or `@` and a file with one key of the same length on each line. */
  key: string
  headers?: Record<string, string>
}

export interface Provider {
  port: number
  url: string
  stats(): Promise<{ requests: number; streams: number; open: number; aborted: number; events: number }>
}

export interface World {
  folder: string
  provider: Provider
  /** Runs one load; `cores` as taskset takes them. */
  load(load: Load, to: Address, cores?: string): Promise<LoadResult>
}

export async function openWorld(): Promise<World> {
  const folder = await temporaryFolder('world')
  const mock = compiled('mock', folder)
  const generator = compiled('load', folder)
  const port = await freePort()
  const child = start(WORLD_CORE, [mock, String(port)])
  await listening(port, child)
  const url = `http://127.0.0.1:${port}`
  let bodies = 0
  const files = new Map<string, string>()

  return {
    folder,
    provider: {
      port,
      url,
      async stats() {
        const { body } = await request(`${url}/stats`)
        return (await body.json()) as Awaited<ReturnType<Provider['stats']>>
      },
    },
    async load(load, to, cores = WORLD_CORE) {
      let file = files.get(load.body)
      if (file === undefined) {
        file = join(folder, `body-${++bodies}.json`)
        await writeFile(file, load.body)
        files.set(load.body, file)
      }
      const rate = load.mode === 'closed' ? [] : [String(load.rate)]
      const parameters = [
        load.mode,
        to.port,
        load.path ?? CHAT_PATH,
        to.key,
        file,
        load.connections,
        load.seconds,
        ...rate,
      ]
      const headers = Object.entries(to.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`)
      const env = { EXTRA_HEADERS: headers.join('') }
      return JSON.parse(await output(cores, [generator, ...parameters.map(String)], env)) as LoadResult
    },
  }
}

/** Builds a program from its C source beside this file. */
function compiled(name: string, folder: string): string {
  const source = fileURLToPath(new URL(`${name}.c`, import.meta.url))
  if (!statSync(source).isFile()) throw new Error(`${source} is missing`)
  const program = join(folder, name)
  try {
    execFileSync('cc', ['-O2', '-o', program, source], { stdio: ['ignore', 'ignore', 'pipe'] })
  } catch (error) {
    const said = (error as { stderr?: Buffer }).stderr?.toString() ?? String(error)
    throw new Error(`The benchmark needs a C compiler named cc. ${said}`, { cause: error })
  }
  return program
}

const WORDS = 'The quick brown fox jumps over the lazy dog while seven wizards brew a potion of plain text. '

/** A chat request of about `bytes`, whose markers tell the mock what to answer. */
export function chatBody(bytes: number, markers: string, stream = false): string {
  const body = (text: string) =>
    JSON.stringify({
      model: MODEL,
      ...(stream ? { stream: true } : {}),
      temperature: 0.7,
      max_tokens: 500,
      messages: [
        { role: 'system', content: `You answer briefly. ${markers}` },
        { role: 'user', content: text },
      ],
    })
  const room = bytes - body('').length
  return body(WORDS.repeat(Math.ceil(room / WORDS.length)).slice(0, Math.max(5, room)))
}

/** Turns of the conversation of an agent, each with a call of a tool and its result. */
const AGENT_TURNS = 40
const AGENT_TOOLS = 25
const SYSTEM_BYTES = 8192

const buildTool = (at: number) => ({
  type: 'function',
  function: {
    name: `tool_${at}`,
    description: WORDS.repeat(5),
    parameters: {
      type: 'object',
      properties: Object.fromEntries(
        ['path', 'pattern', 'command', 'limit', 'recursive'].map((name) => [
          name,
          { type: 'string', description: WORDS, enum: ['one', 'two', 'three'] },
        ]),
      ),
      required: ['path'],
      additionalProperties: false,
    },
  },
})

/** Some lines of a program: their quotes, tabs and line ends are escaped in JSON, as those of real files are. */
const CODE = 'export const name = (value: string): string => {\n\treturn `${value} "quoted"`\n}\n'

/** The parts of an agent's request that the formats write differently. */
interface AgentRequest {
  system: string
  turns: { number: number; tool: string; file: string }[]
}

/** The streamed chat request of a coding agent: a long system text, tools with schemas, and turns with the contents of files. */
export const agentBody = (bytes: number, markers: string, model: string = MODEL): string =>
  fillAgentBody(bytes, markers, ({ system, turns }) => ({
    ...{ model, stream: true, max_tokens: 500 },
    tools: Array.from({ length: AGENT_TOOLS }, (_, at) => buildTool(at)),
    messages: [
      { role: 'system', content: system },
      ...turns.flatMap(({ number, tool, file }) => [
        { role: 'user', content: `Read the next file, number ${number}.` },
        {
          role: 'assistant',
          content: 'I read it.',
          tool_calls: [
            {
              id: `call_${number}`,
              type: 'function',
              function: { name: tool, arguments: `{"path":"src/file-${number}.ts"}` },
            },
          ],
        },
        { role: 'tool', tool_call_id: `call_${number}`, content: file },
      ]),
    ],
  }))

/** The same request in Anthropic's format. */
export const messagesBody = (bytes: number, markers: string, model: string = MODEL): string =>
  fillAgentBody(bytes, markers, ({ system, turns }) => ({
    ...{ model, stream: true, max_tokens: 500, system },
    tools: Array.from({ length: AGENT_TOOLS }, (_, at) => {
      const { name, description, parameters } = buildTool(at).function
      return { name, description, input_schema: parameters }
    }),
    messages: turns.flatMap(({ number, tool, file }) => [
      ...(number === 0 ? [{ role: 'user', content: 'Read the files.' }] : []),
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I read it.' },
          { type: 'tool_use', id: `call_${number}`, name: tool, input: { path: `src/file-${number}.ts` } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `call_${number}`, content: file }] },
    ]),
  }))

/** Fills the files of the turns so that the request has about `bytes`. */
function fillAgentBody(bytes: number, markers: string, build: (request: AgentRequest) => object): string {
  const system = `${markers} ${WORDS.repeat(Math.ceil(SYSTEM_BYTES / WORDS.length))}`
  const body = (file: string) => {
    const turns = Array.from({ length: AGENT_TURNS }, (_, number) => ({
      ...{ number, tool: `tool_${number % AGENT_TOOLS}`, file },
    }))
    return JSON.stringify(build({ system, turns }))
  }
  const room = Math.max(0, bytes - body('').length) / AGENT_TURNS
  const escaped = JSON.stringify(CODE).length - 2
  return body(CODE.repeat(Math.max(1, Math.round(room / escaped))))
}

/** The text of an event of the mock, in either format. */
const MOCK_TEXT = /"(?:content|text)":"x/
const END_MARKS: Record<string, string> = { [CHAT_PATH]: 'data: [DONE]', [MESSAGES_PATH]: '"message_stop"' }

/** Sends one call and says what is wrong with its answer: a benchmark of wrong answers is worth nothing. */
export async function checkOnce(
  to: Address,
  { body, path = CHAT_PATH }: Pick<Load, 'body' | 'path'>,
  events: number,
): Promise<void> {
  const key = to.key.startsWith('@') ? readFileSync(to.key.slice(1), 'utf8').split('\n')[0] : to.key
  const answer = await request(`http://127.0.0.1:${to.port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...to.headers },
    body,
  })
  const text = await answer.body.text()
  const seen = text.split('\n').filter((line) => line.startsWith('data: {') && MOCK_TEXT.test(line)).length
  const ended = events === 0 ? text.endsWith('}') : text.includes(END_MARKS[path] ?? '')
  if (answer.statusCode !== 200 || !ended || seen !== events) {
    throw new Error(`a wrong answer: status ${answer.statusCode}, ${seen} of ${events} events: ${text.slice(0, 300)}`)
  }
}
