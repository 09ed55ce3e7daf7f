// Callers who hang up at any moment, and charges that cannot be written: the money is right and nothing stays held.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { GatewayError } from '../../../core/errors.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { frames, refusal, streamed, whole } from '../../support/memory-upstream.ts'
import { failingWhile } from '../gateway.ts'
import { openRelay, QUOTA, take, textOf, type Answered, type Relayed } from './calls.ts'

const opened: Relayed[] = []
const open = async (given: Parameters<typeof openRelay>[0] = {}) => {
  const relay = await openRelay(given)
  opened.push(relay)
  return relay
}
afterEach(async () => {
  for (const { gateway } of opened.splice(0)) await gateway.close()
})

const USAGE = { prompt_tokens: 100, completion_tokens: 50 }
const never = () => new Promise<never>(() => undefined)

/** What was charged is what the log says, and nothing else happened to the balance. */
async function charged(relay: Relayed): Promise<number> {
  const [log, ...more] = await relay.logs()
  expect(more).toEqual([])
  expect(await relay.balance()).toBe(QUOTA - (log?.quota ?? 0))
  await relay.settled()
  return log?.quota ?? 0
}

describe('a caller who hangs up', () => {
  test('while a provider is being asked pays nothing, and nobody else is asked', async () => {
    const relay = await open({ channels: [{}, {}] })
    const gone = new AbortController()
    relay.gateway.upstream.reply(() => {
      gone.abort()
      return never()
    })
    const { error, head } = await relay.run({ stream: true }, { signal: gone.signal })
    expect(error).toBeDefined()
    expect(head).toBeUndefined()
    expect(relay.gateway.upstream.requests).toHaveLength(1)
    expect(await charged(relay)).toBe(0)
  })

  test('before a provider is asked pays nothing', async () => {
    const relay = await open()
    const gone = new AbortController()
    gone.abort()
    expect((await relay.run({ stream: true }, { signal: gone.signal })).head).toBeUndefined()
    expect(relay.gateway.upstream.requests).toEqual([])
    expect(await charged(relay)).toBe(0)
  })

  test('between the opening and the first content pays nothing', async () => {
    const relay = await open()
    const gone = new AbortController()
    const waiting = new Promise((resolve) => setTimeout(resolve, 5)).then(() => gone.abort())
    relay.gateway.upstream.reply(streamed(frames.role(), waiting, never()))
    expect((await relay.run({ stream: true }, { signal: gone.signal })).head).toBeUndefined()
    expect(await charged(relay)).toBe(0)
  })

  test('at the end of the tries pays nothing', async () => {
    const relay = await open()
    const gone = new AbortController()
    relay.gateway.upstream.reply(() => {
      gone.abort()
      return refusal(500)
    })
    expect((await relay.run({}, { signal: gone.signal })).error).toBeDefined()
    expect(await charged(relay)).toBe(0)
  })

  /** Pulls until the `count`-th part, then hangs up as the door does: the signal first, then `return`. */
  async function hangUpAfter(relay: Relayed, count: number): Promise<Answered> {
    const gone = new AbortController()
    const generator = relay.begin({ stream: true }, { signal: gone.signal })
    const answered: Answered = { text: '' }
    for (let part = 0; part < count; part += 1) {
      const { value, done } = await generator.next()
      if (done) break
      take(answered, value)
    }
    gone.abort()
    await generator.return()
    return answered
  }

  test.each([1, 2, 3, 4, 5, 6])(
    'after part %i of a stream pays for what came, and the provider is let go',
    async (count) => {
      const relay = await open()
      const texts = ['four score ', 'and seven ', 'years ago ', 'our fathers ']
      relay.gateway.upstream.reply(streamed(frames.role(), ...texts.map(frames.text), never()))
      const { text } = await hangUpAfter(relay, count)
      const quota = await charged(relay)
      const said = texts.filter((each) => text.includes(each)).length
      if (said > 0) {
        const [log] = await relay.logs()
        expect(log).toMatchObject({ type: 2, detail: { estimated: true, cut_short: 'the caller hung up' } })
        expect(quota).toBeGreaterThan(0)
      }
      // "admitted" is the first part, the head the second: what follows is content.
      expect(said).toBe(Math.max(0, count - 2))
    },
  )

  test('pays more, the more came', async () => {
    const quotas: number[] = []
    for (const count of [3, 4, 5]) {
      const relay = await open()
      relay.gateway.upstream.reply(
        streamed(...Array.from({ length: 9 }, () => frames.text('several words at once ')), never()),
      )
      await hangUpAfter(relay, count)
      quotas.push(await charged(relay))
    }
    expect(quotas).toEqual([...quotas].sort((a, b) => a - b))
    expect(new Set(quotas).size).toBe(3)
  })

  /** A stream up to its finish; the rest comes when the test says so. */
  async function finishedStream(rule: string) {
    const relay = await open({ channels: [{ setting: JSON.stringify({ hang_up: rule }) }] })
    let report = (): void => undefined
    const reporting = new Promise<void>((resolve) => (report = resolve))
    const rest = [reporting, frames.usage(CACHED), frames.done()]
    relay.gateway.upstream.reply(streamed(frames.text('Hello'), frames.finish(), ...rest))
    const gone = new AbortController()
    const generator = relay.begin({ stream: true }, { signal: gone.signal })
    let text = ''
    while (!text.includes('"finish_reason":"stop"')) {
      const { value } = await generator.next()
      if (value && 'pieces' in value) text += textOf(value.pieces)
    }
    const left = () => {
      const ending = generator.next().catch(() => undefined)
      gone.abort()
      return Promise.all([ending, generator.return()])
    }
    return { relay, report, left }
  }
  const CACHED = { ...USAGE, prompt_tokens_details: { cached_tokens: 60 } }

  test.each(['auto', 'abort', 'finish'])(
    'once the answer is complete pays what is reported within two seconds, where channels say %s',
    async (rule) => {
      const { relay, report, left } = await finishedStream(rule)
      const over = left()
      relay.gateway.clock.advance(1_900)
      report()
      await over
      // 40 plain, 60 cached at half of it, 50 twice.
      expect(await charged(relay)).toBe(170)
      const [log] = await relay.logs()
      expect(log?.detail).toMatchObject({ cache_tokens: 60 })
      expect(log?.detail).not.toHaveProperty('estimated')
    },
  )

  test.each(['auto', 'abort', 'finish'])(
    'once the answer is complete is let go after two seconds, where channels say %s',
    async (rule) => {
      const { relay, left } = await finishedStream(rule)
      const over = left()
      relay.gateway.clock.advance(2_000)
      await over
      const quota = await charged(relay)
      const [log] = await relay.logs()
      expect(log).toMatchObject({ type: 2, detail: { estimated: true } })
      expect(quota).toBeGreaterThan(0)
    },
  )

  test.each([
    ['finish', { detail: { cache_tokens: 60 }, quota: 170 }],
    ['abort', { detail: { estimated: true, cut_short: 'the caller hung up' } }],
  ])('in the middle of an answer pays what the channel that answers has it cost: %s', async (rule, expected) => {
    const other = rule === 'finish' ? 'abort' : 'finish'
    const relay = await open({
      channels: [other, rule].map((hang_up) => ({ setting: JSON.stringify({ hang_up }) })),
    })
    let goOn = (): void => undefined
    const later = new Promise<void>((resolve) => (goOn = resolve))
    const rest = [later, frames.text(' you'), frames.finish(), frames.usage(CACHED), frames.done()]
    relay.gateway.upstream.reply(({ host }) =>
      host === 'p1.test' ? refusal(500) : streamed(frames.text('Hello'), ...rest),
    )
    const gone = new AbortController()
    const generator = relay.begin({ stream: true }, { signal: gone.signal })
    for (let text = ''; !text.includes('Hello');) {
      const { value } = await generator.next()
      if (value && 'pieces' in value) text += textOf(value.pieces)
    }
    const ending = generator.next().catch(() => undefined)
    // From here on the provider is waited for.
    await new Promise(setImmediate)
    gone.abort()
    if (rule === 'finish') goOn()
    await Promise.all([ending, generator.return()])
    expect(await charged(relay)).toBeGreaterThan(0)
    expect(await relay.logs()).toMatchObject([{ channel: 2, ...expected }])
  })

  test('while the charge is written pays it, once', async () => {
    const relay = await open()
    relay.gateway.upstream.reply(streamed(frames.text('Hello'), frames.finish(), frames.usage(USAGE), frames.done()))
    const gone = new AbortController()
    const generator = relay.begin({ stream: true }, { signal: gone.signal })
    let text = ''
    while (!text.includes('"finish_reason":"stop"')) {
      const { value } = await generator.next()
      if (value && 'pieces' in value) text += textOf(value.pieces)
    }
    const ending = generator.next()
    gone.abort()
    await Promise.all([ending, generator.return()])
    expect(await charged(relay)).toBe(200)
  })

  test('from a whole answer after its charge has paid for it', async () => {
    const relay = await open()
    relay.gateway.upstream.reply(whole('Hello', USAGE))
    const generator = relay.begin()
    for (;;) {
      const { value } = await generator.next()
      if (value && 'head' in value) break
    }
    await generator.return()
    expect(await charged(relay)).toBe(200)
  })
})

describe('the end mark', () => {
  test('leaves only after the charge is durable', async () => {
    const relay = await open()
    relay.gateway.upstream.reply(streamed(frames.text('Hello'), frames.finish(), frames.usage(USAGE), frames.done()))
    for await (const part of relay.begin({ stream: true })) {
      const text = 'pieces' in part ? textOf(part.pieces) : ''
      expect(await relay.balance()).toBe(text.includes('[DONE]') ? QUOTA - 200 : QUOTA)
    }
    expect(await relay.balance()).toBe(QUOTA - 200)
  })

  test('of a provider that waits behind it is not waited for', async () => {
    const relay = await open()
    relay.gateway.upstream.reply(
      streamed(frames.text('Hello'), frames.finish(), frames.usage(USAGE), frames.done(), new Promise(() => undefined)),
    )
    expect((await relay.run({ stream: true })).text).toContain('[DONE]')
    await relay.settled()
  })
})

describe('a charge that cannot be written', () => {
  /** The storage on a disk that is full as long as `full` says so. */
  const onFullDisk = (disk: { full: boolean }) => (storage: Storage) => ({
    ...storage,
    ledger: failingWhile(storage.ledger, () => (disk.full ? new Error('disk full') : undefined)),
  })

  test('ends a stream with an error and no end mark', async () => {
    const disk = { full: false }
    const relay = await open({ wrap: onFullDisk(disk) })
    relay.gateway.upstream.reply(() => {
      disk.full = true
      return streamed(frames.text('Hello'), frames.finish(), frames.usage(USAGE), frames.done())
    })
    const { text, error } = await relay.run({ stream: true })
    // The door makes an error frame of it.
    expect(error).toMatchObject({ message: 'disk full' })
    expect(text).toContain('"content":"Hello"')
    expect(text).not.toContain('[DONE]')
    expect(await relay.balance()).toBe(QUOTA)
  })

  test('lets the end go once the storage that was away is back', async () => {
    const disk = { full: false }
    const relay = await open({
      wrap: (storage) => ({
        ...storage,
        ledger: failingWhile(storage.ledger, () => (disk.full ? new GatewayError('storage.away') : undefined)),
      }),
    })
    relay.gateway.upstream.reply(() => {
      disk.full = true
      return streamed(frames.text('Hello'), frames.finish(), frames.usage(USAGE), frames.done())
    })
    const run = relay.run({ stream: true })
    await vi.waitFor(() => expect(disk.full).toBe(true))
    expect((await relay.run()).error).toMatchObject({ code: 'storage.away' })
    expect(await relay.balance()).toBe(QUOTA)
    disk.full = false
    relay.gateway.clock.advance(2_000)
    expect((await run).text).toContain('[DONE]')
    expect(await relay.balance()).toBe(QUOTA - 200)
    await relay.settled()
  })

  test('keeps a whole answer back', async () => {
    const disk = { full: false }
    const relay = await open({ wrap: onFullDisk(disk) })
    relay.gateway.upstream.reply(() => {
      disk.full = true
      return whole('Hello', USAGE)
    })
    const { text, error, head } = await relay.run()
    expect(error).toBeDefined()
    expect(head).toBeUndefined()
    expect(text).toBe('')
    expect(await relay.balance()).toBe(QUOTA)
  })

  test('does not keep the quota of a call that failed', async () => {
    const disk = { full: false }
    const relay = await open({ wrap: onFullDisk(disk) })
    relay.gateway.upstream.reply(() => {
      disk.full = true
      return refusal(500)
    })
    expect((await relay.run()).error).toBeDefined()
    disk.full = false
    await vi.waitFor(() => relay.settled())
  })
})
