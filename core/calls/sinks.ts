// Passes the records of finished calls to sinks (metrics, traces, other stores) after the answer. A sink that is too
// slow, or fails, loses records, which are counted; no call waits for it.
import { getThrownText } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { YieldToEventLoop } from '../ports/machine.ts'
import type { Logger } from '../ports/logger.ts'
import type { CallRecord } from './call-record.ts'

export interface CallSink {
  /** The name of the sink in the log and in the counts. */
  name: string
  /** Receives records, the oldest first. The next batch follows once this one is done. */
  take(records: readonly CallRecord[]): void | Promise<void>
  /** Called after the last records: writes everything that the sink has buffered. */
  close?(): void | Promise<void>
}

/** The counts of a sink: records taken, and records dropped because the queue was full or the sink failed. */
export interface SinkCounts {
  taken: number
  dropped: number
}

export interface CallSinkGroup {
  /** Queues the record. Returns nothing and never throws: the call continues at once. */
  enqueue(record: CallRecord): void
  /** Returns the counts by the name of the sink. */
  counts(): Record<string, SinkCounts>
  /** Passes on the waiting records and stops. Waits for each sink at most `ms`. */
  close(ms?: number): Promise<void>
}

/** Records that wait for a sink; beyond it new ones are dropped. */
const MOST_WAITING = 10_000
/** One of this many dropped records is logged. */
const TOLD_EVERY = 1_000
const CLOSE_MS = 1_000

interface SinksPorts {
  clock: Clock
  logger: Logger
  yieldToEventLoop?: YieldToEventLoop
}

export function createSinks(sinks: readonly CallSink[], ports: SinksPorts): CallSinkGroup {
  const queues = sinks.map((sink) => new Queue(sink, ports))
  return {
    enqueue(record) {
      for (const queue of queues) queue.put(record)
    },
    counts: () => Object.fromEntries(queues.map(({ name, counts }) => [name, { ...counts }])),
    async close(ms = CLOSE_MS) {
      await Promise.all(queues.map((queue) => queue.end(ms)))
    },
  }
}

class Queue {
  readonly counts: SinkCounts = { taken: 0, dropped: 0 }
  private readonly sink: CallSink
  private readonly ports: SinksPorts
  private waiting: CallRecord[] = []
  private giving: Promise<void> | undefined
  private ended = false

  constructor(sink: CallSink, ports: SinksPorts) {
    this.sink = sink
    this.ports = ports
  }

  get name(): string {
    return this.sink.name
  }

  put(record: CallRecord): void {
    if (this.ended) return
    if (this.waiting.length >= MOST_WAITING) return this.drop(1, 'too many records wait for it')
    this.waiting.push(record)
    this.giving ??= this.give()
  }

  async end(ms: number): Promise<void> {
    this.ended = true
    if (!this.giving && !this.sink.close) return
    const done = new AbortController()
    const patience = this.ports.clock.sleep(ms, done.signal).catch(() => undefined)
    await Promise.race([this.last(), patience])
    // The timer must not keep the process running after a quick close.
    done.abort()
  }

  private async last(): Promise<void> {
    await this.giving
    try {
      await this.sink.close?.()
    } catch (error) {
      this.ports.logger.warn('a listener of finished calls could not write its last', {
        sink: this.name,
        error: String(error),
      })
    }
  }

  /** Never rejects. */
  private async give(): Promise<void> {
    await this.ports.yieldToEventLoop?.()
    while (this.waiting.length > 0) {
      const records = this.waiting
      this.waiting = []
      try {
        await this.sink.take(records)
        this.counts.taken += records.length
      } catch (error) {
        this.drop(records.length, getThrownText(error))
      }
    }
    this.giving = undefined
  }

  private drop(records: number, why: string): void {
    const { counts } = this
    const loggedBefore = Math.ceil(counts.dropped / TOLD_EVERY)
    counts.dropped += records
    if (Math.ceil(counts.dropped / TOLD_EVERY) === loggedBefore) return
    this.ports.logger.warn('a listener of finished calls has missed some', {
      sink: this.name,
      dropped: counts.dropped,
      why,
    })
  }
}
