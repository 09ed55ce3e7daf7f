// Periodic jobs.
import { GatewayError } from './errors.ts'
import type { Clock } from './ports/clock.ts'
import type { Logger } from './ports/logger.ts'

/** A job must be safe to run twice and on two machines. */
export interface BackgroundJob {
  name: string
  every_ms: number
  run(): Promise<unknown>
}

/**
 * Runs each job at once and then on its timer, never twice at the same time in this process. Returns a function that
 * stops them.
 */
export function startJobs(
  { clock, logger }: { clock: Clock; logger: Logger },
  jobs: readonly BackgroundJob[],
): () => void {
  const stops = jobs.map((job) => {
    let running = false
    const run = () => {
      if (running) return
      running = true
      job
        .run()
        .catch((error: unknown) => {
          const detail = error instanceof GatewayError ? error.detail : undefined
          logger.error(`job failed: ${job.name}`, { error: String(error), ...(detail === undefined ? {} : { detail }) })
        })
        .finally(() => (running = false))
    }
    run()
    return clock.every(job.every_ms, run)
  })
  return () => stops.forEach((stop) => stop())
}
