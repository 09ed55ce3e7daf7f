// `background: true`, with a clock that the test moves: what the caller hears at once, and how a process shows that it
// still works on an answer.
import { afterEach, expect, it, vi } from 'vitest'
import { openaiResponses } from '../../../core/index.ts'
import type { Call } from '../../../core/relay/call.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { MODEL, openRelay, type Relayed } from './calls.ts'

const opened: Relayed[] = []
afterEach(async () => {
  for (const { gateway } of opened.splice(0)) await gateway.close()
})

const answer = {
  ...{ id: 'resp_theirs', object: 'response', status: 'completed', model: MODEL },
  output: [{ type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Done' }] }],
  usage: { input_tokens: 30, output_tokens: 20, total_tokens: 50 },
}
const BEAT_MS = 5_000

/** A gateway whose provider answers once `release` is called, and the tasks of each postponement. */
async function openBackground() {
  const postponed: number[][] = []
  const relay = await openRelay({
    wrap(storage: Storage): Storage {
      const { tasks } = storage
      const postpone: typeof tasks.postpone = (some) => {
        postponed.push(some.map(({ id }) => id))
        return tasks.postpone(some)
      }
      return { ...storage, tasks: { ...tasks, postpone } }
    },
  })
  opened.push(relay)
  const { gateway } = relay
  let release = () => {}
  const gate = new Promise<void>((resolve) => (release = resolve))
  gateway.upstream.reply(async () => {
    await gate
    return { headers: { 'content-type': 'application/json' }, parts: [JSON.stringify(answer)] }
  })
  /** What the caller hears of a new one. */
  async function begin(): Promise<object[]> {
    const body = new TextEncoder().encode(JSON.stringify({ model: MODEL, input: 'Hello', background: true }))
    const given: Partial<Call> = { inbound: openaiResponses, body }
    const heard: object[] = []
    for await (const part of relay.begin({}, given)) heard.push(part)
    return heard
  }
  return { ...relay, postponed, release, begin }
}

it('is no stream: its caller hears the receipt, and then the whole of what there is', async () => {
  const { begin, release, settled, logs } = await openBackground()
  const heard = await begin()
  expect(heard).toMatchObject([
    { admitted: { stream: false, receipt: expect.any(String) } },
    { head: { status: 200, headers: { 'content-type': 'application/json' } }, pieces: [expect.any(Uint8Array)] },
  ])
  release()
  await vi.waitFor(async () => expect(await logs()).toHaveLength(1))
  await settled()
})

it('shows that it is alive once in an interval, however many there are, and no longer when all are over', async () => {
  const { begin, release, settled, postponed, logs, gateway } = await openBackground()
  await begin()
  await begin()
  gateway.clock.advance(BEAT_MS)
  await vi.waitFor(() => expect(postponed).toHaveLength(1))
  expect(postponed[0]).toHaveLength(2)
  release()
  await vi.waitFor(async () => expect(await logs()).toHaveLength(2))
  await settled()
  // The last call is over a moment after its row is there.
  await vi.waitFor(() => {
    postponed.length = 0
    gateway.clock.advance(BEAT_MS)
    expect(postponed).toEqual([])
  })
})
