// Alerts: rules over time, with recipients. Current problems are in `attention/`.
import type { Feature } from '../feature.ts'
import { alertsContract } from './contract.ts'
import { createAlertHandlers, type AlertPorts } from './handlers.ts'
import { createAlertJobs, type AlertJobPorts } from './jobs.ts'

export const alertsFeature: Feature<AlertPorts & AlertJobPorts, typeof alertsContract> = {
  contract: alertsContract,
  handlers: createAlertHandlers,
  jobs: createAlertJobs,
}
