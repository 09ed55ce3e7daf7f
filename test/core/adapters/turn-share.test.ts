// Attacks by items that weigh nothing in what a provider answers: each kind in its smallest form, read a few at a time.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createUpstream, MAX_LINES_PER_TURN } from '../../../core/adapters/upstream.ts'
import { createFrameParser } from '../../../core/dialects/answers/frames.ts'
import { createAbortSource } from '../../../core/relay/call.ts'

/** Lines and events of a stream, objects a line, messages of AWS's framing. */
const ITEMS: Record<string, Buffer> = {
  ...Object.fromEntries(
    ['\n', '\r', '\r\n', ':\n', ':\n\n', 'data:\n', 'data\n\n', 'event:\n\n', 'id\r\r', '{}\n', '0\n'].map((text) => [
      JSON.stringify(text),
      Buffer.from(text),
    ]),
  ),
  'a message of AWS': Buffer.from([0, 0, 0, 16, ...Array.from({ length: 12 }, () => 0)]),
}
const FLOOD_BYTES = 512 * 1024
/** Of the smallest item that ends no line: 16 bytes. */
const MAX_SHARE_BYTES = 64 * 1024

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A provider's answer: the flood, then its end; the runs in which it is read, by the turn of the event loop. */
async function readFlood(flood: Buffer, how: 'iterated' | 'poured') {
  const server = createServer((_, response) => response.end(flood))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const upstream = createUpstream()
  closing.push(
    () => server.close(),
    () => upstream.close(),
  )
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const limits = { guarded: false, headers_timeout_ms: 5000, idle_timeout_ms: 5000 }
  const { body } = await upstream.send({ method: 'GET', url, headers: {}, ...limits }, createAbortSource().signal)
  let turn = 0
  let reading = true
  const tick = () => {
    turn++
    if (reading) setImmediate(tick)
  }
  setImmediate(tick)
  const runs: { run: Buffer; turn: number }[] = []
  const take = (run: Uint8Array) => runs.push({ run: Buffer.from(run), turn }) > 0
  if (how === 'poured') await body[Symbol.asyncIterator]().drainTo!(take)
  else for await (const run of body) take(run)
  reading = false
  return runs
}

const countLines = (run: Buffer) =>
  Math.max(run.toString('latin1').split('\n').length, run.toString('latin1').split('\r').length) - 1

describe('a flood of', () => {
  for (const [kind, item] of Object.entries(ITEMS)) {
    it(`${kind} is read a few items in each turn of the event loop`, async () => {
      const flood = Buffer.alloc(FLOOD_BYTES, item)
      for (const how of ['iterated', 'poured'] as const) {
        const runs = await readFlood(flood, how)
        expect(Buffer.concat(runs.map(({ run }) => run)).equals(flood), how).toBe(true)
        expect(Math.max(...runs.map(({ run }) => countLines(run))), how).toBeLessThanOrEqual(MAX_LINES_PER_TURN)
        expect(Math.max(...runs.map(({ run }) => run.length)), how).toBeLessThanOrEqual(MAX_SHARE_BYTES)
        // Neighbours have their turns in between.
        const turns = new Set(runs.map((each) => each.turn)).size
        expect(turns, how).toBeGreaterThanOrEqual(runs.length / 8)
      }
    })
  }

  it('lines in one event is refused', () => {
    for (const [line, end] of [
      ['data:\n', '\n'],
      [':\r', '\ry'],
      ['id\r\n', '\r\n'],
    ] as const) {
      const push = (count: number) => createFrameParser().push(new TextEncoder().encode(line.repeat(count) + end))
      expect(() => push(100_000), line).toThrow(/cannot be read/)
      expect(() => push(10_000), line).not.toThrow()
    }
  })
})
