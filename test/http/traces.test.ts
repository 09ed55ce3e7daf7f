// Traces of calls as a collector hears them: one span of the call, one of each attempt, and providers who are told of theirs.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { TelemetryExporters } from '../../core/adapters/telemetry/telemetry.ts'
import { describeWithOwnGateway, eventually, UPSTREAM_KEY } from '../support/gateway.ts'
import { startCollector, type Collector, type HeardSpan } from '../support/otlp.ts'
import { created, describeRealtime, done, seen } from '../support/realtime-session.ts'
import { send } from '../support/server.ts'
import { tellTo } from '../support/telemetry.ts'
import { chatStream } from '../support/upstream.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const asked = { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'other=1,more=2' }
const [SERVER, CLIENT] = [2, 3]
const ERROR = 2

const collector = {} as Collector
let telemetry: TelemetryExporters
const options = {
  get telemetry() {
    return telemetry
  },
}

beforeAll(async () => {
  Object.assign(collector, await startCollector())
  telemetry = tellTo(collector.url, { told: ['traces'] })
})
afterEach(() => {
  collector.spans.length = 0
  collector.sent.length = 0
})
afterAll(async () => {
  await telemetry.close()
  await collector.close()
})

/** All that was told, as it was sent. */
const said = () => Buffer.concat(collector.sent.map(({ bytes }) => bytes)).toString('latin1')
const callOf = (spans: HeardSpan[]) => spans.find(({ kind }) => kind === SERVER)!
const attemptsOf = (spans: HeardSpan[]) =>
  spans.filter(({ kind }) => kind === CLIENT).sort((a, b) => a.spanId.localeCompare(b.spanId))

describeWithOwnGateway(
  'traces',
  (weir) => {
    it('of a call that one channel refuses and another answers as a stream: who asked, both tries, and each told upstream', async () => {
      const [first, second] = [await weir.addChannel({ priority: 9 }), await weir.addChannel({ priority: 1 })]
      const ada = await weir.addCaller({ quota: 1_000_000 })
      weir.upstream.reply((_, turn) =>
        turn === 0
          ? { status: 503, body: { error: { message: 'a word of the prompt: Hello', code: 'busy' } } }
          : chatStream(['Guten', ' Tag'], { prompt_tokens: 30, completion_tokens: 20 }),
      )
      const answer = await ada.chat({ stream: true, stream_options: { include_usage: true } }, asked)
      const spans = await collector.spansOf(3)
      const call = callOf(spans)
      const tries = attemptsOf(spans)
      expect(call).toMatchObject({
        ...{ traceId: TRACE, parentSpanId: PARENT, name: 'POST /v1/chat/completions', status: 0 },
        attributes: {
          'http.request.method': 'POST',
          'http.route': '/v1/chat/completions',
          'http.response.status_code': 200,
          'gen_ai.operation.name': 'chat',
          'gen_ai.request.model': weir.model,
          'weir.request_id': answer.headers['x-oneapi-request-id'],
          'weir.user.id': ada.user.id,
          'weir.token.id': ada.token.id,
          'weir.attempts': 2,
          'weir.quota': weir.due({ prompt: 30, completion: 20 }),
          'weir.status': 'complete',
        },
        resource: { 'service.name': 'weir', 'service.version': '1.2.3' },
      })
      expect(tries).toMatchObject([
        {
          ...{ name: `chat ${weir.model}`, status: ERROR, message: '', events: [] },
          attributes: {
            'error.type': 'busy',
            'http.response.status_code': 503,
            'gen_ai.provider.name': 'openai',
            'weir.channel.id': first.id,
            'weir.result': 'failed',
          },
        },
        {
          ...{ name: `chat ${weir.model}`, status: 0, events: ['weir.first_content'] },
          attributes: {
            'gen_ai.request.model': weir.model,
            'gen_ai.response.model': weir.model,
            'gen_ai.request.stream': true,
            'gen_ai.response.time_to_first_chunk': expect.any(Number),
            'gen_ai.usage.input_tokens': 30,
            'gen_ai.usage.output_tokens': 20,
            'http.request.resend_count': 1,
            'weir.channel.id': second.id,
            'weir.result': 'answered',
          },
        },
      ])
      for (const each of tries) {
        expect(each).toMatchObject({ traceId: TRACE, parentSpanId: call.spanId })
        expect(each.start).toBeGreaterThanOrEqual(call.start)
        expect(each.end).toBeLessThanOrEqual(call.end)
      }
      expect(weir.upstream.requests.map(({ headers }) => [headers.traceparent, headers.tracestate])).toEqual(
        tries.map(({ spanId }) => [`00-${TRACE}-${spanId}-01`, asked.tracestate]),
      )
      const sent = said()
      for (const secret of [UPSTREAM_KEY, ada.key, ada.user.username, 'Hello', 'Guten', 'a word of']) {
        expect(sent).not.toContain(secret)
      }
    })

    it('of a caller who says that it keeps none: none is sent, and the provider is told so', async () => {
      await weir.addChannel()
      const ada = await weir.addCaller({ quota: 1_000_000 })
      await ada.chat({}, { traceparent: `00-${TRACE}-${PARENT}-00` })
      await ada.chat({}, asked)
      await collector.spansOf(2)
      expect(collector.spans.map(({ parentSpanId }) => parentSpanId)).toContain(PARENT)
      expect(collector.spans).toHaveLength(2)
      expect(weir.upstream.requests[0]!.headers.traceparent).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`))
    })

    it.each([
      ['none', undefined],
      ['a version that never was', `ff-${TRACE}-${PARENT}-01`],
      ['letters that are large', asked.traceparent.toUpperCase()],
      ['a trace of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
      ['a parent of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
      ['more than the version has', `${asked.traceparent}-more`],
      ['a word', 'traceparent'],
      ['two at once', `${asked.traceparent}, ${asked.traceparent}`],
    ])('begin anew where a caller names %s', async (_, traceparent) => {
      await weir.addChannel()
      const ada = await weir.addCaller({ quota: 1_000_000 })
      await ada.chat({}, { ...(traceparent ? { traceparent } : {}), tracestate: 'other=1' })
      const call = callOf(await collector.spansOf(2))
      expect(call.parentSpanId).toBe('')
      expect(call.traceId).toMatch(/^[0-9a-f]{32}$/)
      expect(call.traceId).not.toBe(TRACE)
      const { headers } = weir.upstream.requests[0]!
      expect(headers.traceparent).toContain(call.traceId)
      expect(headers.tracestate).toBeUndefined()
    })

    it('of refusals: why, and no provider was asked', async () => {
      const ada = await weir.addCaller({ quota: 0 })
      await weir.addChannel()
      await ada.chat({}, asked)
      await send('POST', `${weir.url}/v1/models/a-secret-name:generateContent?key=sk-secret`, { body: {} })
      const spans = await collector.spansOf(2)
      expect(spans.find(({ traceId }) => traceId === TRACE)).toMatchObject({
        ...{ kind: SERVER, parentSpanId: PARENT, status: 0 },
        attributes: { 'weir.status': 'refused', 'http.response.status_code': 403 },
      })
      expect(spans.find(({ traceId }) => traceId !== TRACE)).toMatchObject({
        name: 'POST /v1/models/{model}:generateContent',
        attributes: { 'http.response.status_code': 401 },
      })
      expect(said()).not.toContain('secret')
      expect(weir.upstream.requests).toEqual([])
    })

    it('of a call that no channel could serve: its status is the fault of the server', async () => {
      await weir.set('RetryTimes', 0)
      await weir.addChannel()
      const ada = await weir.addCaller({ quota: 1_000_000 })
      weir.upstream.reply({ status: 500, body: { error: { message: 'no' } } })
      await ada.chat({}, asked)
      const spans = await collector.spansOf(2)
      expect(callOf(spans)).toMatchObject({ status: ERROR, attributes: { 'weir.status': 'failed' } })
      expect(attemptsOf(spans)).toMatchObject([{ status: ERROR, attributes: { 'http.response.status_code': 500 } }])
    })

    it('of a caller who hangs up in the middle of a stream', async () => {
      await weir.addChannel()
      const ada = await weir.addCaller({ quota: 1_000_000 })
      weir.upstream.reply(chatStream(['Guten', ' Tag'], undefined, { stall: 2 }))
      const gone = new AbortController()
      const response = await fetch(`${weir.url}/v1/chat/completions`, {
        ...{ method: 'POST', signal: gone.signal },
        headers: { authorization: `Bearer ${ada.key}`, 'content-type': 'application/json', ...asked },
        body: JSON.stringify({ model: weir.model, stream: true, messages: [{ role: 'user', content: 'Hello' }] }),
      })
      await response.body!.getReader().read()
      gone.abort()
      const spans = await collector.spansOf(2)
      expect(callOf(spans)).toMatchObject({ traceId: TRACE, attributes: { 'http.response.status_code': 200 } })
      expect(attemptsOf(spans)).toMatchObject([
        {
          parentSpanId: callOf(spans).spanId,
          events: ['weir.first_content'],
          attributes: { 'weir.result': 'answered' },
        },
      ])
    })

    it('of a task that is asked for', async () => {
      await weir.addChannel({ type: 36, models: 'suno_music' })
      await weir.set('ModelPrice', { suno_music: 0.1 })
      const ada = await weir.addCaller({ quota: 1_000_000 })
      weir.upstream.reply({ body: { code: 'success', message: '', data: 'a-task' } })
      const answer = await send('POST', `${weir.url}/suno/submit/music`, {
        headers: { authorization: `Bearer ${ada.key}`, ...asked },
        body: { prompt: 'a song of a weir', mv: 'chirp-v3-0' },
      })
      expect(answer.status).toBe(200)
      const spans = await collector.spansOf(2)
      const [attempt] = attemptsOf(spans)
      expect(callOf(spans)).toMatchObject({
        ...{ traceId: TRACE, parentSpanId: PARENT, name: 'POST /suno/submit/{action}' },
        attributes: { 'gen_ai.operation.name': 'music', 'weir.task.id': expect.any(String) },
      })
      expect(weir.upstream.requests[0]!.headers.traceparent).toBe(`00-${TRACE}-${attempt!.spanId}-01`)
    })
  },
  options,
)

describeRealtime(
  'traces of sessions',
  ({ weir, provider, addChannel, session }) => {
    it('have the line once, and each turn with what it used', async () => {
      await addChannel()
      const ada = await weir.addCaller({ quota: 1_000_000 })
      const { events } = await session(ada, asked)
      for (const id of ['r1', 'r2']) {
        provider.say(created(id))
        provider.say(done(id))
        await eventually(
          () => events.filter(({ type }) => type === 'response.done').length,
          (n) => n === Number(id.slice(1)),
        )
      }
      await seen(events, 'response.done')
      const spans = await collector.spansOf(3)
      const call = callOf(spans)
      const [line, turn] = attemptsOf(spans).sort((a, b) => a.start - b.start || a.spanId.localeCompare(b.spanId))
      expect(call).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, name: 'GET /v1/realtime' })
      const spanIds = [line, turn].map((each) => each!.spanId)
      expect(provider.asked[0]!.headers.traceparent).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-.*-01$/)
      expect(spanIds).toContain(String(provider.asked[0]!.headers.traceparent).split('-')[2])
      for (const each of [line!, turn!]) {
        expect(each).toMatchObject({
          ...{ traceId: TRACE, parentSpanId: call.spanId, name: 'realtime gpt-realtime' },
          attributes: { 'gen_ai.usage.input_tokens': 200, 'gen_ai.usage.output_tokens': 100 },
        })
      }
      expect(spans).toHaveLength(3)
    })
  },
  options,
)
