// Alerts: rules over time, with recipients. Current problems are in `attention/`.
import type { ChannelIndex } from '../channels/channel-index.ts'
import type { Feature } from '../feature.ts'
import { createDeliverTo, type DeliverMessage } from '../notify/deliver.ts'
import type { SendMail } from '../notify/email.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { HostMachine } from '../ports/machine.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Storage } from '../ports/storage.ts'
import type { WebClient } from '../ports/web.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import type { RollUp } from '../usage/roll-up.ts'
import { alertsContract } from './contract.ts'
import { type AlertPorts, createAlertHandlers } from './handlers.ts'
import { createAlertNotifier } from './recipients.ts'
import { CHECK_INTERVAL_MS, createAlertWatch } from './watch.ts'

// Checks the rules and sends notifications.

const TELL_MS = 10_000

interface AlertJobPorts {
  storage: Storage
  clock: Clock
  logger: Logger
  machine: HostMachine
  web: WebClient
  secrets: Secrets
  ledger: Pick<Ledger, 'getBacklog'>
  rollUp: Pick<RollUp, 'flush'>
  index: Pick<ChannelIndex, 'find'>
  deliver: DeliverMessage
  sendMail: SendMail
  settings(): Settings
}

function createAlertJobs(ports: AlertJobPorts) {
  const watch = createAlertWatch({
    ...ports,
    notifyRecipients: createAlertNotifier({ ...ports, deliverTo: createDeliverTo(ports) }),
  })
  return [
    { name: 'look for alerts', every_ms: CHECK_INTERVAL_MS, run: watch.look },
    { name: 'tell of alerts', every_ms: TELL_MS, run: watch.tellAll },
  ]
}

export const alertsFeature: Feature<AlertPorts & AlertJobPorts, typeof alertsContract> = {
  contract: alertsContract,
  handlers: createAlertHandlers,
  jobs: createAlertJobs,
}
