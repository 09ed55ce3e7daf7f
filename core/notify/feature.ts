// Notifications; they are sent without a request, so there is no endpoint.
import type { BackgroundFeature } from '../feature.ts'
import { createQuotaWarnings, type QuotaWarningPorts } from './quota-warning.ts'

// Looks after balances that run low.

const LOOK_MS = 10_000

const createNotifyJobs = (ports: QuotaWarningPorts) => [
  { name: 'warn of low balances', every_ms: LOOK_MS, run: createQuotaWarnings(ports) },
]

export const notifyFeature: BackgroundFeature<QuotaWarningPorts> = { jobs: createNotifyJobs }
