// Checks the rules and sends notifications.
import { createDeliverTo } from '../notify/deliver.ts'
import { createAlertNotifier } from './recipients.ts'
import { createAlertWatch, CHECK_INTERVAL_MS } from './watch.ts'

const TELL_MS = 10_000

type Ports = Omit<Parameters<typeof createAlertWatch>[0], 'tell'> &
  Omit<Parameters<typeof createAlertNotifier>[0], 'deliverTo'> &
  Parameters<typeof createDeliverTo>[0]

export function createAlertJobs(ports: Ports) {
  const watch = createAlertWatch({
    ...ports,
    tell: createAlertNotifier({ ...ports, deliverTo: createDeliverTo(ports) }),
  })
  return [
    { name: 'look for alerts', every_ms: CHECK_INTERVAL_MS, run: watch.look },
    { name: 'tell of alerts', every_ms: TELL_MS, run: watch.tellAll },
  ]
}
