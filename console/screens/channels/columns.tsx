// The columns of the channel list, of a channel and of a tag.
import type { ReactNode } from 'react'
import { CHANNEL_STATUS, parseNameList, type Channel } from '../../../core/channels/channel.ts'
import type { ChannelType } from '../../../core/channels/contract.ts'
import type { ChannelHealth } from '../../../core/channels/health-contract.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { Quota } from '../../parts/quota.tsx'
import type { Column } from '../../parts/table/column.ts'
import { Dot, GroupTags, Tag } from '../../parts/tags.tsx'
import { BalanceCell, ChannelName, ResponseTime, StatusTag, TagName, TypeTag } from './cells.tsx'
import { HealthStrip } from './health.tsx'
import { words as listWords } from './list-texts.ts'
import { OrderField } from './order-field.tsx'
import { findCommonValue, isTag, getMeanTime, type ChannelRow, type ChannelOrder, type TagRow } from './rows.ts'
import { words } from './texts.ts'

interface Known {
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
    return isTag(row) ? ofTag(row) : ofChannel(row)
  }

export function useChannelColumns({ types, healthOf, order, balance, tags }: Known): Column<ChannelRow>[] {
  const t = useTexts({ en: { ...words.en, ...listWords.en }, zh: { ...words.zh, ...listWords.zh } })
  const findType = ({ type }: Channel) => types.find((declared) => declared.type === type)
  const tagName = ({ tag }: TagRow) => tag || t.noTag
  const orderColumn = (key: 'priority' | 'weight', min: number, error: string) =>
    cell(
      (channel) => (
        <OrderField
          label={`${t[key]} ${channel.name}`}
          value={channel[key]}
          min={min}
          error={error}
          onSave={(value) => order(channel, { [key]: value })}
        />
      ),
      (row) =>
        row.tag === '' ? null : (
          <OrderField
            label={`${t[key]} ${row.tag}`}
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
      title: t.id,
      rank: 5,
      width: 60,
      sort: 'id',
      render: cell(({ id }) => <span className="number muted">{id}</span>),
    },
    {
      key: 'name',
      title: t.name,
      rank: 1,
      width: 160,
      sort: 'name',
      card: 'title',
      render: cell(
        (channel) => <ChannelName channel={channel} below={tags.on} />,
        (row) => (
          <TagName
            name={row.tag === '' ? t.noTag : fillPhrase(t.tag, { tag: row.tag })}
            label={fillPhrase(t.openTag, { tag: tagName(row) })}
            count={row.channels.length}
            open={tags.isOpen(row)}
            toggle={() => tags.toggle(row)}
          />
        ),
      ),
    },
    {
      key: 'status',
      title: t.status,
      rank: 1,
      width: 168,
      sort: 'status',
      card: 'badge',
      render: cell(
        (channel) => <StatusTag channel={channel} />,
        ({ channels }) => {
          const on = channels.filter(({ status }) => status === CHANNEL_STATUS.enabled).length
          const tip = fillPhrase(t.partlyOn, { on, n: channels.length })
          return (
            <Tag color={on > 0 ? 'green' : 'yellow'} tip={tip}>
              {on > 0 ? t.enabled : t.disabled}
            </Tag>
          )
        },
      ),
    },
    {
      key: 'type',
      title: t.type,
      rank: 2,
      width: 128,
      sort: 'type',
      render: cell(
        (channel) => <TypeTag number={channel.type} type={findType(channel)} />,
        () => <Dot color="light-blue">{t.tagGroup}</Dot>,
      ),
    },
    {
      key: 'group',
      title: t.groups,
      rank: 4,
      width: 140,
      render: cell(
        ({ group }) => <GroupTags groups={parseNameList(group)} />,
        ({ channels }) => <GroupTags groups={parseNameList(channels.map(({ group }) => group).join(','))} />,
      ),
    },
    { key: 'remark', title: t.remark, rank: 4, width: 150, render: cell(({ remark }) => remark) },
    {
      key: 'response_time',
      title: t.responseTime,
      rank: 2,
      width: 112,
      align: 'right',
      sort: 'response_time',
      render: cell(
        (channel) => <ResponseTime milliseconds={channel.response_time} health={healthOf(channel)} />,
        ({ channels }) => <ResponseTime milliseconds={getMeanTime(channels)} health={undefined} />,
      ),
    },
    {
      key: 'health',
      title: t.health,
      rank: 2,
      width: 128,
      render: cell((channel) => <HealthStrip health={healthOf(channel)} />),
    },
    {
      key: 'used',
      title: t.used,
      rank: 3,
      width: 150,
      align: 'right',
      sort: 'used_quota',
      render: cell(
        (channel) => (
          <span className="used">
            <Quota value={channel.used_quota} />
            <BalanceCell channel={channel} ask={() => void balance(channel)} />
          </span>
        ),
        ({ channels }) => <Quota value={channels.reduce((sum, { used_quota }) => sum + used_quota, 0)} />,
      ),
    },
    {
      key: 'priority',
      title: t.priority,
      rank: 1,
      width: 76,
      sort: 'priority',
      render: orderColumn('priority', -999, t.priorityError),
    },
    {
      key: 'weight',
      title: t.weight,
      rank: 2,
      width: 76,
      sort: 'weight',
      render: orderColumn('weight', 0, t.weightError),
    },
  ]
}
