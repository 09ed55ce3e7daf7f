// The status that the console shows until the server has answered for the first time.
import { publicBefore } from '../../core/settings/public.ts'
import type { PublicStatus } from '../../core/site/status.ts'

export const statusBefore: PublicStatus = {
  version: '',
  start_time: 0,
  setup: true,
  ...publicBefore,
  enable_batch_update: false,
}
