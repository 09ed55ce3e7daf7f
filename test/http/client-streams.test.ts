// Streams never lie, to no client on no maker: one that breaks once it has begun raises, wherever and however it breaks,
// one that fails before it says anything goes on elsewhere unseen, and pings are neither content nor in the way.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Setup } from '../support/clients/client.ts'
import { doors, type Door } from '../support/clients/doors.ts'
import { clients } from '../support/clients/index.ts'
import type { Caller } from '../support/caller.ts'
import { openTestGateway, type TestGateway } from '../support/gateway.ts'
import { listFailures } from '../support/list-failures.ts'
import { makers } from '../support/makers/index.ts'
import { halves, type Maker } from '../support/makers/maker.ts'
import { runsAllTests } from '../support/suite.ts'
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

/**
 * The ways on the makers: all pairs in `npm run test:all`. In `npm test` each way meets one maker, and another one in the next
 * turn.
 */
const listPairs = (turn: number) =>
  ways.flatMap((way, place) =>
    makers
      .filter((_, index) => runsAllTests || index === (place + turn) % makers.length)
      .map((maker) => ({ way, maker })),
  )

describe('the stream of', () => {
  let weir: TestGateway & { clean(): Promise<void> }
  let ada: Caller
  const setupOf = (maker: Maker): Setup => ({ url: weir.url, key: ada.key, model: maker.model, streamed: true })
  const spent = async () => quota - (await ada.balances()).quota
  /** Asks of all pairs at once; returns the names of those for which it does not hold. */
  const listWrong = async (
    pairs: ReturnType<typeof listPairs>,
    holds: (way: Door, maker: Maker) => Promise<boolean>,
  ) => {
    const wrong = await Promise.all(
      pairs.map(async ({ way, maker }) => ((await holds(way, maker)) ? [] : [`${way.name} on ${maker.name}`])),
    )
    return wrong.flat()
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

  it.each(ways)('$name raises wherever it breaks, and what was said is charged', async (way) => {
    const failures = await listFailures(
      makers,
      ({ name }) => name,
      async (maker) => {
        let whole: string[] = []
        weir.upstream.reply((request) => {
          const reply = maker.say({ text: TEXT }, request)
          whole = unfinished(reply)
          return reply
        })
        expect(await way.ask(setupOf(maker))).toBe(TEXT)
        expect(saysSomething(whole)).toBe(true)

        for (const { chunks, reply } of listBreaks(way, maker, whole)) {
          const before = await spent()
          const asked = weir.upstream.requests.length
          weir.upstream.reply(reply)
          await expect(
            way.ask(setupOf(maker)),
            `${chunks.length} events, ${Object.keys(reply).join()}`,
          ).rejects.toThrow()
          const said = saysSomething(chunks)
          expect((await spent()) > before, 'charged').toBe(said)
          // Once something was said, nobody else is asked.
          expect(weir.upstream.requests.length - asked).toBe(said ? 1 : 2)
        }
        expect((await weir.gateway.client.quota.verify()).open_holds).toBe(0)
      },
    )
    expect(failures).toEqual([])
  })

  it('every pair raises when it falls silent', async () => {
    weir.upstream.reply((request, turn) => {
      const chunks = unfinished(told(request, turn) as TestReply)
      return { chunks, stall: chunks.length }
    })
    expect(
      await listWrong(listPairs(0), (way, maker) =>
        way.ask(setupOf(maker)).then(
          () => false,
          () => true,
        ),
      ),
    ).toEqual([])
  })

  const failings: [string, (request: ReceivedRequest, maker: Maker) => TestReply][] = [
    ['is refused', (_, maker) => maker.fail('overloaded')],
    ['is reset', () => ({ reset: 'before_head' })],
    ['ends after what only opens it', (request, maker) => ({ chunks: opening(request, maker) })],
    [
      'fails after what only opens it',
      (request, maker) => ({ chunks: [...opening(request, maker), maker.failureEvent] }),
    ],
    ['says nothing', (request, maker) => ({ chunks: opening(request, maker), stall: 0 })],
  ]
  it.each(failings)('every pair goes on elsewhere, unseen, when it %s', async (what, failing) => {
    const pairs = listPairs(failings.findIndex(([name]) => name === what))
    let failed = 0
    weir.upstream.reply((request, turn) => {
      if (!JSON.stringify(request.headers).includes(FIRST_KEY)) return told(request, turn)
      failed += 1
      return failing(request, makerOf(request))
    })
    expect(
      await listWrong(pairs, async (way, maker) => (await way.ask(setupOf(maker)).catch(String)) === TEXT),
    ).toEqual([])
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
    expect(
      await listWrong(listPairs(1), async (way, maker) => (await way.ask(setupOf(maker)).catch(String)) === TEXT),
    ).toEqual([])
  })
})

interface Break {
  chunks: string[]
  reply: TestReply
}

/**
 * The ways in which a stream breaks: it ends, is reset or reports a failure behind each of its events. `npm test` takes its
 * first event, the first with content and the last, and one of the three ways behind each, in turns, so that the makers and
 * the clients together play all of them.
 */
function listBreaks(way: Door, maker: Maker, whole: string[]): Break[] {
  const lengths = whole.map((_, index) => index + 1)
  const content = lengths.find((length) => saysSomething(whole.slice(0, length)))
  const played = runsAllTests ? lengths : lengths.filter((length) => [1, content, whole.length].includes(length))
  const turn = ways.indexOf(way) + makers.indexOf(maker)
  return played.flatMap((length, index) => {
    const chunks = whole.slice(0, length)
    const replies = [{ chunks }, { chunks, reset: length }, { chunks: [...chunks, maker.failureEvent] }]
    return replies
      .filter((_, kind) => runsAllTests || kind === (turn + index) % replies.length)
      .map((reply) => ({ chunks, reply }))
  })
}

/** What a stream says before its first content. */
function opening(request: ReceivedRequest, maker: Maker): string[] {
  const chunks = unfinished(maker.say({ text: TEXT }, request))
  return chunks.slice(
    0,
    chunks.findIndex((chunk) => chunk.includes(FIRST)),
  )
}
