// Reported usage counts at any position of an answer, and nothing else after the end does: in every format, native and
// translated, streamed and whole.
import { describe, expect, it } from 'vitest'
import type { Usage } from '../../../core/dialects/answers/usage.ts'
import type { Dialect } from '../../../core/dialects/dialect.ts'
import { anthropicMessages, openaiChat } from '../../../core/index.ts'
import { collectStream } from '../../../core/relay/answers/read-body.ts'
import { readTrailingUsage } from '../../../core/relay/answers/answer.ts'
import { createTranslator } from '../../../core/relay/answers/translate.ts'
import { createFakeClock } from '../../support/clock.ts'
import { callerFormats, streamFormats, USED, wholeStream, type StreamFormat } from '../../support/formats.ts'
import { listFailures } from '../../support/list-failures.ts'

const head = { model: 'm', stream: true, include_usage: true, prompt_estimate: 1 }
const bytes = (text: string) => new TextEncoder().encode(text)
const other = ({ dialect }: StreamFormat): Dialect => (dialect === openaiChat ? anthropicMessages : openaiChat)

/** A provider's frames with its report in another place; formats whose report is part of their end have it there anyway. */
const reporting = streamFormats.filter(({ dialect }) => dialect.name !== 'library-ask')
const apart = reporting.filter(({ usage }) => usage !== '')
const places: Record<string, (format: StreamFormat) => string> = {
  'before the end': wholeStream,
  twice: (format) => wholeStream({ ...format, usage: format.usage + format.usage }),
  'in the frame of a failure': ({ opening, texts, failure }) => opening + texts[0] + failure(true),
  'behind a failure': ({ opening, texts, failure, usage, end }) => opening + texts[0] + failure() + (usage || end),
}
const behind: Record<string, (format: StreamFormat) => string> = {
  'behind the end': (format) => wholeStream({ ...format, usage: '' }) + format.usage,
  'behind the end, without a blank line': (format) => (wholeStream({ ...format, usage: '' }) + format.usage).trimEnd(),
}

const counted = (usage: Usage | undefined) => usage && { input: usage.input, output: usage.output }

/** All that watching the runs of a stream tells of its usage, last of all. */
function watched(watcher: ReturnType<typeof createTranslator>, stream: string, cut: number): Usage | undefined {
  const all = bytes(stream)
  const seen = [watcher.look(all.subarray(0, cut)), watcher.look(all.subarray(cut)), watcher.close()]
  return seen.findLast(({ usage }) => usage)?.usage
}

describe.each(reporting.map((format) => [format.dialect.name, format] as const))('a report in %s', (_, format) => {
  const told = { ...places, ...(apart.includes(format) ? behind : {}) }
  it('counts wherever it stands', async () => {
    const failures = await listFailures(
      Object.entries(told),
      ([place]) => place,
      ([, write]) => {
        const stream = write(format)
        for (const cut of [0, Math.floor(stream.length / 2), stream.length]) {
          expect(counted(watched(createTranslator(format.dialect, other(format), head), stream, cut))).toEqual(USED)
          const own = callerFormats.find(({ name }) => name === format.dialect.name)
          if (own) expect(counted(watched(own.watcher(head), stream, cut))).toEqual(USED)
        }
      },
    )
    expect(failures).toEqual([])
  })

  it('counts where a stream is gathered to a whole answer, also beside a failure', async () => {
    const gather = (stream: string) => collectStream(bodyOf([stream]), format.dialect, createFakeClock())
    expect(counted((await gather(wholeStream(format))).usage)).toEqual(USED)
    const failed = await gather(places['in the frame of a failure']!(format)).catch((error: unknown) => error)
    expect(counted((failed as { usage?: Usage }).usage)).toEqual(USED)
    expect(failed).toMatchObject({ name: 'AttemptError' })
  })
})

async function* bodyOf(runs: string[]): AsyncGenerator<Uint8Array> {
  for (const run of runs) yield bytes(run)
}

describe('behind its end', () => {
  const usage: Usage = {
    ...{ input: 1, cache_read: 0, cache_write: 0, cache_write_1h: 0 },
    output: 1,
    reasoning: 0,
    source: 'reported',
  }
  const later = { ...usage, output: 9 }
  const runs = (some: string[], over = false) => {
    const body = bodyOf(some)
    return { isExhausted: () => over, next: () => body.next() }
  }
  const hear = { in: (run: Uint8Array) => (run.length === 1 ? later : undefined) }

  it('a provider is heard as long as it goes on, within bounds', async () => {
    const clock = createFakeClock()
    expect(await readTrailingUsage(runs(['…', 'x']), usage, hear, clock)).toBe(later)
    expect(await readTrailingUsage(runs(['…'.repeat(64 * 1024), 'x']), usage, hear, clock)).toBe(usage)
    expect(await readTrailingUsage(runs(['x'], true), usage, hear, clock)).toBe(usage)
  })

  it('one that never hangs up holds nobody', async () => {
    const clock = createFakeClock()
    const silent = { isExhausted: () => false, next: () => new Promise<never>(() => {}) }
    const heard = readTrailingUsage(silent, undefined, hear, clock)
    clock.advance(1000)
    expect(await heard).toBeUndefined()
  })

  it('one that breaks off has said what it said', async () => {
    const broken = { isExhausted: () => false, next: () => Promise.reject(new Error('reset')) }
    expect(await readTrailingUsage(broken, usage, hear, createFakeClock())).toBe(usage)
  })
})
