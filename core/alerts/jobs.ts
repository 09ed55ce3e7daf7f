// Looks, and tells.
import { createDeliverTo } from '../notify/deliver.ts'
import { createTell } from './tell.ts'
import { createAlertWatch, LOOK_MS } from './watch.ts'

const TELL_MS = 10_000

type Ports = Omit<Parameters<typeof createAlertWatch>[0], 'tell'> &
  Omit<Parameters<typeof createTell>[0], 'deliverTo'> &
  Parameters<typeof createDeliverTo>[0]

export function createAlertJobs(ports: Ports) {
  const watch = createAlertWatch({ ...ports, tell: createTell({ ...ports, deliverTo: createDeliverTo(ports) }) })
  return [
    { name: 'look for alerts', every_ms: LOOK_MS, run: watch.look },
    { name: 'tell of alerts', every_ms: TELL_MS, run: watch.tellAll },
  ]
}
