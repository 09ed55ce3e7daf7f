// Warns once if the clock of this process is far from the database's clock, because its charges are then dated wrongly.
// Logs once more when the clocks agree again.
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'

/** Larger than the difference between synchronized clocks, in ms. */
const FAR_MS = 5_000

/** Compares the clocks. `read` fetches the current time of the database (epoch ms). */
export function createClockWatch(clock: Clock, logger: Logger): (read: () => Promise<number>) => Promise<void> {
  let far = false
  return async (read) => {
    const sentAt = clock.now()
    const databaseTime = await read()
    const answered = clock.now()
    // The database read its clock at some point between request and answer.
    const ahead_ms = databaseTime < sentAt ? sentAt - databaseTime : Math.min(0, answered - databaseTime)
    if (far === Math.abs(ahead_ms) >= FAR_MS) return
    far = !far
    if (far)
      logger.error(
        "The clock of this machine is far from the database's: logs and limits have wrong times until one is set right",
        { ahead_ms },
      )
    else logger.info("The clock of this machine agrees with the database's again")
  }
}
