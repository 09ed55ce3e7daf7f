// A process whose clock is far from the database's dates its charges wrongly: it says so, once, and once more when it is mended.
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'

/** More than clocks that are kept right differ, in ms. */
const FAR_MS = 5_000

/** Compares; `read` gives the database's time (epoch ms), asked for now. */
export function createClockWatch(clock: Clock, logger: Logger): (read: () => Promise<number>) => Promise<void> {
  let far = false
  return async (read) => {
    const asked = clock.now()
    const theirs = await read()
    const answered = clock.now()
    // It was looked at somewhere between asking and answer.
    const ahead_ms = theirs < asked ? asked - theirs : Math.min(0, answered - theirs)
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
