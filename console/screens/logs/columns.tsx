// The columns of the usage log.
import { LOG_TYPE, type LogEntry } from '../../../core/calls/log-entry.ts'
import { channelsTried, detailOf, isFixedPrice } from '../../../core/calls/detail.ts'
import { fill, useTexts } from '../../data/texts.tsx'
import { useCopy } from '../../parts/copy.tsx'
import { Quota } from '../../parts/quota.tsx'
import type { Column } from '../../parts/resource-column.ts'
import { GroupTag, hashedColor, numberedColor } from '../../parts/tags.tsx'
import { Time } from '../../parts/time.tsx'
import { Avatar, Popover, Tag, Tooltip } from '../../semi.ts'
import { words } from './texts.ts'
import { OperationTag } from './operation-select.tsx'
import { TypeTag } from './type-select.tsx'
import { UseTime } from './use-time.tsx'

/** Rows about a call; the others have no token, model or channel. */
export const isCall = ({ type }: LogEntry) =>
  ([LOG_TYPE.unknown, LOG_TYPE.consumption, LOG_TYPE.error] as number[]).includes(type)

export function useLogColumns(isAdmin: boolean, showUser: (id: number) => void): Column<LogEntry>[] {
  const t = useTexts(words)
  const ofCall = (render: (entry: LogEntry) => React.ReactNode) => (entry: LogEntry) =>
    isCall(entry) ? render(entry) : null
  const adminColumns: Column<LogEntry>[] = [
    { key: 'channel', title: t.channel, render: ofCall((entry) => <ChannelTag entry={entry} />) },
    { key: 'username', title: t.user, render: (entry) => <User entry={entry} showUser={showUser} /> },
  ]
  const retry: Column<LogEntry> = { key: 'retry', title: t.retry, render: ofCall((entry) => triedChannels(entry)) }
  return [
    { key: 'time', title: t.time, card: 'title', render: ({ created_at }) => <Time seconds={created_at} /> },
    ...(isAdmin ? adminColumns : []),
    {
      key: 'token',
      title: t.token,
      render: ofCall(({ token_name }) => token_name && <CopyTag text={token_name} color="grey" />),
    },
    {
      key: 'group',
      title: t.group,
      render: ofCall(({ group }) => group && <GroupTag group={group} />),
    },
    { key: 'type', title: t.type, card: 'badge', render: ({ type }) => <TypeTag type={type} /> },
    { key: 'model', title: t.model, render: ofCall((entry) => <Model entry={entry} />) },
    {
      key: 'operation',
      title: t.operation,
      render: ofCall(({ operation }) => operation && <OperationTag operation={operation} />),
    },
    { key: 'use_time', title: t.useTime, render: ofCall((entry) => <UseTime entry={entry} />) },
    {
      key: 'prompt',
      title: t.prompt,
      align: 'right',
      render: ofCall(({ prompt_tokens }) => <span className="number">{prompt_tokens}</span>),
    },
    {
      key: 'completion',
      title: t.completion,
      align: 'right',
      render: ofCall(
        ({ completion_tokens }) => completion_tokens > 0 && <span className="number">{completion_tokens}</span>,
      ),
    },
    {
      key: 'cost',
      title: t.cost,
      align: 'right',
      render: ofCall(({ quota }) => <Quota value={quota} digits={6} />),
    },
    ...(isAdmin ? [retry] : []),
    { key: 'details', title: t.details, render: (entry) => <Summary entry={entry} /> },
  ]
}

export const triedChannels = ({ channel, other }: LogEntry) => channelsTried(detailOf(other), channel).join('->')

function ChannelTag({ entry }: { entry: LogEntry }) {
  if (!entry.channel) return null
  return (
    <Tooltip content={entry.channel_name || String(entry.channel)}>
      <Tag color={numberedColor(entry.channel)}>{entry.channel}</Tag>
    </Tooltip>
  )
}

function User({ entry, showUser }: { entry: LogEntry; showUser(id: number): void }) {
  return (
    <button
      type="button"
      className="log-user"
      onClick={(event) => {
        event.stopPropagation()
        showUser(entry.user_id)
      }}
    >
      <Avatar size="extra-extra-small" color={hashedColor(entry.username)} alt="">
        {entry.username.slice(0, 1).toUpperCase()}
      </Avatar>
      {entry.username}
    </button>
  )
}

/** A tag that copies its text; the row it stands in stays as it is. */
function CopyTag({
  text,
  color,
  shown = text,
}: {
  text: string
  color: ReturnType<typeof hashedColor>
  shown?: string
}) {
  const [copy, dialog] = useCopy()
  return (
    <>
      <button
        type="button"
        className="copy-tag"
        onClick={(event) => {
          event.stopPropagation()
          void copy(text)
        }}
      >
        <Tag color={color}>{shown}</Tag>
      </button>
      {dialog}
    </>
  )
}

function Model({ entry }: { entry: LogEntry }) {
  const t = useTexts(words)
  const { is_model_mapped, upstream_model_name } = detailOf(entry.other)
  if (!entry.model_name) return null
  const color = hashedColor(entry.model_name)
  if (!is_model_mapped || !upstream_model_name) return <CopyTag text={entry.model_name} color={color} />
  const names = (
    <dl className="mapped">
      <dt>{t.requestedModel}</dt>
      <dd>{entry.model_name}</dd>
      <dt>{t.actualModel}</dt>
      <dd>{upstream_model_name}</dd>
    </dl>
  )
  return (
    <Popover content={names} showArrow>
      <span>
        <CopyTag text={entry.model_name} color={color} shown={`${entry.model_name} →`} />
      </span>
    </Popover>
  )
}

/** The price in short for a charge, the words of the row for anything else. */
function Summary({ entry }: { entry: LogEntry }) {
  const t = useTexts(words)
  const detail = detailOf(entry.other)
  if (entry.type !== LOG_TYPE.consumption || detail.group_ratio === undefined) {
    return <span className="log-content">{entry.content}</span>
  }
  const { model_ratio = 0, model_price = 0, group_ratio, cache_tokens = 0, cache_ratio = 1 } = detail
  const text = isFixedPrice(detail)
    ? fill(t.shortFixed, { price: `$${model_price}`, group: group_ratio })
    : fill(t.shortRatio, { model: model_ratio, group: group_ratio }) +
      (cache_tokens > 0 ? fill(t.shortCache, { cache: cache_ratio }) : '')
  return <span className="log-content">{text}</span>
}
