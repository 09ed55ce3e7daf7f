// The columns of the channel list, of a channel and of a tag.
import { IconFolderOpenStroked, IconFolderStroked } from '@douyinfe/semi-icons'
import { Link } from 'react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type Channel, CHANNEL_STATUS, parseJsonObjectText, parseNameList } from '../../../core/channels/channel.ts'
import type { ChannelType } from '../../../core/channels/contract.ts'
import type { ChannelHealth } from '../../../core/channels/health-contract.ts'
import { formatShortNumber } from '../../../core/pricing/display.ts'
import { useFormat } from '../../data/use-format.ts'
import { showNotice } from '../../data/notify.ts'
import { useTranslatedLogText } from '../../data/use-translated-log-text.ts'
import { useText, texts } from '../../data/texts.tsx'
import { QuotaText } from '../../parts/text/quota.tsx'
import type { TableColumn } from '../../parts/table/column.ts'
import { ProviderMark } from '../../parts/text/brand-mark.tsx'
import { findProviderMark } from '../../parts/text/brand-marks.ts'
import { type TagColor, ColorDot, GroupTags, getNumberedColor, StateTag } from '../../parts/text/tags.tsx'
import { StandaloneWord } from '../../parts/text/word.tsx'
import { FailedTest, HealthStrip } from './health.tsx'
import { isSandbox, SANDBOX_NAME } from './sandbox.tsx'
import {
  type ChannelOrder,
  type ChannelRow,
  findCommonValue,
  getMeanTime,
  isTagRow,
  type TagRow,
} from './use-channels.ts'

const FIELD_TEXTS = texts({ priority: 'Priority', weight: 'Weight' })

// Colors of the channel types (specification); other types get one by their number.

const BY_COLOR: Partial<Record<TagColor, number[]>> = {
  green: [1, 20, 25, 31, 35],
  'light-blue': [2],
  teal: [3, 23, 37],
  grey: [4, 39],
  blue: [5, 15, 18, 19, 22, 38, 41, 42, 43, 45, 46, 47, 48, 49],
  pink: [8],
  orange: [11, 17, 24],
  indigo: [14, 33],
  violet: [16],
  purple: [21, 26, 34, 36, 40, 44],
}

const byType = new Map(
  Object.entries(BY_COLOR).flatMap(([color, types]) => types.map((type) => [type, color as TagColor] as const)),
)

export const typeColor = (type: number): TagColor => byType.get(type) ?? getNumberedColor(type)

// The cells of the channel list.

/** `below`: the channel is shown below its tag. */
export function ChannelName({ channel, below }: { channel: Channel; below: boolean }) {
  return (
    <span className={`channel-name${below ? ' channel-child' : ''}`}>
      <Link to={`/channel/${channel.id}`}>{channel.name}</Link>
      {channel.tag && !below && <small> #{channel.tag}</small>}
    </span>
  )
}

interface TagNameProps {
  name: string
  /** The label of the button that opens it. */
  label: string
  count: number
  open: boolean
  toggle(): void
}

export const TagName = ({ name, label, count, open, toggle }: TagNameProps) => (
  <span className="tag-name">
    <button type="button" className="row-fold" aria-expanded={open} aria-label={label} onClick={toggle}>
      {open ? <IconFolderOpenStroked aria-hidden size="small" /> : <IconFolderStroked aria-hidden size="small" />}
    </button>
    {name}
    <span className="muted number">{count}</span>
  </span>
)

export function TypeTag({ number, type }: { number: number; type?: Pick<ChannelType, 'id' | 'name'> }) {
  const t = useText()
  if (type && findProviderMark(type.id))
    return (
      <span className="marked">
        <ProviderMark id={type.id} />
        <span>{type.name}</span>
      </span>
    )
  if (!type || !isSandbox(type)) return <ColorDot color={typeColor(number)}>{type?.name ?? number}</ColorDot>
  return (
    <ColorDot
      color="amber"
      tip={t('This is a sandbox: it simulates a provider. Use it to try Weir, never to serve users.')}
    >
      {t(SANDBOX_NAME)}
    </ColorDot>
  )
}

export function StatusTag({ channel }: { channel: Channel }) {
  const t = useText()
  const format = useFormat()
  const translate = useTranslatedLogText()
  if (channel.status === CHANNEL_STATUS.enabled) return <StateTag color="green">{t('enabled')}</StateTag>
  if (channel.status === CHANNEL_STATUS.disabled) return <StateTag color="yellow">{t('manually disabled')}</StateTag>
  if (channel.status !== CHANNEL_STATUS.auto_disabled)
    return <StateTag color="grey">{t('unknown', { context: 'state' })}</StateTag>
  const { status_reason, status_time } = parseJsonObjectText(channel.other_info)
  const time = typeof status_time === 'number' ? format.time(status_time) : '-'
  return (
    <StateTag
      color="yellow"
      tip={t('reason: {reason}, time: {time}', { reason: translate(String(status_reason ?? '-')), time })}
    >
      {t('automatically disabled')}
    </StateTag>
  )
}

/** Upper bounds of response times in ms, each with its color. */
const STEPS: [number, TagColor][] = [
  [1000, 'green'],
  [3000, 'lime'],
  [5000, 'yellow'],
]

/** Response time of the last test. A failed test has no time and shows its reason instead. */
export function ResponseTime({ milliseconds, health }: { milliseconds: number; health: ChannelHealth | undefined }) {
  const t = useText()
  const format = useFormat()
  if (health?.last_test && !health.last_test.passed) return <FailedTest health={health} />
  if (milliseconds === 0) return <StandaloneWord muted>{t('untested')}</StandaloneWord>
  const color = STEPS.find(([limit]) => milliseconds <= limit)?.[1] ?? 'red'
  return <ColorDot color={color}>{format.duration(milliseconds)}</ColorDot>
}

/** Balances from this amount on are shortened. */
const LONG_BALANCE = 100_000

/** The balance at the provider. A click asks the provider again. */
export function BalanceCell({ channel, ask }: { channel: Channel; ask(): void }) {
  const t = useText()
  const format = useFormat()
  const { balance, balance_updated_time: updatedAt } = channel
  const amount = `$${Math.abs(balance) < LONG_BALANCE ? balance.toFixed(2) : formatShortNumber(balance)}`
  const tip =
    updatedAt === 0
      ? t('The balance was never fetched. Click to fetch it.')
      : t('{time}: {amount} left. Click to ask again.', {
          time: format.time(updatedAt),
          amount: `$${balance.toFixed(2)}`,
        })
  return (
    <button
      type="button"
      className="balance number"
      aria-label={t('Ask for the balance of {name}', { name: channel.name })}
      data-tip={tip}
      onClick={ask}
    >
      {updatedAt === 0 ? '–' : amount}
    </button>
  )
}

// Priority or weight as a field in the row, saved when the field is left or Enter is pressed.

interface Props {
  label: string
  /** null for several channels with different values. */
  value: number | null
  min: number
  /** Shown for any input other than a whole number of at least `min`. */
  error: string
  /** The field shows the old value again if nothing was changed. */
  onSave(value: number): Promise<void>
}

const formatOrder = (value: number | null) => (value === null ? '' : String(value))

export function InlineNumberField({ label, value, min, error, onSave }: Props) {
  const [text, setText] = useState(formatOrder(value))
  const latest = useRef(value)
  latest.current = value
  useEffect(() => setText(formatOrder(value)), [value])
  const save = () => {
    const entered = Number(text)
    if (text.trim() === formatOrder(value)) return
    if (text.trim() === '' || !Number.isInteger(entered) || entered < min) {
      showNotice.info(error)
      setText(formatOrder(value))
    } else void onSave(entered).finally(() => setText(formatOrder(latest.current)))
  }
  return (
    <input
      className="order-field"
      inputMode="numeric"
      aria-label={label}
      value={text}
      onChange={({ target }) => setText(target.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        // The same key press must not answer the dialog that it opens.
        event.preventDefault()
        event.currentTarget.blur()
      }}
    />
  )
}

interface ChannelListFacts {
  types: ChannelType[]
  healthOf(channel: Channel): ChannelHealth | undefined
  order(channel: Channel, fields: ChannelOrder): Promise<void>
  balance(channel: Channel): Promise<void>
  tags: {
    /** Tag mode. */
    on: boolean
    isOpen(row: TagRow): boolean
    toggle(row: TagRow): void
    order(row: TagRow, fields: ChannelOrder): Promise<void>
  }
}

/** A cell for both kinds of rows. Without `ofTag` it is empty in rows of tags. */
const cell = (ofChannel: (row: Channel) => ReactNode, ofTag: (row: TagRow) => ReactNode = () => null) =>
  function Cell(row: ChannelRow) {
    return isTagRow(row) ? ofTag(row) : ofChannel(row)
  }

export function useChannelColumns({
  types,
  healthOf,
  order,
  balance,
  tags,
}: ChannelListFacts): TableColumn<ChannelRow>[] {
  const t = useText()
  const findType = ({ type }: Channel) => types.find((declared) => declared.type === type)
  const tagName = ({ tag }: TagRow) => tag || t('No tag')
  const orderColumn = (key: 'priority' | 'weight', min: number, error: string) =>
    cell(
      (channel) => (
        <InlineNumberField
          label={`${t(FIELD_TEXTS[key])} ${channel.name}`}
          value={channel[key]}
          min={min}
          error={error}
          onSave={(value) => order(channel, { [key]: value })}
        />
      ),
      (row) =>
        row.tag === '' ? null : (
          <InlineNumberField
            label={`${t(FIELD_TEXTS[key])} ${row.tag}`}
            value={findCommonValue(row.channels.map((channel) => channel[key]))}
            min={min}
            error={error}
            onSave={(value) => tags.order(row, { [key]: value })}
          />
        ),
    )
  return [
    {
      key: 'id',
      title: t('ID'),
      rank: 6,
      width: 52,
      under: ['name'],
      sort: 'id',
      render: cell(({ id }) => <span className="number muted">{id}</span>),
    },
    {
      key: 'name',
      title: t('Name'),
      rank: 1,
      width: 165,
      sort: 'name',
      card: 'title',
      render: cell(
        (channel) => <ChannelName channel={channel} below={tags.on} />,
        (row) => (
          <TagName
            name={row.tag === '' ? t('No tag') : t('Tag: {tag}', { tag: row.tag })}
            label={t('Channels of {tag}', { tag: tagName(row) })}
            count={row.channels.length}
            open={tags.isOpen(row)}
            toggle={() => tags.toggle(row)}
          />
        ),
      ),
    },
    {
      key: 'status',
      title: t('Status'),
      rank: 1,
      width: 140,
      sort: 'status',
      card: 'badge',
      render: cell(
        (channel) => <StatusTag channel={channel} />,
        ({ channels }) => {
          const on = channels.filter(({ status }) => status === CHANNEL_STATUS.enabled).length
          const tip = t('{on} of {n} enabled', { on, n: channels.length })
          return (
            <StateTag color={on > 0 ? 'green' : 'yellow'} tip={tip}>
              {on > 0 ? t('enabled') : t('manually disabled')}
            </StateTag>
          )
        },
      ),
    },
    {
      key: 'type',
      title: t('Type'),
      rank: 2,
      width: 118,
      sort: 'type',
      render: cell(
        (channel) => <TypeTag number={channel.type} type={findType(channel)} />,
        () => <ColorDot color="light-blue">{t('Tag group')}</ColorDot>,
      ),
    },
    {
      key: 'group',
      title: t('Groups'),
      rank: 5,
      width: 120,
      under: ['type'],
      render: cell(
        ({ group }) => <GroupTags groups={parseNameList(group)} />,
        ({ channels }) => <GroupTags groups={parseNameList(channels.map(({ group }) => group).join(','))} />,
      ),
    },
    { key: 'remark', title: t('Remark'), rank: 6, width: 110, under: ['name'], render: cell(({ remark }) => remark) },
    {
      key: 'response_time',
      title: t('Response time'),
      rank: 3,
      width: 100,
      under: ['health'],
      card: 'number',
      align: 'right',
      sort: 'response_time',
      render: cell(
        (channel) => <ResponseTime milliseconds={channel.response_time} health={healthOf(channel)} />,
        ({ channels }) => <ResponseTime milliseconds={getMeanTime(channels)} health={undefined} />,
      ),
    },
    {
      key: 'health',
      title: t('Last 24 hours'),
      rank: 2,
      width: 112,
      render: cell((channel) => <HealthStrip health={healthOf(channel)} />),
    },
    {
      key: 'used',
      title: t('Used / remaining'),
      rank: 2,
      width: 124,
      under: ['response_time'],
      card: 'number',
      align: 'right',
      sort: 'used_quota',
      render: cell(
        (channel) => (
          <span className="used">
            <QuotaText value={channel.used_quota} />
            <BalanceCell channel={channel} ask={() => void balance(channel)} />
          </span>
        ),
        ({ channels }) => <QuotaText value={channels.reduce((sum, { used_quota }) => sum + used_quota, 0)} />,
      ),
    },
    {
      key: 'priority',
      title: t('Priority'),
      rank: 1,
      width: 74,
      sort: 'priority',
      render: orderColumn('priority', -999, t('priority must be an integer')),
    },
    {
      key: 'weight',
      title: t('Weight'),
      rank: 2,
      width: 70,
      sort: 'weight',
      render: orderColumn('weight', 0, t('weight must be a non-negative integer')),
    },
  ]
}
