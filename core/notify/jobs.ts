// Looks after balances that run low.
import { createQuotaWarnings, type QuotaWarningPorts } from './quota-warning.ts'

const LOOK_MS = 10_000

export const createNotifyJobs = (ports: QuotaWarningPorts) => [
  { name: 'warn of low balances', every_ms: LOOK_MS, run: createQuotaWarnings(ports) },
]
