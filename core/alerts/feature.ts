// Alerts: rules over time, with recipients. Current problems are in `attention/`.
import type { Feature } from '../feature.ts'
import { alerts } from './contract.ts'
import { createAlertHandlers, type AlertPorts } from './handlers.ts'
import { createAlertJobs, type AlertJobPorts } from './jobs.ts'

export const alertsFeature: Feature<AlertPorts & AlertJobPorts, typeof alerts> = {
  contract: alerts,
  handlers: createAlertHandlers,
  jobs: createAlertJobs,
}
