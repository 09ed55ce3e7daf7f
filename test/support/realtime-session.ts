// Realtime sessions for tests: the official client on a whole Weir, with a provider that does as it is told.
import { once } from 'node:events'
import { Agent } from 'node:https'
import { connect } from 'node:net'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { Caller } from './caller.ts'
import { describeWithOwnGateway, eventually, type TestGateway } from './gateway.ts'
import type { Json } from './json.ts'
import { startRealtimeUpstream, type RealtimeUpstream } from './realtime-upstream.ts'

export const REALTIME_MODEL = 'gpt-realtime'

/** The official client insists on TLS; what it says is the same without. */
const plain = new Agent()
plain.createConnection = (options) => connect({ host: '127.0.0.1', port: Number((options as { port: number }).port) })

/** What a turn used, as the provider tells it. */
export const turnUsage = (more: object = {}) => ({
  total_tokens: 300,
  input_tokens: 200,
  output_tokens: 100,
  input_token_details: { text_tokens: 120, audio_tokens: 80, cached_tokens: 0 },
  output_token_details: { text_tokens: 40, audio_tokens: 60 },
  ...more,
})
export const done = (id: string, used: unknown = turnUsage(), more: object = {}) => ({
  type: 'response.done',
  event_id: `evt_${id}`,
  response: { id, object: 'realtime.response', status: 'completed', output: [], usage: used, ...more },
})
export const created = (id: string) => ({ type: 'response.created', response: { id, status: 'in_progress' } })

export interface RealtimeWorld {
  weir: TestGateway
  provider: RealtimeUpstream
  addChannel(more?: object): ReturnType<TestGateway['addChannel']>
  /** A session by the official client, with all that it was told. */
  session(
    ada: Caller,
    headers?: Record<string, string>,
  ): Promise<{
    client: OpenAIRealtimeWS
    events: Json[]
    errors: Error[]
    closed: Promise<{ code: number; reason: string }>
  }>
  /** Where a WebSocket of one's own finds the door. */
  address(path?: string): string
}

/** A suite on both databases. */
export function describeRealtime(
  name: string,
  suite: (world: RealtimeWorld) => void,
  options: Parameters<typeof describeWithOwnGateway>[2] = {},
): void {
  describeWithOwnGateway(
    name,
    (weir) => {
      const open: OpenAIRealtimeWS[] = []
      const provider = {} as RealtimeUpstream
      beforeAll(async () => {
        Object.assign(provider, await startRealtimeUpstream())
        afterAll(() => provider.close())
      })
      afterEach(async () => {
        for (const client of open.splice(0)) client.close()
        await eventually(
          () => provider.sockets().length,
          (n) => n === 0,
        )
        provider.session(() => undefined)
        provider.refuse(undefined)
        for (const list of [provider.asked, provider.heard, provider.closed]) list.length = 0
      })
      suite({
        weir,
        provider,
        addChannel: (more = {}) => weir.addChannel({ models: REALTIME_MODEL, base_url: provider.url, ...more }),
        address: (path = `/v1/realtime?model=${REALTIME_MODEL}`) => `${weir.url.replace('http', 'ws')}${path}`,
        async session(ada, headers = {}) {
          const client = new OpenAIRealtimeWS({ model: REALTIME_MODEL, options: { agent: plain, headers } }, ada.openai)
          open.push(client)
          const events: Json[] = []
          const errors: Error[] = []
          client.on('event', (event) => events.push(event))
          client.on('error', (error) => errors.push(error))
          await once(client.socket, 'open')
          const closed = once(client.socket, 'close').then(([code, reason]) => ({ code, reason: String(reason) }))
          return { client, events, errors, closed }
        },
      })
    },
    options,
  )
}

/** Waits for events of a type. */
export const seen = (events: Json[], type: string) =>
  eventually(
    () => events.filter((event) => event.type === type),
    (found) => found.length > 0,
  )
