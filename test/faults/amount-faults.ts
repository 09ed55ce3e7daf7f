// Faults in the amount and in the reported usage of an answer, and answers of other statuses.
import {
  answer,
  chunked,
  chunkedHead,
  DONE,
  event,
  FINISH,
  firstHalf,
  HTML,
  json,
  OPENING,
  OVERLOADED,
  reply,
  replying,
  rightPieces,
  sayChunks,
  stream,
  telling,
  USAGE,
  usageEvent,
} from './answers.ts'
import {
  cut,
  failing,
  fault,
  harmless,
  midway,
  refused,
  SILENT,
  UNREADABLE,
  WAITS,
  whole,
  type Fault,
  type Outcome,
} from './fault.ts'
import type { Behaviour } from './wire.ts'

const LIMIT = json({ error: { message: 'Rate limit reached', type: 'requests', code: 'rate_limit_exceeded' } })
const BAD_KEY = json({
  error: { message: 'Incorrect API key', type: 'invalid_request_error', code: 'invalid_api_key' },
})
const endless = (piece: string | Uint8Array, start: (streamed: boolean) => string): Behaviour =>
  async function forever(wire, streamed) {
    await wire.say(start(streamed))
    while (!wire.gone()) await wire.say(chunked(piece))
  }
const BLOCK = 'x'.repeat(64 * 1024)

export const amountFaults: Fault[] = [
  fault(
    'sends comments without end',
    { stream: SILENT, plain: WAITS },
    endless(': wait\n\n', () => chunkedHead(true)),
    { rescued: { stream: true, plain: false } },
  ),
  failing(
    'sends an event without end',
    UNREADABLE,
    endless('x'.repeat(1024 * 1024), () => `${chunkedHead(true)}5\r\ndata:\r\n`),
    { slow: true },
  ),
  failing(
    'sends an error page without end',
    refused(500, 'bad_response_status_code'),
    endless(BLOCK, () => chunkedHead(false, '500 Internal Server Error')),
  ),
  harmless(
    'reports no usage',
    telling((streamed) => rightPieces(streamed, null)),
    'estimate',
  ),
  harmless(
    'reports zeros beside its text',
    telling((streamed) => rightPieces(streamed, { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 })),
    'estimate',
  ),
  harmless(
    'reports negative usage',
    telling((streamed) => rightPieces(streamed, { prompt_tokens: -5, completion_tokens: -7, total_tokens: -12 })),
    'estimate',
  ),
  harmless(
    'reports usage in words',
    telling((streamed) => rightPieces(streamed, { prompt_tokens: 'many', completion_tokens: null, total_tokens: [] })),
    'estimate',
  ),
  harmless(
    'reports more than any model can',
    telling((streamed) =>
      rightPieces(streamed, { prompt_tokens: 1e15, completion_tokens: 1e300, total_tokens: 9e307 }),
    ),
    'cut report',
  ),
  fault(
    'reports its usage twice',
    { stream: whole(), plain: whole() },
    telling((streamed) =>
      streamed
        ? [
            ...stream(null).slice(0, -2),
            FINISH,
            usageEvent({ prompt_tokens: 1, completion_tokens: 1 }),
            usageEvent(USAGE),
            DONE,
          ]
        : [answer()],
    ),
  ),
]

/** A failure beside which something was used. */
const FAILED = { error: { message: 'overloaded', type: 'server_error', code: 'overloaded' } }
const paid = (outcome: Outcome): Outcome => ({ ...outcome, charged: 'report' })

export const reportFaults: Fault[] = [
  harmless(
    'reports its usage behind the end mark',
    telling((streamed) => (streamed ? [...stream(null), usageEvent(USAGE)] : [answer()]), 20),
  ),
  harmless('reports its usage behind the end mark, and stays', async (wire, streamed) => {
    if (!streamed) return wire.say(reply('200 OK', 'application/json', answer()))
    await wire.say(chunkedHead(true))
    await sayChunks(wire, [...stream(null), usageEvent(USAGE)])
    await wire.stall()
  }),
  harmless(
    'reports another usage behind the end mark',
    telling((streamed) =>
      streamed
        ? [...stream({ prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }), usageEvent(USAGE)]
        : [answer()],
    ),
  ),
  midway(
    'reports its usage in the event of an error',
    paid(cut('overloaded')),
    paid(refused(502, 'overloaded')),
    telling((streamed) =>
      streamed ? [...firstHalf(true), event({ ...FAILED, usage: USAGE })] : [json({ ...FAILED, usage: USAGE })],
    ),
  ),
  midway(
    'reports its usage behind an error',
    paid(cut('overloaded')),
    paid(refused(502, 'overloaded')),
    telling(
      (streamed) =>
        streamed ? [...firstHalf(true), event(FAILED), usageEvent(USAGE)] : [json({ ...FAILED, usage: USAGE })],
      20,
    ),
  ),
  failing(
    'reports its usage beside an error before it said anything',
    paid(refused(502, 'overloaded')),
    telling((streamed) =>
      streamed ? [OPENING, event(FAILED), usageEvent(USAGE)] : [json({ ...FAILED, usage: USAGE })],
    ),
  ),
  failing(
    'refuses by its status, and reports a usage beside',
    refused(500, 'overloaded'),
    replying('500 Internal Server Error', 'application/json', json({ ...FAILED, usage: USAGE })),
  ),
]

export const statusFaults: Fault[] = [
  failing(
    'answers 429 with Retry-After',
    refused(429, 'rate_limit_exceeded'),
    replying('429 Too Many Requests', 'application/json', LIMIT, 'retry-after: 20'),
    {
      channel: 'cooling',
    },
  ),
  failing(
    'answers 429 without Retry-After',
    refused(429, 'rate_limit_exceeded'),
    replying('429 Too Many Requests', 'application/json', LIMIT),
  ),
  failing(
    'answers 500 with a page of HTML',
    refused(500, 'bad_response_status_code'),
    replying('500 Internal Server Error', 'text/html', HTML),
  ),
  failing(
    'answers 503 with Retry-After',
    refused(503, 'overloaded'),
    replying('503 Service Unavailable', 'application/json', OVERLOADED, 'retry-after: 20'),
    {
      channel: 'cooling',
    },
  ),
  failing('answers 401', refused(401, 'invalid_api_key'), replying('401 Unauthorized', 'application/json', BAD_KEY), {
    channel: 'off',
  }),
  failing(
    'answers 400',
    refused(400, 'bad_value'),
    replying(
      '400 Bad Request',
      'application/json',
      json({ error: { message: 'no', type: 'invalid_request_error', code: 'bad_value' } }),
    ),
    { rescued: false },
  ),
]
