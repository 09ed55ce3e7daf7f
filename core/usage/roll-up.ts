// Sums up finished calls in memory and writes the sums periodically, so that no call waits for it. Counts that a killed
// process had not written are missing until they are rebuilt from the log.
import type { CallSink } from '../calls/sinks.ts'
import type { Settings } from '../settings/index.ts'
import type { CountedRefusal } from '../logs/refusal-rows.ts'
import { toCountedCall, countRefusedCalls, type CallChargeCorrection } from './counted-call.ts'
import type { UsageStore } from './store.ts'
import { UsageSums } from './sums.ts'

export interface RollUp {
  sink: CallSink
  /** Something was given back of a charge, or charged later. */
  correct(correction: CallChargeCorrection): void
  /** Counts refused calls, by the rows that they share. */
  refuse(refusals: readonly CountedRefusal[]): void
  /** Writes the counts since the last flush. Counts that cannot be written are retained for the next one. */
  flush(): Promise<void>
}

interface RollUpPorts {
  storage: { usage: UsageStore }
  settings(): Settings
  /** Its refused calls are counted before the sums are written. */
  refusals?: { flush(): Promise<void> }
}

export function createRollUp({ storage, settings, refusals }: RollUpPorts): RollUp {
  let counted = new UsageSums()
  let writing: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    await refusals?.flush()
    if (counted.size === 0) return
    const batch = counted
    counted = new UsageSums()
    try {
      await storage.usage.add(batch.rows())
    } catch (error) {
      counted.merge(batch)
      throw error
    }
  }

  const flush = (): Promise<void> => {
    const done = writing.then(write)
    writing = done.catch(() => undefined)
    return done
  }
  return {
    flush,
    correct(correction) {
      if (settings().DataExportEnabled) counted.correct(correction)
    },
    refuse(refused) {
      if (settings().DataExportEnabled) for (const each of refused) counted.refuse(countRefusedCalls(each))
    },
    sink: {
      name: 'usage',
      take(records) {
        if (!settings().DataExportEnabled) return
        for (const record of records) counted.add(toCountedCall(record))
      },
      close: flush,
    },
  }
}
