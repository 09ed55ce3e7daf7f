// Switches a channel off by itself, with the reason and the time that the channel list shows.
import type { Clock } from '../ports/clock.ts'
import { seconds } from '../ports/clock.ts'
import type { Storage } from '../ports/storage.ts'
import { CHANNEL_STATUS, type Channel } from './channel.ts'

/** Sets the channel to "disabled automatically"; one that is off already stays as it is. */
export async function switchOff(
  { storage, clock }: { storage: Storage; clock: Clock },
  channel: Pick<Channel, 'id'>,
  reason: string,
): Promise<void> {
  const now = await storage.channels.find(channel.id)
  if (now?.status !== CHANNEL_STATUS.enabled) return
  const other_info = JSON.stringify({ status_reason: reason, status_time: seconds(clock) })
  await storage.channels.update(channel.id, { status: CHANNEL_STATUS.auto_disabled, other_info })
  await storage.announce({ topic: 'channels', id: channel.id })
}
