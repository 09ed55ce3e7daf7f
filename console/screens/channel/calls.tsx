// The calls of a channel, and those that ended with an error.
import { Link } from 'react-router'
import { LOG_ROW_TYPE } from '../../../core/calls/log-entry.ts'
import type { Channel } from '../../../core/channels/channel.ts'
import { useText } from '../../data/texts.tsx'
import { CallList } from '../logs/call-list.tsx'

const HIDDEN = ['channel']

export function ChannelCallSection({ channel: { id } }: { channel: Channel }) {
  const t = useText()
  return (
    <CallList
      name="channel-calls"
      label={t('Calls', { context: 'kind' })}
      filter={{ channel: id }}
      hidden={HIDDEN}
      empty={t('This channel has served no calls')}
    >
      <p>
        <Link to={buildLogPath({ channel: String(id) })}>{t('Open the whole log of this channel')}</Link>
      </p>
    </CallList>
  )
}

export function ChannelErrorSection({ channel: { id } }: { channel: Channel }) {
  const t = useText()
  return (
    <CallList
      name="channel-errors"
      label={t('Errors')}
      filter={{ channel: id, type: LOG_ROW_TYPE.error }}
      hidden={HIDDEN}
      empty={t('No call of this channel has failed')}
    >
      <p>
        <Link to={buildLogPath({ channel: String(id), type: String(LOG_ROW_TYPE.error) })}>
          {t('Open all errors of this channel')}
        </Link>
      </p>
    </CallList>
  )
}

const buildLogPath = (filter: Record<string, string>) =>
  `/log?${new URLSearchParams({ ...filter, span: 'month' }).toString()}`
