// Streams never lie, to no client on no maker: one that breaks once it has begun raises, wherever and however it breaks,
// one that fails before it says anything goes on elsewhere unseen, and pings are neither content nor in the way.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Setup } from '../support/clients/client.ts'
import { doors, type Door } from '../support/clients/doors.ts'
import { clients } from '../support/clients/index.ts'
import { openTestGateway, type Caller, type TestGateway } from '../support/gateway.ts'
import { makers } from '../support/makers/index.ts'
import { halves, type Maker } from '../support/makers/maker.ts'
import type { Answerer, ReceivedRequest, TestReply } from '../support/upstream.ts'

const TEXT = 'It is clear and 4 °C 🌤 today.'
const quota = 1_000_000_000_000
const [FIRST = ''] = halves(TEXT)

const ways: Door[] = [...clients, ...doors]

/** Makers are told apart by what they are asked at. */
const makerOf = ({ path }: ReceivedRequest): Maker =>
  makers[path.includes('generateContent') || path.includes('GenerateContent') ? 2 : path === '/v1/messages' ? 1 : 0]!

const told: Answerer = (request) => makerOf(request).say({ text: TEXT }, request)

/** The reply's events up to the one that says why it ended. */
function unfinished(reply: TestReply): string[] {
  const chunks = (reply.chunks ?? []) as string[]
  const finish = chunks.findIndex((chunk) =>
    /"finish_reason":"|"finishReason":"|response\.completed|message_delta/.test(chunk),
  )
  return chunks.slice(0, finish)
}

/** The key of the channels that a call meets first. */
const FIRST_KEY = 'upstream-key-of-the-first'

const saysSomething = (chunks: readonly unknown[]): boolean => chunks.join('').includes(FIRST)

const pairs = ways.flatMap((way) => makers.map((maker) => ({ way, maker, made: maker.name })))

describe('the stream of', () => {
  let weir: TestGateway & { clean(): Promise<void> }
  let ada: Caller
  const setupOf = (maker: Maker): Setup => ({ url: weir.url, key: ada.key, model: maker.model, streamed: true })
  const spent = async () => quota - (await ada.balances()).quota
  /** Asked of all makers at once by every client; the names of those for whom it is not as told. */
  const others = async (holds: (way: Door, maker: Maker) => Promise<boolean>) => {
    const held = await Promise.all(
      pairs.map(async ({ way, maker }) => ((await holds(way, maker)) ? [] : [`${way.name} on ${maker.name}`])),
    )
    return held.flat()
  }
  beforeAll(async () => {
    weir = await openTestGateway()
    await weir.set('channels.cooldown_failures', 0)
    await weir.set('relay.idle_timeout_seconds', 1)
    for (const { type, model } of makers) {
      // The first of two is always asked first.
      await weir.addChannel({ type, models: model, key: FIRST_KEY, priority: 1 })
      await weir.addChannel({ type, models: model })
    }
    ada = await weir.addCaller({ quota })
  }, 60_000)
  afterAll(() => weir.close())
  beforeEach(() => {
    weir.upstream.requests.length = 0
  })

  it.each(pairs)(
    '$way.name on $made raises wherever it breaks, and what was said is charged',
    async ({ way, maker }) => {
      let whole: string[] = []
      weir.upstream.reply((request) => {
        const reply = maker.say({ text: TEXT }, request)
        whole = unfinished(reply)
        return reply
      })
      expect(await way.ask(setupOf(maker))).toBe(TEXT)
      expect(saysSomething(whole)).toBe(true)

      for (let length = 1; length <= whole.length; length++) {
        const chunks = whole.slice(0, length)
        for (const reply of [{ chunks }, { chunks, reset: length }, { chunks: [...chunks, maker.failureEvent] }]) {
          const before = await spent()
          const asked = weir.upstream.requests.length
          weir.upstream.reply(reply)
          await expect(way.ask(setupOf(maker)), `${length} events, ${Object.keys(reply).join()}`).rejects.toThrow()
          const said = saysSomething(chunks)
          expect((await spent()) > before, 'charged').toBe(said)
          // Once something was said, nobody else is asked.
          expect(weir.upstream.requests.length - asked).toBe(said ? 1 : 2)
        }
      }
      expect((await weir.gateway.client.quota.verify()).open_holds).toBe(0)
    },
  )

  it('every pair raises when it falls silent', async () => {
    weir.upstream.reply((request, turn) => {
      const chunks = unfinished(told(request, turn) as TestReply)
      return { chunks, stall: chunks.length }
    })
    expect(
      await others((way, maker) =>
        way.ask(setupOf(maker)).then(
          () => false,
          () => true,
        ),
      ),
    ).toEqual([])
  })

  it.each<[string, (request: ReceivedRequest, maker: Maker) => TestReply]>([
    ['is refused', (_, maker) => maker.fail('overloaded')],
    ['is reset', () => ({ reset: 'before_head' })],
    ['ends after what only opens it', (request, maker) => ({ chunks: opening(request, maker) })],
    [
      'fails after what only opens it',
      (request, maker) => ({ chunks: [...opening(request, maker), maker.failureEvent] }),
    ],
    ['says nothing', (request, maker) => ({ chunks: opening(request, maker), stall: 0 })],
  ])('every pair goes on elsewhere, unseen, when it %s', async (what, failing) => {
    let failed = 0
    weir.upstream.reply((request, turn) => {
      if (!JSON.stringify(request.headers).includes(FIRST_KEY)) return told(request, turn)
      failed += 1
      return failing(request, makerOf(request))
    })
    expect(await others(async (way, maker) => (await way.ask(setupOf(maker)).catch(String)) === TEXT)).toEqual([])
    // A kept connection that ends before the head may have been stale: such a call is tried anew once, at the same channel.
    const most = what === 'is reset' ? 2 * pairs.length : pairs.length
    expect(failed >= pairs.length && failed <= most, String(failed)).toBe(true)
  })

  it('every pair is kept alive by pings, which no client takes for content, and which do not end the search', async () => {
    await weir.set('relay.idle_timeout_seconds', 20)
    await weir.set('general_setting.ping_interval_enabled', true)
    await weir.set('general_setting.ping_interval_seconds', 1)
    const tried = new Map<string, number>()
    weir.upstream.reply((request, turn) => {
      // Half of the calls meet a failure first, behind a ping.
      const asker = JSON.stringify([request.path, request.json])
      const times = (tried.get(asker) ?? 0) + 1
      tried.set(asker, times)
      const late = { latency_ms: 1200 }
      return times === 1
        ? { ...makerOf(request).fail('overloaded'), ...late }
        : { ...(told(request, turn) as TestReply), ...late }
    })
    expect(await others(async (way, maker) => (await way.ask(setupOf(maker)).catch(String)) === TEXT)).toEqual([])
  })
})

/** What a stream says before its first content. */
function opening(request: ReceivedRequest, maker: Maker): string[] {
  const chunks = unfinished(maker.say({ text: TEXT }, request))
  return chunks.slice(
    0,
    chunks.findIndex((chunk) => chunk.includes(FIRST)),
  )
}
