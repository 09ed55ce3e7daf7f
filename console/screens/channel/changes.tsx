// The changes made to a channel, with their authors.
import type { Channel } from '../../../core/channels/channel.ts'
import { useText } from '../../data/texts.tsx'
import { ChangeTable } from '../audit/change-table.tsx'

export function ChannelChangeSection({ channel: { id, status } }: { channel: Channel }) {
  const t = useText()
  return (
    <ChangeTable
      name="channel-changes"
      action="channel"
      target={String(id)}
      mark={[status]}
      empty={t('No changes of this channel yet')}
    />
  )
}
