// The columns of the channel list.
import { IconChevronDown } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { CHANNEL_STATUS, jsonObject, namesIn, type Channel } from '../../../core/channels/channel.ts'
import type { ChannelType } from '../../../core/channels/contract.ts'
import { fill, useTexts } from '../../data/texts.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { Quota } from '../../parts/quota.tsx'
import type { Column } from '../../parts/resource-column.ts'
import { GroupTags, numberedColor, type Color } from '../../parts/tags.tsx'
import { timeText } from '../../parts/time.tsx'
import { Button, Dropdown, Tag, Tooltip } from '../../semi.ts'
import { OrderField } from './order-field.tsx'
import { isSandbox, sandboxName } from './sandbox.tsx'
import { words } from './texts.ts'

export interface ChannelActions {
  types: ChannelType[]
  toggle(channel: Channel): Promise<void>
  order(channel: Channel, fields: { priority?: number; weight?: number }): Promise<void>
  remove(channel: Channel): Promise<void>
  test(channel: Channel, model: string): Promise<void>
  edit(channel: Channel): void
}

export function useChannelColumns(actions: ChannelActions): Column<Channel>[] {
  const t = useTexts(words)
  const typeOf = ({ type }: Channel) => actions.types.find((declared) => declared.type === type)
  return [
    { key: 'id', title: t.id, render: ({ id }) => <span className="number muted">{id}</span> },
    { key: 'name', title: t.name, card: 'title', render: (channel) => <Name channel={channel} /> },
    { key: 'type', title: t.type, render: (channel) => <TypeTag number={channel.type} type={typeOf(channel)} /> },
    { key: 'group', title: t.groups, render: ({ group }) => <GroupTags groups={namesIn(group)} /> },
    { key: 'status', title: t.status, card: 'badge', render: (channel) => <StatusTag channel={channel} /> },
    {
      key: 'response_time',
      title: t.responseTime,
      render: ({ response_time }) => <ResponseTime milliseconds={response_time} />,
    },
    { key: 'used', title: t.used, align: 'right', render: ({ used_quota }) => <Quota value={used_quota} /> },
    {
      key: 'priority',
      title: t.priority,
      render: (channel) => (
        <OrderField
          label={`${t.priority} ${channel.name}`}
          value={channel.priority}
          min={-999}
          error={t.priorityError}
          onSave={(priority) => actions.order(channel, { priority })}
        />
      ),
    },
    {
      key: 'weight',
      title: t.weight,
      render: (channel) => (
        <OrderField
          label={`${t.weight} ${channel.name}`}
          value={channel.weight}
          min={0}
          error={t.weightError}
          onSave={(weight) => actions.order(channel, { weight })}
        />
      ),
    },
    { key: 'actions', title: '', card: 'actions', render: (channel) => <RowActions channel={channel} {...actions} /> },
  ]
}

function Name({ channel }: { channel: Channel }) {
  return (
    <span className="channel-name">
      {channel.name}
      {channel.tag && <small>#{channel.tag}</small>}
    </span>
  )
}

function TypeTag({ number, type }: { number: number; type?: ChannelType }) {
  const t = useTexts(words)
  if (!type || !isSandbox(type)) return <Tag color={numberedColor(number)}>{type?.name ?? number}</Tag>
  return (
    <Tooltip content={t.sandboxLong}>
      <Tag color="amber" type="ghost" tabIndex={0}>
        {sandboxName(type, t.sandbox)}
      </Tag>
    </Tooltip>
  )
}

function StatusTag({ channel }: { channel: Channel }) {
  const t = useTexts(words)
  if (channel.status === CHANNEL_STATUS.enabled) return <Tag color="green">{t.enabled}</Tag>
  if (channel.status === CHANNEL_STATUS.disabled) return <Tag color="yellow">{t.disabled}</Tag>
  if (channel.status !== CHANNEL_STATUS.auto_disabled) return <Tag color="grey">{t.unknown}</Tag>
  const { status_reason, status_time } = jsonObject(channel.other_info)
  const time = typeof status_time === 'number' ? timeText(status_time) : '-'
  return (
    <Tooltip content={fill(t.reason, { reason: String(status_reason ?? '-'), time })}>
      <Tag color="yellow" tabIndex={0}>
        {t.autoDisabled}
      </Tag>
    </Tooltip>
  )
}

function ResponseTime({ milliseconds }: { milliseconds: number }) {
  const t = useTexts(words)
  if (milliseconds === 0) return <Tag color="grey">{t.untested}</Tag>
  const steps: [number, Color][] = [
    [1000, 'green'],
    [3000, 'lime'],
    [5000, 'yellow'],
  ]
  const color = steps.find(([limit]) => milliseconds <= limit)?.[1] ?? 'red'
  return <Tag color={color}>{fill(t.seconds, { n: (milliseconds / 1000).toFixed(2) })}</Tag>
}

function RowActions({ channel, toggle, remove, test, edit }: ChannelActions & { channel: Channel }) {
  const t = useTexts(words)
  const [testing, setTesting] = useState(false)
  const run = async (model: string) => {
    setTesting(true)
    await test(channel, model)
    setTesting(false)
  }
  return (
    <span className="row-actions">
      <Button theme="borderless" size="small" loading={testing} onClick={() => void run('')}>
        {t.test}
      </Button>
      <Dropdown
        trigger="click"
        clickToHide
        position="bottomRight"
        render={
          <Dropdown.Menu className="model-menu">
            {namesIn(channel.models).map((model) => (
              <Dropdown.Item key={model} onClick={() => void run(model)}>
                {model}
              </Dropdown.Item>
            ))}
          </Dropdown.Menu>
        }
      >
        <Button
          theme="borderless"
          size="small"
          icon={<IconChevronDown aria-hidden />}
          aria-label={`${t.testWith}: ${channel.name}`}
        />
      </Dropdown>
      <Button theme="borderless" size="small" onClick={() => edit(channel)}>
        {t.edit}
      </Button>
      <Button theme="borderless" type="tertiary" size="small" onClick={() => void toggle(channel)}>
        {channel.status === CHANNEL_STATUS.enabled ? t.disable : t.enable}
      </Button>
      <ConfirmButton question={t.deleteOne} onConfirm={() => remove(channel)}>
        {t.delete}
      </ConfirmButton>
    </span>
  )
}
