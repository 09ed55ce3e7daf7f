// A comparison of the usage statistics with the log. Counts that a killed process had not written are missing in the
// statistics.
import { setTimeout as wait } from 'node:timers/promises'
import type { WeirClient } from '../../core/contracts.ts'
import { words } from '../../core/errors.ts'
import { asData } from '../language.ts'
import { ok, warn, type Finding } from './check.ts'

const HOUR_SECONDS = 3600
const HOURS = 24
/** Maximum delay before a process writes its counts, in addition to the interval of the setting, in seconds. */
const GRACE_SECONDS = 300
const POLL_MS = 200

/** Compares the last day, up to the last hour that is completely written. `interval` is in minutes. */
export async function checkUsage(weir: WeirClient, interval: number): Promise<Finding> {
  const to = Math.floor((Date.now() / 1000 - interval * 60 - GRACE_SECONDS) / HOUR_SECONDS) * HOUR_SECONDS
  const from = to - HOURS * HOUR_SECONDS
  const [logged, { total }] = await Promise.all([
    weir.logs.stat({ start_timestamp: from, end_timestamp: to - 1 }),
    weir.usage.query({ from: String(from), to: String(to) }),
  ])
  // If old log rows were deleted, the statistics have more, which is correct.
  if (total.quota >= logged.quota)
    return ok('usage', words('it has all that the log has of the last day', '最近一天的用量与日志一致'))
  return warn(
    'usage',
    words('the log of the last day has more than was summed up', '最近一天的日志多于已汇总的用量'),
    asData('weir usage rebuild --since 2d'),
    {
      repair: {
        what: words('sum it up from the log anew', '由日志重新汇总'),
        async run() {
          await weir.usage.rebuild({ from: String(from), to: String(to) })
          while ((await weir.usage.rebuildProgress()).running) await wait(POLL_MS)
        },
      },
    },
  )
}
