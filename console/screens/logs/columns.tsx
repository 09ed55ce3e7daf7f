// The columns of the usage log.
import { listTriedChannels } from '../../../core/calls/detail.ts'
import type { LogColumnName } from '../../../core/calls/log-columns.ts'
import { LOG_ROW_TYPE, type LogEntry } from '../../../core/calls/log-entry.ts'
import { useFormat } from '../../data/use-format.ts'
import { useLanguage, useText } from '../../data/texts.tsx'
import { useTranslatedLogText } from '../../data/use-translated-log-text.ts'
import { UserAvatar } from '../../parts/text/avatar.tsx'
import { ModelMark } from '../../parts/text/brand-mark.tsx'
import { ClickToCopy } from '../../parts/text/copy.tsx'
import { QuotaText } from '../../parts/text/quota.tsx'
import type { TableColumn } from '../../parts/table/column.ts'
import { type TagColor, ColorDot, GroupTag, getNumberedColor } from '../../parts/text/tags.tsx'
import { CountText } from '../../parts/text/count.tsx'
import { RelativeTime } from '../../parts/text/time.tsx'
import { isCallRow } from './call-row.ts'
import { logColumnTexts } from './column-words.built.ts'
import { parseDetail } from './detail.ts'
import { OperationName } from './operation.tsx'
import { formatShortPrice } from './ratios.ts'
import { LogTypeTag } from './type-tag.tsx'

// Duration of a call, and the time until its first token.

/** Limits of good and of acceptable durations, in seconds. */
const WHOLE = [101, 300] as const
const FIRST_TOKEN = [3, 10] as const

const getColor = (seconds: number, [good, tolerable]: readonly [number, number]): TagColor =>
  seconds < good ? 'green' : seconds < tolerable ? 'orange' : 'red'

function UseTime({ entry }: { entry: LogEntry }) {
  const format = useFormat()
  const { frt = 0, total_ms } = parseDetail(entry.other)
  const first = frt / 1000
  // Older rows have whole seconds only.
  const whole = total_ms === undefined ? `${format.number(entry.use_time)} s` : format.duration(total_ms)
  return (
    <span className="use-time">
      <ColorDot color={getColor(entry.use_time, WHOLE)}>{whole}</ColorDot>
      {entry.is_stream && first > 0 && (
        <ColorDot color={getColor(first, FIRST_TOKEN)}>{format.duration(first * 1000)}</ColorDot>
      )}
    </span>
  )
}

export function useLogColumns(isAdmin: boolean, showUser: (id: number) => void): TableColumn<LogEntry>[] {
  const t = useText()
  const { language } = useLanguage()
  const getColumnTitle = (column: LogColumnName) => logColumnTexts[column]![language]
  const ofCall = (render: (entry: LogEntry) => React.ReactNode) => (entry: LogEntry) =>
    isCallRow(entry) ? render(entry) : null
  const adminColumns: TableColumn<LogEntry>[] = [
    {
      key: 'username',
      title: getColumnTitle('username'),
      rank: 2,
      width: 106,
      render: (entry) => <User entry={entry} showUser={showUser} />,
    },
    {
      key: 'channel',
      title: getColumnTitle('channel'),
      rank: 3,
      width: 76,
      render: ofCall((entry) => <ChannelTag entry={entry} />),
    },
  ]
  const retry: TableColumn<LogEntry> = {
    key: 'retry',
    title: t('Retry'),
    rank: 7,
    width: 84,
    under: ['channel'],
    render: ofCall((entry) => formatTriedChannels(entry)),
  }
  return [
    {
      key: 'time',
      title: getColumnTitle('created_at'),
      rank: 1,
      width: 122,
      sort: 'created_at',
      card: 'number',
      render: ({ created_at }) => <RelativeTime exact seconds={created_at} />,
    },
    {
      key: 'type',
      title: getColumnTitle('type'),
      rank: 2,
      width: 116,
      under: ['time'],
      card: 'badge',
      render: ({ type }) => <LogTypeTag type={type} />,
    },
    ...(isAdmin ? adminColumns : []),
    {
      key: 'token',
      title: getColumnTitle('token_name'),
      rank: 4,
      width: 90,
      under: ['username'],
      render: ofCall(({ token_name }) => token_name && <ClickToCopy text={token_name} />),
    },
    {
      key: 'group',
      title: getColumnTitle('group'),
      rank: 6,
      width: 70,
      under: ['token', 'username'],
      render: ofCall((entry) => getGroup(entry) && <GroupTag group={getGroup(entry)} />),
    },
    {
      key: 'model',
      title: getColumnTitle('model_name'),
      rank: 1,
      width: 158,
      card: 'title',
      render: ofCall((entry) => <Model entry={entry} />),
    },
    {
      key: 'operation',
      title: getColumnTitle('operation'),
      rank: 7,
      width: 100,
      under: ['model'],
      render: ofCall(({ operation }) => operation && <OperationName operation={operation} />),
    },
    {
      key: 'use_time',
      title: t('Time / first token'),
      rank: 3,
      width: 120,
      sort: 'use_time',
      render: ofCall((entry) => <UseTime entry={entry} />),
    },
    {
      key: 'stream',
      title: t('Stream'),
      rank: 8,
      width: 84,
      under: ['use_time', 'operation', 'model'],
      render: ofCall(({ is_stream }) => (is_stream ? t('Stream') : t('Non-stream'))),
    },
    {
      key: 'prompt',
      title: getColumnTitle('prompt_tokens'),
      rank: 2,
      width: 70,
      under: ['cost'],
      align: 'right',
      sort: 'prompt_tokens',
      render: ofCall(({ prompt_tokens }) => <CountText value={prompt_tokens} />),
    },
    {
      key: 'completion',
      title: getColumnTitle('completion_tokens'),
      rank: 4,
      width: 88,
      under: ['prompt', 'cost'],
      align: 'right',
      sort: 'completion_tokens',
      render: ofCall(({ completion_tokens }) => completion_tokens > 0 && <CountText value={completion_tokens} />),
    },
    {
      key: 'cost',
      title: getColumnTitle('quota'),
      rank: 1,
      width: 92,
      align: 'right',
      sort: 'quota',
      card: 'number',
      render: ofCall(({ quota }) => <QuotaText value={quota} exact />),
    },
    ...(isAdmin ? [retry] : []),
    {
      key: 'details',
      title: t('Details'),
      rank: 7,
      width: 150,
      under: ['type', 'time'],
      render: (entry) => <Summary entry={entry} />,
    },
  ]
}

export const formatTriedChannels = ({ channel, other }: LogEntry) =>
  listTriedChannels(parseDetail(other), channel).join('->')

/** Rows of other systems may have it in their detail. */
function getGroup({ group, other }: LogEntry): string {
  const { group: detailGroup } = parseDetail(other)
  return group || (typeof detailGroup === 'string' ? detailGroup : '')
}

function ChannelTag({ entry }: { entry: LogEntry }) {
  if (!entry.channel) return null
  return (
    <ColorDot color={getNumberedColor(entry.channel)} tip={entry.channel_name || undefined}>
      {entry.channel}
    </ColorDot>
  )
}

function User({ entry, showUser }: { entry: LogEntry; showUser(id: number): void }) {
  // Rows without a user, and imported rows without a name.
  if (entry.user_id === 0 && !entry.username) return null
  const name = entry.username || `#${entry.user_id}`
  return (
    <button type="button" className="log-user" onClick={() => showUser(entry.user_id)}>
      <UserAvatar small name={name} />
      {name}
    </button>
  )
}

function Model({ entry }: { entry: LogEntry }) {
  const t = useText()
  const { asked_model, is_model_mapped, upstream_model_name } = parseDetail(entry.other)
  if (!entry.model_name) return null
  const sent = is_model_mapped ? upstream_model_name : undefined
  const tip = [
    asked_model && `${t('Requested name')}: ${asked_model}`,
    `${asked_model ? t('Billed model') : t('Requested and billed model')}: ${entry.model_name}`,
    sent && `${t('Actual model')}: ${sent}`,
  ]
  return (
    <span className="marked">
      <ModelMark model={entry.model_name} />
      <ClickToCopy text={entry.model_name} tip={asked_model || sent ? tip.filter(Boolean).join('\n') : undefined}>
        {sent ? `${entry.model_name} →` : entry.model_name}
      </ClickToCopy>
    </span>
  )
}

/** The price in short for a charge, the text of the row for anything else. */
function Summary({ entry }: { entry: LogEntry }) {
  const t = useText()
  const translate = useTranslatedLogText()
  const detail = parseDetail(entry.other)
  const isPriced = entry.type === LOG_ROW_TYPE.consumption && detail.group_ratio !== undefined
  const text = isPriced ? formatShortPrice(detail, t) : translate(entry.content)
  return (
    <span className="log-content" data-tip={text || undefined}>
      {text}
    </span>
  )
}
