// Notifications; they are sent without a request, so there is no endpoint.
import type { BackgroundFeature } from '../feature.ts'
import { createNotifyJobs } from './jobs.ts'
import type { QuotaWarningPorts } from './quota-warning.ts'

export const notifyFeature: BackgroundFeature<QuotaWarningPorts> = { jobs: createNotifyJobs }
