// The cells of the channel list.
import { IconFolderOpenStroked, IconFolderStroked } from '@douyinfe/semi-icons'
import { CHANNEL_STATUS, jsonObject, type Channel } from '../../../core/channels/channel.ts'
import type { ChannelType } from '../../../core/channels/contract.ts'
import type { ChannelHealth } from '../../../core/channels/health-contract.ts'
import { shortNumber } from '../../../core/pricing/display.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useFormat } from '../../data/use-format.ts'
import { useTranslatedLogText } from '../../data/use-retold.ts'
import { Dot, Tag, type Color } from '../../parts/tags.tsx'
import { FailedTest } from './health.tsx'
import { words as listWords } from './list-texts.ts'
import { isSandbox, sandboxName } from './sandbox.tsx'
import { words } from './texts.ts'
import { typeColor } from './type-colors.ts'

/** `below`: the channel is shown below its tag. */
export function ChannelName({ channel, below }: { channel: Channel; below: boolean }) {
  return (
    <span className={`channel-name${below ? ' channel-child' : ''}`}>
      {channel.name}
      {channel.tag && !below && <small>#{channel.tag}</small>}
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

export function TypeTag({ number, type }: { number: number; type?: ChannelType }) {
  const t = useTexts(words)
  if (!type || !isSandbox(type)) return <Dot color={typeColor(number)}>{type?.name ?? number}</Dot>
  return (
    <Dot color="amber" tip={t.sandboxLong}>
      {sandboxName(type, t.sandbox)}
    </Dot>
  )
}

export function StatusTag({ channel }: { channel: Channel }) {
  const t = useTexts(words)
  const format = useFormat()
  const translate = useTranslatedLogText()
  if (channel.status === CHANNEL_STATUS.enabled) return <Tag color="green">{t.enabled}</Tag>
  if (channel.status === CHANNEL_STATUS.disabled) return <Tag color="yellow">{t.disabled}</Tag>
  if (channel.status !== CHANNEL_STATUS.auto_disabled) return <Tag color="grey">{t.unknown}</Tag>
  const { status_reason, status_time } = jsonObject(channel.other_info)
  const time = typeof status_time === 'number' ? format.time(status_time) : '-'
  return (
    <Tag color="yellow" tip={fillPhrase(t.reason, { reason: translate(String(status_reason ?? '-')), time })}>
      {t.autoDisabled}
    </Tag>
  )
}

/** Upper bounds of response times in ms, each with its color. */
const STEPS: [number, Color][] = [
  [1000, 'green'],
  [3000, 'lime'],
  [5000, 'yellow'],
]

/** Response time of the last test. A failed test has no time and shows its reason instead. */
export function ResponseTime({ milliseconds, health }: { milliseconds: number; health: ChannelHealth | undefined }) {
  const t = useTexts(words)
  const format = useFormat()
  if (health?.last_test && !health.last_test.passed) return <FailedTest health={health} />
  if (milliseconds === 0) return <span className="muted">{t.untested}</span>
  const color = STEPS.find(([limit]) => milliseconds <= limit)?.[1] ?? 'red'
  return <Dot color={color}>{format.duration(milliseconds)}</Dot>
}

/** Balances from this amount on are shortened. */
const LONG_BALANCE = 100_000

/** The balance at the provider. A click asks the provider again. */
export function BalanceCell({ channel, ask }: { channel: Channel; ask(): void }) {
  const t = useTexts(listWords)
  const format = useFormat()
  const { balance, balance_updated_time: updatedAt } = channel
  const amount = `$${Math.abs(balance) < LONG_BALANCE ? balance.toFixed(2) : shortNumber(balance)}`
  const tip =
    updatedAt === 0
      ? t.balanceNever
      : fillPhrase(t.balanceTold, { time: format.time(updatedAt), amount: `$${balance.toFixed(2)}` })
  return (
    <button
      type="button"
      className="balance number"
      aria-label={fillPhrase(t.balanceOf, { name: channel.name })}
      data-tip={tip}
      onClick={ask}
    >
      {updatedAt === 0 ? '–' : amount}
    </button>
  )
}
