// Recorded streams of many providers reach the caller as they were sent, however the network cut them.
import { beforeAll, describe, expect, it } from 'vitest'
import { describeBothGateways, type Caller, type TestGateway } from '../support/gateway.ts'
import {
  bytesOf,
  cutAt,
  readsOf,
  recordingsHere,
  recordingsOf,
  recordingsTitle,
  type Recording,
} from '../support/recordings.ts'

const END = 'data: [DONE]'

const textOf = (recording: Recording) => Buffer.from(bytesOf(recording)).toString()
const streams = recordingsOf('openai.chat').filter(({ response }) => response.sse && response.status === 200)
/** Providers that broke off with an error event while they were recorded. */
const broken = streams.filter((recording) => /"error":\s*\{/.test(textOf(recording)))
const sound = streams.filter((recording) => !broken.includes(recording))
const named = (recordings: Recording[]) => recordings.map((each) => [`${each.provider}: ${each.id}`, each] as const)

/** The `data:` events of a stream as they stand there, up to its end mark. */
function dataEvents(text: string): string[] {
  const events = text
    .split(/\r?\n\r?\n/)
    .map((event) => event.replace(/^\s+/, ''))
    .filter((event) => event.startsWith('data:'))
  const end = events.findIndex((event) => event.replace(/^data:\s*/, '').trim() === '[DONE]')
  return end < 0 ? events : events.slice(0, end)
}

/** Does an event hold nothing but the usage? */
function isUsageAlone(event: string): boolean {
  const chunk = JSON.parse(event.replace(/^data:\s*/, ''))
  return typeof chunk.usage === 'object' && chunk.usage !== null && (chunk.choices ?? []).length === 0
}

/** What the caller should read of a recording. */
function expected(recording: Recording, asked: boolean): string[] {
  const events = dataEvents(textOf(recording))
  return [...events.filter((event) => asked || !isUsageAlone(event)), END]
}

/** A number from 0 to 1 for each call, always the same ones. */
function chances(seed: number): () => number {
  let state = seed
  return () => (state = (state * 16807) % 2147483647) / 2147483647
}

async function received(weir: TestGateway, ada: Caller, chunks: Uint8Array[], asked: boolean): Promise<string[]> {
  weir.upstream.reply({ headers: { 'content-type': 'text/event-stream' }, chunks })
  const answer = await ada.chat({ stream: true, ...(asked ? { stream_options: { include_usage: true } } : {}) })
  expect(answer.status).toBe(200)
  expect(answer.text.trimEnd().endsWith(END)).toBe(true)
  return [...dataEvents(answer.text), END]
}

describeBothGateways(recordingsTitle('a recorded stream'), (weir) => {
  let ada: Caller
  beforeAll(async () => {
    ada = await weir.addCaller({ quota: 1_000_000_000 })
  })

  describe.skipIf(!recordingsHere)('arrives as it was sent', () => {
    it.each(named(sound))('%s', async (_, recording) => {
      await weir.addChannel()
      const before = await ada.balances()
      const bytes = bytesOf(recording)
      const chance = chances(bytes.length)
      const cuts = () => Array.from({ length: 25 }, () => Math.floor(chance() * bytes.length))
      expect(await received(weir, ada, readsOf(recording), false)).toEqual(expected(recording, false))
      expect(await received(weir, ada, cutAt(bytes, cuts()), false)).toEqual(expected(recording, false))
      expect(await received(weir, ada, cutAt(bytes, cuts()), true)).toEqual(expected(recording, true))

      const [first, ...rows] = (await ada.logs()).slice(0, 3)
      expect(first!.quota).toBeGreaterThan(0)
      expect(rows.map(({ quota }) => quota)).toEqual([first!.quota, first!.quota])
      expect((await ada.balances()).quota).toBe(before.quota - 3 * first!.quota)
    })
  })

  describe.skipIf(!recordingsHere)('that failed never looks complete', () => {
    it.each(named(broken))('%s', async (_, recording) => {
      await weir.addChannel()
      const before = await ada.balances()
      weir.upstream.reply({ headers: { 'content-type': 'text/event-stream' }, chunks: readsOf(recording) })
      const answer = await ada.chat({ stream: true })
      expect(answer.text).not.toContain(END)
      const [row] = await ada.logs()
      const begun = answer.status === 200
      const last = begun
        ? dataEvents(answer.text)
            .at(-1)!
            .replace(/^data:\s*/, '')
        : answer.text
      expect(JSON.parse(last).error.message).toContain(`(request id: ${row!.request_id})`)
      expect(row!.type).toBe(begun ? 2 : 5)
      expect(before.quota - (await ada.balances()).quota).toBe(row!.quota)
      expect(row!.quota > 0).toBe(begun)
    })
  })
})
