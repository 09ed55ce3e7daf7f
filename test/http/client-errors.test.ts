// Every client library raises its own exception for a call that Weir or a vendor of any format rejects, with the status
// and the kind of its format, and nothing is charged.
import { APICallError } from 'ai'
import { ApiError } from '@google/genai'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client, Setup } from '../support/clients/client.ts'
import { clients } from '../support/clients/index.ts'
import type { Caller } from '../support/caller.ts'
import { openTestGateway, type TestGateway } from '../support/gateway.ts'
import type { Json } from '../support/json.ts'
import { listFailures } from '../support/list-failures.ts'
import { makers } from '../support/makers/index.ts'
import { failures, type Failing, type Maker } from '../support/makers/maker.ts'
import { runsAllTests } from '../support/suite.ts'

const quota = 1_000_000_000

/** The exception that stands for a status in OpenAI's and in Anthropic's library. */
const classes: Record<number, string> = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  403: 'PermissionDeniedError',
  404: 'NotFoundError',
  413: 'APIError',
  429: 'RateLimitError',
}
const anthropicTypes: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}
const googleWords: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  413: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  529: 'UNAVAILABLE',
}

/** What the exception tells, whichever library raised it: the body is as the wire had it. */
interface Raised {
  status: number
  body: Json
}

async function raised(client: Client, setup: Setup): Promise<Raised> {
  const error: Json = await client.ask(setup).then(
    (text) => new Error(`it answered: ${text}`),
    (thrown: unknown) => thrown,
  )
  if (client.name.startsWith('ai with')) {
    expect(APICallError.isInstance(error), String(error)).toBe(true)
    return { status: error.statusCode, body: JSON.parse(error.responseBody) }
  }
  if (client.speaks === 'gemini') {
    expect(error).toBeInstanceOf(ApiError)
    return { status: error.status, body: JSON.parse(error.message) }
  }
  const library: Json = client.speaks === 'messages' ? Anthropic : OpenAI
  const name = classes[error.status] ?? 'InternalServerError'
  // LangChain has an exception of its own for what is too long.
  if (error.name !== 'ContextOverflowError') expect(error).toBeInstanceOf(library[name])
  const told = error.cause?.error ?? error.error
  return { status: error.status ?? error.cause?.status, body: client.speaks === 'messages' ? told : { error: told } }
}

/** The kind of error in the words of the client's format. */
function expectKind(client: Client, { status, body }: Raised, code?: string): void {
  expect(typeof body.error.message).toBe('string')
  if (client.speaks === 'messages') {
    expect(body.type).toBe('error')
    expect(body.error.type).toBe(anthropicTypes[status] ?? 'api_error')
    if (code) expect(body.error.details?.error_code).toBe(code)
  } else if (client.speaks === 'gemini') {
    expect(body.error).toMatchObject({ code: status, status: googleWords[status] })
    if (code) expect(body.error.details).toContainEqual(expect.objectContaining({ reason: code }))
  } else {
    expect(typeof body.error.type).toBe('string')
    expect(body.error).toHaveProperty('param')
    if (code) expect(body.error.code).toBe(code)
  }
}

/** The status that a maker says it with. */
const statusOf = (maker: Maker, failing: Failing): number => maker.fail(failing).status ?? 0

interface Refusal {
  maker: Maker
  failing: Failing
  streamed: boolean
}

const streamings = [true, false]
const refusals = makers.flatMap((maker) =>
  failures.flatMap((failing) => streamings.map((streamed) => ({ maker, failing, streamed }))),
)

/**
 * How a client is refused: by every maker in every way, streamed and whole. In `npm test` the clients of one format share these
 * out, and each of them is refused in every way.
 */
function listRefusals(client: Client): Refusal[] {
  if (runsAllTests) return refusals
  const format = clients.filter(({ speaks }) => speaks === client.speaks)
  return refusals.filter(({ maker, failing, streamed }) => {
    const turn = makers.indexOf(maker) + failures.indexOf(failing) + streamings.indexOf(streamed)
    return turn % format.length === format.indexOf(client)
  })
}

const nameRefusal = ({ maker, failing, streamed }: Refusal) =>
  `${failing} at ${maker.name}, ${streamed ? 'streamed' : 'whole'}`

describe('what every client raises', () => {
  let weir: TestGateway & { clean(): Promise<void> }
  let ada: Caller
  let poor: Caller
  const setupOf = (maker: Maker, streamed: boolean): Setup => ({
    url: weir.url,
    key: ada.key,
    model: maker.model,
    streamed,
  })
  const untouched = async (caller = ada, left = quota) => {
    expect((await caller.balances()).quota).toBe(left)
    expect((await weir.gateway.client.quota.verify()).open_holds).toBe(0)
  }
  beforeAll(async () => {
    weir = await openTestGateway()
    await weir.set('RetryTimes', 0)
    await weir.set('AutomaticDisableChannelEnabled', false)
    for (const { type, model } of makers) await weir.addChannel({ type, models: model })
    // Nothing is ever charged here, so that one of each is enough.
    ada = await weir.addCaller({ quota })
    poor = await weir.addCaller({ quota: 0 })
  }, 60_000)
  afterAll(() => weir.close())
  describe.each(clients)('$name', (client) => {
    it('the refusals of every maker', async () => {
      const wrong = await listFailures(listRefusals(client), nameRefusal, async ({ maker, failing, streamed }) => {
        weir.upstream.requests.length = 0
        weir.upstream.reply(maker.fail(failing))
        const told = await raised(client, setupOf(maker, streamed))
        expect(told.status).toBe(statusOf(maker, failing))
        // In one and the same format the maker's own words are all there is.
        const own = { chat: 'OpenAI', responses: 'OpenAI', messages: 'Anthropic', gemini: 'Gemini' }[client.speaks]
        const coded = failing === 'too long' && (own === 'OpenAI' || own !== maker.name)
        expectKind(client, told, coded ? 'context_length_exceeded' : undefined)
        // Its own clients look for these words.
        if (failing === 'too long' && client.speaks === 'messages') {
          expect(told.body.error.message).toMatch(/^prompt is too long/)
        }
        expect(weir.upstream.requests).toHaveLength(1)
        await untouched()
      })
      expect(wrong).toEqual([])
    })

    // In `npm test` every second client is asked for whole answers here.
    it.each(runsAllTests ? streamings : [clients.indexOf(client) % 2 === 0])(
      'a bad key, no quota, an unknown model, too many requests, too large a request (streamed: %s)',
      async (streamed) => {
        const [maker] = makers as [Maker]
        const setup = setupOf(maker, streamed)
        const ask = async (changed: Partial<Setup>, status: number, code?: string) => {
          const told = await raised(client, { ...setup, ...changed })
          expect(told.status).toBe(status)
          expectKind(client, told, code)
        }
        await ask({ key: `sk-${'x'.repeat(48)}` }, 401)
        await ask({ key: poor.key }, 403, 'insufficient_user_quota')
        await ask({ model: 'nobody-knows-it' }, 404, 'model_not_found')
        const slow = await weir.addCaller({ quota, token: { requests_per_minute: 1 } })
        weir.upstream.reply(maker.fail('bad request'))
        await raised(client, { ...setup, key: slow.key })
        await ask({ key: slow.key }, 429, 'rate_limit_exceeded')
        await weir.set('SensitiveWords', 'Hello')
        await ask({}, 400, 'sensitive_words_detected')
        await weir.set('SensitiveWords', '')
        await untouched()
        await untouched(poor, 0)
      },
    )
  })
})
