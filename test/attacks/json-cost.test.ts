// Attacks by what JSON holds: objects, members and items that weigh few bytes each and cost the event loop far more. The cases
// come from the formats that callers speak and from the endpoints of the contract.
import { describe, expect, it } from 'vitest'
import { endpointsByName } from '../../core/contracts.ts'
import { ALL_CALLER_FORMATS } from '../../core/dialects/caller-formats.ts'
import { readEventFrame } from '../../core/dialects/answers/frames.ts'
import { refuseCostlyAnswer } from '../../core/dialects/json/json-cost.ts'
import { parseJsonText, parseRequestBody } from '../../core/dialects/requests/request-body.ts'
import { TASK_FORMATS } from '../../core/dialects/tasks/task-formats.ts'
import type { TaskFormat } from '../../core/dialects/tasks/task-format.ts'
import { GatewayError } from '../../core/errors.ts'
import { CALL_PATHS } from '../../http/relay-paths.ts'
import { callerFormats } from '../support/formats.ts'
import { describeWithGateway, MODEL } from '../support/gateway.ts'
import { filled, methodOf, MIB } from '../support/hostile.ts'
import { listFailures } from '../support/list-failures.ts'
import { send } from '../support/server.ts'
import { sampleCases } from '../support/suite.ts'
import { chatReply } from '../support/upstream.ts'

const many = (count: number, item: (at: number) => string) => Array.from({ length: count }, (_, at) => item(at)).join()

/** Values of few bytes that are dear to read, each in as many copies as it takes. */
const DEAR: Record<string, string> = {
  'schema keys': `{"type":"object","properties":{${many(900_000, (at) => `"${at.toString(36)}":{}`)}}}`,
  'one key again and again': `{${many(300_000, () => '"a":0')}}`,
  'empty objects': `[${many(400_000, () => '{}')}]`,
  'empty lists': `[${many(400_000, () => '[]')}]`,
  'small objects': `[${many(100_000, () => '{"type":"text","text":"a"}')}]`,
  texts: `[${many(900_000, () => '""')}]`,
  numbers: `[${many(1_900_000, () => '1')}]`,
}

const actionOf = ({ routes }: TaskFormat) => routes.find(({ wants }) => wants === 'submit')?.action ?? ''
const bytes = (text: string) => new TextEncoder().encode(text)
const decoder = new TextDecoder()
/** What reads a request first, by the name of its format. */
const readers: [name: string, read: (body: Uint8Array) => unknown][] = [
  ...ALL_CALLER_FORMATS.filter(({ operation }) => operation !== 'realtime').map((format): (typeof readers)[number] => [
    format.name,
    (body) => format.readRequestHead(body, { model: MODEL }),
  ]),
  ...TASK_FORMATS.map((format): (typeof readers)[number] => [
    format.name,
    (body) => format.read({ body, path: { model: MODEL, action: 'music' }, action: actionOf(format) }),
  ]),
]
const codeOf = (act: () => unknown): string => {
  try {
    act()
    return 'read'
  } catch (error) {
    return error instanceof GatewayError ? error.code : String(error)
  }
}

describe.each(Object.entries(DEAR))('a call that holds too many %s', (_, value) => {
  it('is refused by every format before it is parsed, and says where', () => {
    const body = bytes(`{"model":"${MODEL}","tools":${value}}`)
    for (const [name, read] of readers)
      expect(
        codeOf(() => read(body)),
        name,
      ).toBe('request.too_many_values')
    expect(() => parseRequestBody(body)).toThrow('(tools)')
  })

  it('is refused at the top level, whatever its place', () => {
    if (value.startsWith('{')) expect(codeOf(() => parseRequestBody(bytes(value)))).toBe('request.too_many_values')
    expect(codeOf(() => parseJsonText(value))).toBe('json.too_many_values')
  })
})

describe.each(Object.entries(DEAR))('an answer that holds far too many %s', (_, value) => {
  it('is refused before it is parsed', () => {
    const copies = value.length < 4 * MIB ? 5 : 1
    const body = bytes(`{"choices":[],"more":[${Array.from({ length: copies }, () => value).join()}]}`)
    expect(codeOf(() => refuseCostlyAnswer(body))).toBe('upstream.unreadable')
    expect(codeOf(() => readEventFrame(bytes(`data: ${decoder.decode(body)}\n\n`)))).toBe('upstream.unreadable')
  })
})

it('the largest answers there are are read: two thousand embeddings, pictures of 10 MB', () => {
  const numbers = many(3072, (at) => `0.${at}`)
  const embeddings = `{"data":[${many(2048, (index) => `{"object":"embedding","index":${index},"embedding":[${numbers}]}`)}]}`
  for (const text of [embeddings, `{"data":[{"b64_json":"${'QUJD'.repeat(2.5 * MIB)}"}]}`])
    expect(codeOf(() => refuseCostlyAnswer(bytes(text)))).toBe('read')
})

/** Enough of them for a body of any size. */
const SMALL_KEYS = `{${many(50_000, (at) => `"k${at}":{}`)}}`

/** A large turn of a coding agent: 25 tools with schemas, forty turns of texts, calls and results, 1 MiB. */
function agentBody(): string {
  const properties = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [
      `field_${at}`,
      { type: 'string', description: 'what it is for', enum: ['a'] },
    ]),
  )
  const parameters = { type: 'object', properties, required: Object.keys(properties) }
  const tools = Array.from({ length: 25 }, (_, at) => ({
    type: 'function',
    function: { name: `tool_${at}`, parameters },
  }))
  const messages = Array.from({ length: 40 }, (_, at) => [
    { role: 'user', content: [{ type: 'text', text: 'word '.repeat(2000) }] },
    {
      role: 'assistant',
      content: 'Let me see',
      tool_calls: [{ id: `call_${at}`, type: 'function', function: { name: 'tool_1', arguments: '{"field_1":"a"}' } }],
    },
    { role: 'tool', tool_call_id: `call_${at}`, content: 'line\n'.repeat(2000) },
  ]).flat()
  return JSON.stringify({ model: MODEL, messages, tools })
}

it('what agents send is read: many tools and turns, pictures of 10 MB, a million numbers', () => {
  const body = agentBody()
  expect(body.length).toBeGreaterThan(0.9 * MIB)
  const url = `data:image/png;base64,${'QUJD'.repeat(2.5 * MIB)}`
  const picture = { model: MODEL, messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] }
  const prompt = Array.from({ length: 1000 }, (_, text) => Array.from({ length: 1000 }, (_, at) => text + at))
  for (const text of [body, JSON.stringify(picture), JSON.stringify({ model: MODEL, input: prompt })]) {
    expect(parseRequestBody(bytes(text)).model).toBe(MODEL)
  }
  const chat = callerFormats.find(({ name }) => name === 'openai-chat')!
  expect(chat.readModelRequest(bytes(body)).tools).toHaveLength(25)
})

describeWithGateway('JSON that is dear to read', (weir) => {
  it('is refused in the words of every format of the relay, while a neighbour is answered', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000_000 })
    const bob = await weir.addCaller({ quota: 1_000_000_000 })
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 1, completion_tokens: 1 }))
    const places = [
      ...Object.keys(CALL_PATHS),
      '/v1/messages/count_tokens',
      '/pg/chat/completions',
      ...['generateContent', 'streamGenerateContent?alt=sse', 'countTokens'].map(
        (action) => `/v1beta/models/${MODEL}:${action}`,
      ),
    ]
    const body = `{"model":"${MODEL}","messages":[{"role":"user","content":"a"}],"tools":[${SMALL_KEYS}]}`
    const visitor = await weir.addVisitor({ quota: 1_000_000_000 })
    const wrong = await listFailures(
      places,
      (path) => path,
      async (path) => {
        const headers = { authorization: `Bearer ${ada.key}`, 'content-type': 'application/json' }
        const attack = path.startsWith('/pg/')
          ? visitor.send('POST', path, { headers: { 'content-type': 'application/json' }, body })
          : send('POST', weir.url + path, { headers, body })
        expect((await bob.chat()).status).toBe(200)
        const { status, text, json } = await attack
        expect(status, text).toBe(400)
        expect(json.error.message).toContain('send fewer of them, or split it')
      },
    )
    expect(wrong).toEqual([])
    expect(weir.upstream.requests.every(({ body }) => body.length < 1000)).toBe(true)
  })

  it('is refused in a provider’s answer, whole and as an event, and costs nothing', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000_000 })
    const value = DEAR['empty objects']!
    const choice = '{"index":0,"message":{"content":"Hello"},"delta":{"content":"Hello"},"finish_reason":"stop"}'
    const answer = `{"id":"a","choices":[${choice}],"more":${value}}`
    const before = await ada.balances()
    for (const stream of [false, true]) {
      weir.upstream.reply(() =>
        stream
          ? { headers: { 'content-type': 'text/event-stream' }, body: `data: ${answer}\n\ndata: [DONE]\n\n` }
          : { headers: { 'content-type': 'application/json' }, body: answer },
      )
      expect((await ada.chat({ stream })).status).toBe(502)
    }
    expect(await ada.balances()).toEqual(before)
  })

  it('is refused at every endpoint that takes a body', async () => {
    const dear = [SMALL_KEYS, `[${many(60_000, () => '{}')}]`]
    const open = [...endpointsByName].filter(([, { body, changes, large }]) => (body ?? changes) && !large)
    const wrong = await listFailures(
      sampleCases(open, 4),
      ([name]) => name,
      async ([, endpoint]) => {
        const [field = 'a'] = Object.keys(endpoint.body?.shape ?? {})
        for (const value of dear) {
          const text = `{"${field}":${endpoint.access === 'public' ? `[${many(5000, () => '{}')}]` : value}}`
          const headers = { 'content-type': 'application/json' }
          const { status, json } = await weir.root.send(methodOf(endpoint), filled(endpoint.path), {
            headers,
            body: text,
          })
          expect([status, json.code]).toEqual([400, 'request.too_many_values'])
        }
      },
    )
    expect(wrong).toEqual([])
  })

  it('is refused in the JSON texts of settings and channels', async () => {
    const value = `{${many(40_000, (at) => `"m${at}":1`)}}`
    const put = (body: object) => weir.root.send('PUT', '/api/option', { body })
    expect((await put({ key: 'ModelRatio', value })).json.code).toBe('json.too_many_values')
    const channel = { name: 'dear', type: 1, key: 'k', models: MODEL, base_url: 'https://a.example' }
    for (const field of ['model_mapping', 'param_override', 'setting']) {
      const { json } = await weir.root.send('POST', '/api/channel', { body: { ...channel, [field]: value } })
      expect([field, json.success, JSON.stringify(json)]).toEqual([
        field,
        false,
        expect.stringContaining('JSON text holds'),
      ])
    }
  })
})
