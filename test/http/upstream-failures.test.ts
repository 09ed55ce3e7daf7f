// The answer and the charge of a call when the provider fails: before the first content, after it, and with a false
// status.
import OpenAI, { APIError } from 'openai'
import { expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway, UPSTREAM_KEY, type TestGateway } from '../support/gateway.ts'
import { chatReply, chatStream, errorPage, tooMany, type TestReply } from '../support/upstream.ts'

const messages = [{ role: 'user' as const, content: 'Hello' }]
const usage = { prompt_tokens: 500, completion_tokens: 77 }
const quota = 1_000_000
/** Addresses and keys that no caller and no log row may show. */
const SECRETS = /127\.0\.0\.1|10\.0\.0\.7|nginx|sk-proj|upstream-secret/

/** The error that a call ends with, or a failed test. */
async function failed(call: () => Promise<unknown>): Promise<APIError> {
  const error = await call().then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(APIError)
  return error as APIError
}

const whole = ({ openai }: Caller, model: string) => openai.chat.completions.create({ model, messages })

/** Reads a stream to its end; the texts so far stay readable when it breaks. */
async function streamed({ openai }: Caller, model: string, texts: string[] = []): Promise<string[]> {
  const stream = await openai.chat.completions.create({ model, messages, stream: true })
  for await (const chunk of stream) texts.push(chunk.choices[0]?.delta.content ?? '')
  return texts
}

const error = (status: number, fields: object): TestReply => ({ status, body: { error: fields } })

type ErrorClass = abstract new (...parameters: never[]) => APIError

interface Row {
  name: string
  reply: TestReply
  status: number
  raises: ErrorClass
  message: string | RegExp
  type: string
  code: unknown
  param?: string | null
}

const rows: Row[] = [
  {
    name: 'a page of HTML, of which nothing is shown',
    reply: errorPage(500),
    status: 500,
    raises: OpenAI.InternalServerError,
    message: 'bad response status code 500',
    type: 'upstream_error',
    code: 'bad_response_status_code',
    param: '500',
  },
  {
    name: 'too many requests, in words of our own',
    reply: tooMany(),
    status: 429,
    raises: OpenAI.RateLimitError,
    message: 'The upstream of the current group is saturated, please try again later',
    type: 'requests',
    code: 'rate_limit_exceeded',
  },
  {
    name: 'a bad key, without showing it',
    reply: error(401, {
      message: `Incorrect API key provided: ${UPSTREAM_KEY} sk-proj-abcdefghijklmnop`,
      type: 'invalid_request_error',
      code: 'invalid_api_key',
    }),
    status: 401,
    raises: OpenAI.AuthenticationError,
    message: 'Incorrect API key provided',
    type: 'invalid_request_error',
    code: 'invalid_api_key',
  },
  {
    name: 'a bad request, with its own type, code and parameter',
    reply: error(400, {
      message: 'temperature is too high',
      type: 'invalid_request_error',
      code: 'bad_value',
      param: 'temperature',
    }),
    status: 400,
    raises: OpenAI.BadRequestError,
    message: 'temperature is too high',
    type: 'invalid_request_error',
    code: 'bad_value',
    param: 'temperature',
  },
  {
    name: 'a status of its own with words at the top',
    reply: { status: 422, body: { message: 'cannot do that' } },
    status: 422,
    raises: OpenAI.UnprocessableEntityError,
    message: 'cannot do that',
    type: 'upstream_error',
    code: 'bad_response_status_code',
    param: '422',
  },
  {
    name: 'an error with status 200',
    reply: error(200, { message: 'overloaded', type: 'server_error', code: null }),
    status: 502,
    raises: OpenAI.InternalServerError,
    message: 'overloaded',
    type: 'server_error',
    code: null,
  },
  {
    name: 'a reset before its head',
    reply: { reset: 'before_head' },
    status: 500,
    raises: OpenAI.InternalServerError,
    message: 'The request to the upstream failed',
    type: 'new_api_error',
    code: 'do_request_failed',
  },
  {
    name: 'a reset behind its head',
    reply: { chunks: ['data: {}\n\n'], reset: 0 },
    status: 502,
    raises: OpenAI.InternalServerError,
    message: 'The upstream broke off in the middle of its answer',
    type: 'new_api_error',
    code: 'bad_response',
  },
  {
    name: 'silence',
    reply: { chunks: [': wait\n\n'], stall: 1 },
    status: 504,
    raises: OpenAI.InternalServerError,
    message: 'The upstream stopped sending for 1 seconds',
    type: 'new_api_error',
    code: 'upstream_timeout',
  },
]

async function failsFree(weir: TestGateway, ada: Caller, row: Row, call: () => Promise<unknown>): Promise<void> {
  const before = await ada.balances()
  const refused = await failed(call)
  expect(refused).toBeInstanceOf(row.raises)
  expect(refused).toMatchObject({ status: row.status, type: row.type, param: row.param ?? null })
  expect(refused.code ?? null).toBe(row.code)
  expect(refused.message).toMatch(row.message)
  expect(refused.message).toContain(`(request id: ${refused.requestID})`)
  expect(refused.message).not.toMatch(SECRETS)
  expect(await ada.balances()).toEqual(before)
  expect((await weir.gateway.client.quota.verify()).open_holds).toBe(0)
}

describeWithGateway('a provider fails before its first content with', (weir) => {
  it.each(rows)('$name', async (row) => {
    await weir.set('relay.idle_timeout_seconds', 1)
    const channel = await weir.addChannel()
    const ada = await weir.addCaller({ quota })
    weir.upstream.reply(row.reply)
    await failsFree(weir, ada, row, () => whole(ada, weir.model))
    await failsFree(weir, ada, row, () => streamed(ada, weir.model))
    // A connection that an earlier test has left is replaced once where it is reset: the same request goes out again.
    const repeats = 'reset' in row.reply && row.reply.reset === 'before_head' ? 1 : 0
    expect(new Set(weir.upstream.requests.map(({ body }) => String(body))).size).toBe(2)
    expect(weir.upstream.requests.length).toBeLessThanOrEqual(2 + repeats)
    const [log] = await ada.logs()
    expect(log).toMatchObject({ type: 5, quota: 0, channel: channel.id, is_stream: true, prompt_tokens: 0 })
    expect(JSON.parse(log!.other)).toMatchObject({
      status_code: row.status,
      admin_info: { use_channel: [String(channel.id)] },
    })
  })

  it('nothing at all: nobody listens there', async () => {
    await weir.addChannel({ base_url: 'http://127.0.0.1:1' })
    const ada = await weir.addCaller({ quota })
    const row = rows.find(({ name }) => name === 'a reset before its head')!
    await failsFree(weir, ada, row, () => whole(ada, weir.model))
  })

  it('too many requests, whose own words the log keeps', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota })
    weir.upstream.reply(tooMany())
    await failed(() => whole(ada, weir.model))
    expect((await ada.logs())[0]!.content).toContain('Rate limit reached')
  })

  it('an error as its first event, after a chunk that only opens the stream', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota })
    const opening = 'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}\n\n'
    weir.upstream.reply({
      chunks: [opening, 'data: {"error":{"message":"no capacity","type":"server_error","code":503}}\n\n'],
    })
    const refused = await failed(() => streamed(ada, weir.model))
    expect(refused).toMatchObject({ status: 503, type: 'server_error' })
    expect((await ada.balances()).quota).toBe(quota)
  })
})

describeWithGateway('a provider fails after its first content', (weir) => {
  /** The caller got `texts`, then an error; what was received is charged once and logged as cut short. */
  async function failsPaid(reply: TestReply, message: string): Promise<void> {
    await weir.addChannel()
    await weir.addChannel()
    const ada = await weir.addCaller({ quota })
    weir.upstream.reply(reply)
    const texts: string[] = []
    const refused = await failed(() => streamed(ada, weir.model, texts))
    expect(texts.join('')).toBe('Hello, this is ')
    expect(refused.message).toContain(message)
    expect(refused.message).not.toMatch(SECRETS)
    // Nothing is tried again once something was sent.
    expect(weir.upstream.requests).toHaveLength(1)
    const rowsWritten = await ada.logs()
    expect(rowsWritten).toHaveLength(1)
    const [row] = rowsWritten
    expect(JSON.stringify(row)).not.toMatch(SECRETS)
    const detail = JSON.parse(row!.other)
    expect(detail).toMatchObject({ estimated: true, cut_short: expect.stringContaining(message) })
    expect(row).toMatchObject({ type: 2, is_stream: true })
    expect(row!.completion_tokens).toBeGreaterThan(0)
    const due = weir.due({ prompt: row!.prompt_tokens, completion: row!.completion_tokens })
    expect(row!.quota).toBe(due)
    expect(await ada.balances()).toMatchObject({
      quota: quota - due,
      used_quota: due,
      request_count: 1,
      token_used: due,
    })
    expect((await weir.gateway.client.quota.verify()).open_holds).toBe(0)
  }

  const begun = chatStream(['Hello, ', 'this is ', 'never ', 'sent'], usage)

  it('with a reset', () => failsPaid({ ...begun, reset: 3 }, 'The upstream broke off in the middle of its answer'))

  it('with an end without the end mark', () =>
    failsPaid({ chunks: begun.chunks!.slice(0, 3) }, 'The upstream broke off in the middle of its answer'))

  it('with silence', async () => {
    await weir.set('relay.idle_timeout_seconds', 1)
    await failsPaid({ ...begun, stall: 3 }, 'The upstream stopped sending for 1 seconds')
  })

  it('with an error in its stream', () => {
    const chunks = [
      ...begun.chunks!.slice(0, 3),
      'data: {"error":{"message":"ran out at 10.0.0.7 for KEY","type":"server_error"}}\n\n'.replace(
        'KEY',
        UPSTREAM_KEY,
      ),
    ]
    return failsPaid({ chunks }, 'ran out')
  })

  it('in the middle of an answer that is not streamed: nothing is charged', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota })
    const text = JSON.stringify(chatReply('Hello', usage).body)
    const headers = { 'content-type': 'application/json', 'content-length': String(text.length) }
    weir.upstream.reply({ headers, chunks: [text.slice(0, 40), text.slice(40)], reset: 1 })
    expect(await failed(() => whole(ada, weir.model))).toMatchObject({ status: 502, code: 'bad_response' })
    expect((await ada.balances()).quota).toBe(quota)
  })
})
