// Every client library on a channel of every maker, streamed and not: one conversation with a picture, thoughts and two
// calls at once, read in the library's answers and in what reached the maker; and JSON of a given shape.
import { describe, expect, it, beforeAll, afterAll } from 'vitest'
import { clients } from '../support/clients/index.ts'
import type { Client, Question, Reading, Setup } from '../support/clients/client.ts'
import type { Caller } from '../support/caller.ts'
import { openTestGateway, type TestGateway } from '../support/gateway.ts'
import { listFailures } from '../support/list-failures.ts'
import { answering, USAGE, type Maker, type Said } from '../support/makers/maker.ts'
import { makers } from '../support/makers/index.ts'
import { runsAllTests } from '../support/suite.ts'

const quota = 1_000_000_000
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const results: Record<string, string> = { weather: '{"sky":"clear","celsius":4}', local_time: 'noon' }
const question: Question = {
  system: 'Be brief, be kind.',
  text: 'What is the weather here, and the time?',
  png,
  tools: [
    {
      name: 'weather',
      description: 'The weather in a city',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
    {
      name: 'local_time',
      description: 'The time in a zone',
      parameters: {
        type: 'object',
        properties: { zone: { type: 'string', enum: ['CET', 'UTC'] } },
        required: ['zone'],
      },
    },
  ],
  limit: 4000,
  run: (name) => results[name] ?? 'no such function',
}

const calls = [
  { name: 'weather', args: { city: 'Zürich "am See"' } },
  { name: 'local_time', args: { zone: 'CET' } },
]
const first: Said = { thought: 'The picture shows a lake.', text: 'Let me look.', calls }
const second: Said = { thought: 'Clear and noon.', text: 'It is clear, 4 °C, and noon 🕛.' }

const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, size: { type: 'integer' } },
  required: ['city', 'size'],
  additionalProperties: false,
}

/** A client on a maker. */
interface Pair {
  maker: Maker
  streamed: boolean
}

/** The place of a client among those that speak its format. */
const placeInFormat = (client: Client) => clients.filter(({ speaks }) => speaks === client.speaks).indexOf(client)

/**
 * Every maker, streamed and whole. `npm test` takes one of the two for each: the clients of a format take turns, so that both
 * are played for each format and maker.
 */
const listPairs = (client: Client): Pair[] =>
  makers.flatMap((maker, index) =>
    [true, false]
      .filter((streamed) => runsAllTests || streamed === ((index + placeInFormat(client)) % 2 === 0))
      .map((streamed) => ({ maker, streamed })),
  )

/** The makers whose answer another one goes on with: `npm test` takes one of them, a different one for each client of a format. */
const listOthers = (client: Client, maker: Maker): Maker[] => {
  const others = makers.filter(({ name }) => name !== maker.name)
  return runsAllTests ? others : others.slice(placeInFormat(client) % 2).slice(0, 1)
}

const namePair = ({ maker, streamed }: Pair) => `on ${maker.name}, ${streamed ? 'streamed' : 'whole'}`

/**
 * A maker's signature comes back to it, whatever format is in between, from every library that keeps it: Anthropic's
 * with the thought it is of.
 */
const thoughtsBack = (client: Client, maker: Maker): object => {
  const signs = maker.name !== 'OpenAI' || client.speaks === 'responses'
  const text = maker.name === 'Anthropic' ? { text: first.thought } : {}
  return signs && client.returnsThoughts ? { thoughts: [{ ...text, signature: expect.stringMatching(/./) }] } : {}
}

function expected(client: Client, maker: Maker, { thought = '', text = '', calls: called = [], cut }: Said): Reading {
  const { reasoning, ...usage } = USAGE
  const blind = new Set(client.blind)
  return {
    text,
    thought: blind.has('thought') ? '' : thought,
    calls: called,
    finish: client.finishes[cut ? 'length' : called.length > 0 ? 'calls' : 'stop'],
    // Anthropic does not count its thoughts apart.
    usage: { ...usage, ...(blind.has('reasoning') ? {} : { reasoning: maker.name === 'Anthropic' ? 0 : reasoning }) },
  }
}

/** What a test cannot see is no part of the reading. */
const seen = (client: Client, { usage: { reasoning, ...usage }, ...reading }: Reading): Reading => ({
  ...reading,
  thought: client.blind.includes('thought') ? '' : reading.thought,
  usage: client.blind.includes('reasoning') ? usage : { ...usage, reasoning },
})

describe('every client on every maker', () => {
  let weir: TestGateway & { clean(): Promise<void> }
  let ada: Caller
  const setupOf = (maker: Maker, streamed: boolean): Setup => ({
    url: weir.url,
    key: ada.key,
    model: maker.model,
    streamed,
  })
  beforeAll(async () => {
    weir = await openTestGateway()
    await weir.set('RetryTimes', 0)
    for (const { type, model } of makers) await weir.addChannel({ type, models: model })
    ada = await weir.addCaller({ quota })
  }, 60_000)
  afterAll(() => weir.close())
  /** Checks a client on all its makers; lists where it fails. */
  const onEachMaker = (client: Client, check: (pair: Pair) => Promise<void>) =>
    listFailures(listPairs(client), namePair, async (pair) => {
      weir.upstream.requests.length = 0
      await check(pair)
    })

  describe.each(clients)('$name', (client) => {
    it('talks, sees, thinks and calls', async () => {
      const failures = await onEachMaker(client, async ({ maker, streamed }) => {
        weir.upstream.reply(answering(maker, first, second))
        const before = await ada.balances()
        const readings = await client.converse(setupOf(maker, streamed), question)
        expect(readings.map((reading) => seen(client, reading))).toEqual([
          expected(client, maker, first),
          expected(client, maker, second),
        ])

        const [asked, answered] = weir.upstream.requests.map(maker.hear)
        const user = { role: 'user', text: question.text, images: [{ type: 'image/png', data: png }] }
        expect(asked).toMatchObject({
          system: question.system,
          tools: question.tools,
          turns: [user],
          limit: question.limit,
        })
        expect(asked?.thinks).toBe(true)
        const said = { role: 'assistant', text: first.text, calls, ...thoughtsBack(client, maker) }
        const ran = calls.map(({ name }) => ({ name, text: results[name] }))
        expect(answered?.turns).toMatchObject([user, said, { role: 'tool', results: ran }])
        expect(answered).toMatchObject({ system: question.system, tools: question.tools })

        const due = weir.due(
          { prompt: USAGE.prompt, cached: USAGE.cached, completion: USAGE.completion },
          { model: maker.model },
        )
        expect((await ada.logs()).slice(0, 2).map((row) => row.quota)).toEqual([due, due])
        expect((await ada.balances()).quota).toBe(before.quota - 2 * due)
      })
      expect(failures).toEqual([])
    })

    it('hears that an answer was cut off', async () => {
      const failures = await onEachMaker(client, async ({ maker, streamed }) => {
        const cut: Said = { text: 'It is', cut: true }
        weir.upstream.reply(answering(maker, cut))
        const [reading] = await client.converse(setupOf(maker, streamed), question)
        expect(seen(client, reading!)).toEqual(expected(client, maker, cut))
      })
      expect(failures).toEqual([])
    })

    it('gets JSON of a given shape', async () => {
      const failures = await onEachMaker(client, async ({ maker, streamed }) => {
        const place = { city: 'Bern', size: 130_000 }
        weir.upstream.reply((request, turn) => {
          // Some libraries ask for JSON by a function that has to be called.
          const [form] = maker.hear(request).tools
          const said = form ? { calls: [{ name: form.name, args: place }] } : { text: JSON.stringify(place) }
          return answering(maker, said)(request, turn)
        })
        expect(await client.json(setupOf(maker, streamed), 'Which city is this?', schema)).toEqual(place)
        const { schema: asked, tools } = maker.hear(weir.upstream.requests[0]!)
        expect(asked ?? tools[0]?.parameters).toMatchObject({
          properties: schema.properties,
          required: schema.required,
        })
      })
      expect(failures).toEqual([])
    })

    // A model of one maker takes another's place: proofs of thought are good for their own maker alone, who refuses others.
    it('goes on with what another maker said', async () => {
      const failures = await onEachMaker(client, async ({ maker, streamed }) => {
        for (const other of listOthers(client, maker)) {
          // It forgets thoughts that nobody signed, and asks Claude to think on without: Claude's own answer is a refusal.
          if (client.name === 'ai with @ai-sdk/anthropic' && maker.name === 'Anthropic' && other.name === 'OpenAI')
            continue
          weir.upstream.requests.length = 0
          let turn = 0
          const setup = setupOf(other, streamed)
          // After its first answer the client's questions are for this maker.
          Object.defineProperty(setup, 'model', { get: () => (turn === 0 ? other.model : maker.model) })
          weir.upstream.reply((request) =>
            answering(turn++ === 0 ? other : maker, turn === 1 ? first : second)(request, 0),
          )
          const readings = await client.converse(setup, question)
          expect(readings.map(({ text }) => text)).toEqual([first.text, second.text])
          const asked = maker.hear(weir.upstream.requests[1]!)
          expect(asked.turns[1]).toMatchObject({ role: 'assistant', text: first.text, calls })
          expect(JSON.stringify(weir.upstream.requests[1]!.json)).not.toContain('weir')
        }
      })
      expect(failures).toEqual([])
    })
  })
})
