// Calls of every format with one value in their body exchanged for what nobody should send, on channels of every kind.
import fc from 'fast-check'
import { openTestGateway } from './gateway.ts'
import type { Json } from './json.ts'
import { makers } from './makers/index.ts'
import { send } from './server.ts'
import { SEEDS } from './whole-requests.data.ts'

export interface FuzzBodiesOptions {
  database?: string
  /** Calls to each path. */
  requests: number
  seed: number
  /** `refused`: calls that were answered with 400. */
  each?(path: string, refused: number): void
}

/** Stands for lists in lists, deeper than `JSON.stringify` goes. */
const DEEP = 'lists in lists'
const inDepth = (json: string): string => json.replace(`"${DEEP}"`, '['.repeat(5_000) + ']'.repeat(5_000))
/** What stands in place of anything. A `toString` of one's own makes `String(value)` throw. */
const HOSTILE: Json[] = [
  null,
  true,
  0,
  -1.5,
  1e308,
  '',
  'x',
  '__proto__',
  [],
  {},
  [null],
  [[]],
  { toString: 1, valueOf: 1 },
  [{ toString: 1 }],
  { type: { toString: 1 } },
  JSON.parse('{"__proto__":{"toString":1},"constructor":1,"length":-1}'),
  { text: {}, content: {}, parts: 1, url: [], data: {} },
  JSON.parse('['.repeat(60) + ']'.repeat(60)),
  DEEP,
]

/** Spoken by few. */
const BESIDE_CHAT = /mbed|moderations|rerank|images|audio/

type Path = (string | number)[]

function pathsOf(value: Json, path: Path = []): Path[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const below = inner.flatMap(([key, member]) =>
    pathsOf(member as Json, [...path, Array.isArray(value) ? Number(key) : key]),
  )
  return path.length === 0 ? below : [path, ...below]
}

function exchanged(seed: Json, path: Path, value: Json): Json {
  const whole = structuredClone(seed)
  const place = path.slice(0, -1).reduce((inner: Json, key) => inner[key], whole)
  place[path.at(-1)!] = value
  return whole
}

/** OpenAI, Anthropic and Gemini, and formats that only a provider speaks. */
const CHANNELS = [1, 14, 24, 4, 34, 37, 49, 23, 18, 33]

const innermost = (error: unknown): string =>
  error instanceof Error && error.cause ? innermost(error.cause) : String((error as Error | undefined)?.stack)

/** Gives what went wrong. */
export async function fuzzBodies({ requests, seed, each, database }: FuzzBodiesOptions): Promise<string[]> {
  const weir = await openTestGateway(database ? { database } : {})
  const problems = new Set<string>()
  let said = ''
  weir.gateway.ports.logger.error = (message, fields) => {
    said = `${message}: ${innermost(fields?.cause)}`
  }
  try {
    const [openai, anthropic, gemini] = makers as [(typeof makers)[0], (typeof makers)[0], (typeof makers)[0]]
    weir.upstream.reply((request) => {
      const maker = request.path.includes('/messages') ? anthropic : request.path.includes('/v1beta') ? gemini : openai
      try {
        return maker.say({ text: 'Hello' }, request)
      } catch {
        return { status: 422, body: { error: { message: 'the provider did not like it' } } }
      }
    })
    await weir.set('SelfUseModeEnabled', true)
    await weir.set('AutomaticDisableChannelEnabled', false)
    await weir.set('RetryTimes', 0)
    for (const type of CHANNELS) {
      const key = type === 18 || type === 33 ? 'a|b|us-east-1' : 'upstream-secret-0123456789'
      await weir.addChannel({ type, key, models: `model-${type}`, ...(type === 49 ? { other: 'bot' } : {}) })
    }
    const ada = await weir.addCaller({ quota: 1e12 })
    for (const [path, body] of Object.entries(SEEDS)) {
      let refused = 0
      const paths = pathsOf(body)
      const types = BESIDE_CHAT.test(path) ? [1, 24] : CHANNELS
      const asked = fc.record({
        type: fc.constantFrom(...types),
        at: fc.constantFrom(...paths),
        value: fc.constantFrom(...HOSTILE),
      })
      for (const { type, at, value } of fc.sample(asked, { numRuns: requests, seed })) {
        const model = `model-${type}`
        const text = inDepth(JSON.stringify({ model, ...exchanged(body, at, value) }))
        const before = weir.upstream.requests.length
        said = ''
        const answer = await send('POST', weir.url + path.replace('MODEL', model), {
          headers: { authorization: `Bearer ${ada.key}`, 'content-type': 'application/json' },
          body: text,
        })
        const wrong = (what: string) =>
          problems.add(`${path} on ${type}: ${what}; ${at.join('.')} = ${JSON.stringify(value)?.slice(0, 60)}`)
        if (said !== '') wrong(`${answer.status} ${said.slice(0, 500)}`)
        else if (answer.status === 500) wrong(`500 ${answer.text.slice(0, 200)}`)
        if (answer.status === 400) {
          refused++
          if (weir.upstream.requests.length > before) wrong('refused after the provider was asked')
        }
      }
      each?.(path, refused)
    }
    const { ok, faults, open_holds } = await weir.gateway.client.quota.verify()
    if (!ok || open_holds > 0) problems.add(`the books are wrong: ${open_holds} ${JSON.stringify(faults)}`)
  } finally {
    await weir.close()
  }
  return [...problems]
}
