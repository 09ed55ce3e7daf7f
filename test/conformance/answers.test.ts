// Every recorded answer, as Weir writes it for the callers of other formats, is what the vendors of those formats describe:
// whole and streamed, errors, and streams that break. `npm test` plays a part of them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../support/json.ts'
import { coverTraits } from '../support/cover-traits.ts'
import { dataEvents } from '../support/replay.ts'
import { recorded, type TestReply } from '../support/upstream.ts'
import { cases, refusals, type Case } from './cases.ts'
import { openWorld, type World } from './channels.ts'
import { throughWeir } from './check.ts'
import { cut, cutInside, eventsOf, garbled } from './faults.ts'
import { faultsIn, responseFaults, responseStreamFaults } from './descriptions/check.ts'

/** What is wrong with what a caller of a format gets: a whole answer, the events of a stream, an error. */
interface Described {
  whole(answer: Json): string[]
  /** `isOwn`: the provider speaks the format itself. */
  stream(events: readonly Json[], isOwn: boolean): string[]
  error(answer: Json): string[]
}

const DESCRIBED: Readonly<Record<string, Described>> = {
  'OpenAI chat': {
    whole: (answer) => faultsIn('openai', 'CreateChatCompletionResponse', answer),
    stream: (events) =>
      events.flatMap((event) =>
        event.error
          ? faultsIn('openai', 'ErrorResponse', event)
          : faultsIn('openai', 'CreateChatCompletionStreamResponse', event),
      ),
    error: (answer) => faultsIn('openai', 'ErrorResponse', answer),
  },
  'OpenAI Responses': {
    whole: responseFaults,
    stream: responseStreamFaults,
    error: (answer) => faultsIn('openai', 'ErrorResponse', answer),
  },
  'Anthropic Messages': {
    whole: (answer) => faultsIn('anthropic', 'Message', answer),
    stream: (events) =>
      events.flatMap((event) =>
        faultsIn('anthropic', event.type === 'error' ? 'ErrorResponse' : 'RawMessageStreamEvent', event),
      ),
    error: (answer) => faultsIn('anthropic', 'ErrorResponse', answer),
  },
  Gemini: {
    whole: (answer) => faultsIn('gemini', 'GenerateContentResponse', answer),
    stream: (events) =>
      events.flatMap((event) => faultsIn('gemini', event.error ? 'ErrorResponse' : 'GenerateContentResponse', event)),
    error: (answer) => faultsIn('gemini', 'ErrorResponse', answer),
  },
}

interface Answered extends Pick<Case, 'client' | 'model'> {
  isOwn: boolean
  name: string
  traits: readonly string[]
  streamed: boolean
  reply: TestReply
  place: Case['place']
}

const nameOf = ({ recording, client }: Case): string => `${recording.provider} ${recording.id} to ${client.name}`
const isForeign = ({ own, client }: Case): boolean => own !== client && DESCRIBED[client.name] !== undefined

const whole = [...cases.filter(isForeign), ...refusals.filter(({ client }) => DESCRIBED[client.name])].flatMap((one) =>
  [false, true].map((streamed): Answered => ({
    ...one,
    streamed,
    isOwn: false,
    name: `${nameOf(one)}${streamed ? ', streamed' : ''}`,
    reply: recorded(one.recording),
    traits: [
      `${one.own.name} to ${one.client.name}, ${streamed ? 'streamed' : 'whole'}, ${one.recording.response.status}`,
      ...one.recording.features.map((feature) => `${feature} to ${one.client.name}`),
    ],
  })),
)

const FAULTS = {
  'ends behind its first event': (one: Case) => cut(one, 1, 'end'),
  'is reset in its middle': (one: Case) => cut(one, Math.floor(eventsOf(one).length / 2), 'reset'),
  'ends before its last event': (one: Case) => cut(one, eventsOf(one).length - 1, 'end'),
  'ends inside its last event': (one: Case) => cutInside(one, Buffer.concat(eventsOf(one)).length - 3),
  garbled: (one: Case) => garbled(one, Math.floor(eventsOf(one).length / 3)),
}

const broken = cases
  .filter((one) => DESCRIBED[one.client.name] && one.streamed && one.recording.response.base64 === undefined)
  .filter((one) => isForeign(one) || one.client.name === 'OpenAI Responses')
  .flatMap((one) =>
    // What no JSON can be read of passes as it came.
    Object.entries(FAULTS)
      .filter(([kind]) => isForeign(one) || kind !== 'garbled')
      .map(([kind, make]): Answered => ({
        ...one,
        streamed: true,
        isOwn: !isForeign(one),
        name: `${nameOf(one)}, ${kind}`,
        reply: make(one).reply,
        traits: [`${kind}, ${one.own.name} to ${one.client.name}`],
      })),
  )

const all = [...coverTraits(whole, ({ traits }) => traits), ...coverTraits(broken, ({ traits }) => traits)]
const TIMEOUT_MS = 600_000

/** What is as it should be all the same. */
const EXCUSED: readonly (readonly [RegExp, string])[] = [
  [/delta\.tool_calls\[custom\]\.type/, 'OpenAI streams calls of custom tools, which its description forgets'],
  [/inlineData\.data must match pattern/, 'the recording cuts its picture short'],
]
const isFault = (fault: string): boolean => EXCUSED.every(([excused]) => !excused.test(fault))

describe('answers in the formats of their callers', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(all.map(({ place }) => place))
  }, 120_000)
  afterAll(() => world.close())

  it('are what their vendors describe', { timeout: TIMEOUT_MS }, async () => {
    const faults = new Map<string, string[]>()
    let faulty = 0
    for (const one of all) {
      const found = new Set((await faultsOf(one)).filter(isFault))
      if (found.size > 0) faulty++
      for (const fault of found) faults.set(fault, [...(faults.get(fault) ?? []), one.name])
    }
    const listed = [...faults]
      .sort(([, a], [, b]) => b.length - a.length)
      .map(([fault, names]) => `${names.length} x ${fault} (${names[0]})`)
    expect(listed, `${faulty} of ${all.length} answers`).toEqual([])
  })

  async function faultsOf({ client, model, streamed, isOwn, reply }: Answered): Promise<string[]> {
    world.answer(reply)
    const described = DESCRIBED[client.name]!
    const { url, headers, body } = client.raw(throughWeir(world), model, client.plain, streamed)
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (answer.status !== 200) return described.error(JSON.parse(text))
    if (!streamed) return described.whole(JSON.parse(text))
    const events = dataEvents(text).flatMap(({ data }) => (data === '[DONE]' ? [] : [JSON.parse(data) as Json]))
    return described.stream(events, isOwn)
  }
})
