// Alerts: rules over time, with recipients. Current problems are in `attention/`.
import { feature } from '../feature.ts'
import { alerts } from './contract.ts'
import { createAlertHandlers } from './handlers.ts'
import { createAlertJobs } from './jobs.ts'

export const alertsFeature = feature({ contract: alerts, handlers: createAlertHandlers, jobs: createAlertJobs })
