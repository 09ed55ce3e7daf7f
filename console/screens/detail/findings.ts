// What needs attention first: what is out of order, and where it is put right. Pure: told from what the server knows.
import { CHANNEL_STATUS, jsonObject, type Channel } from '../../../core/channels/channel.ts'
import type { ChannelHealth } from '../../../core/channels/health-contract.ts'
import { keysOff } from '../../../core/channels/keys.ts'

export type FindingKind = 'channelOff' | 'errors' | 'keysOff' | 'lowBalance' | 'noPrice' | 'ownErrors' | 'ownBalance'

export interface Finding {
  kind: FindingKind
  /** Of a channel; 0 of anything else. */
  id: number
  /** The channel or the model. */
  name: string
  /** What the provider said. */
  reason: string
  /** What its sentence counts. */
  n: number
  of: number
  /** Where it is looked at and put right. */
  to: string
}

interface Known {
  health: readonly ChannelHealth[]
  channels: readonly Channel[]
  missing: readonly { model: string; calls: number }[]
}

/** So many failures, and such a share of the tries of the last two hours, are a burst. */
const BURST = 5
const BURST_SHARE = 0.5
const BURST_HOURS = 2
/** Dollars, as providers tell it. */
const LOW_BALANCE = 5

const nothing = { id: 0, name: '', reason: '', n: 0, of: 0 }

export function findings({ health, channels, missing }: Known): Finding[] {
  return [
    ...channels.flatMap(({ id, name, status, other_info }): Finding[] => {
      const { status_reason: reason = '' } = jsonObject(other_info)
      return status === CHANNEL_STATUS.auto_disabled
        ? [{ ...nothing, kind: 'channelOff', id, name, reason: String(reason), to: channelAddress(id) }]
        : []
    }),
    ...health.flatMap(({ id, name, status, cells, last_error }): Finding[] => {
      const tried = cells.slice(-BURST_HOURS).flatMap((cell) => cell ?? [])
      const failed = tried.reduce((sum, cell) => sum + cell.failed, 0)
      const of = tried.reduce((sum, cell) => sum + cell.answered + cell.failed, 0)
      if (status !== CHANNEL_STATUS.enabled || !isBurst(failed, of)) return []
      const reason = last_error?.error ?? ''
      return [{ kind: 'errors', id, name, reason, n: failed, of, to: `/log?type=5&span=day&channel=${id}` }]
    }),
    ...channels.flatMap(({ id, name, other_info }): Finding[] => {
      const off = Object.values(keysOff(other_info)).filter(({ by_hand }) => !by_hand)
      const reason = off[0]?.reason ?? ''
      return off.length === 0
        ? []
        : [{ ...nothing, kind: 'keysOff', id, name, reason, n: off.length, to: channelAddress(id) }]
    }),
    ...channels.flatMap(({ id, name, status, balance, balance_updated_time }): Finding[] =>
      status === CHANNEL_STATUS.enabled && balance_updated_time > 0 && balance < LOW_BALANCE
        ? [{ ...nothing, kind: 'lowBalance', id, name, n: balance, to: channelAddress(id) }]
        : [],
    ),
    ...missing
      .filter(({ calls }) => calls > 0)
      .map(({ model, calls }): Finding => ({
        ...{ ...nothing, kind: 'noPrice', name: model, n: calls },
        to: `/setting?${new URLSearchParams({ tab: 'operation', q: model }).toString()}`,
      })),
  ]
}

/** What a user has to look after: `quota` in units. */
export function ownFindings(
  quota: number,
  threshold: number,
  { calls, failed }: { calls: number; failed: number },
): Finding[] {
  const low: Finding = { ...nothing, kind: 'ownBalance', n: quota, to: '/topup' }
  const errors: Finding = { ...nothing, kind: 'ownErrors', n: failed, of: calls, to: '/log?type=5&span=day' }
  return [...(quota < threshold ? [low] : []), ...(isBurst(failed, calls) ? [errors] : [])]
}

const isBurst = (failed: number, of: number) => failed >= BURST && failed / of >= BURST_SHARE

const channelAddress = (id: number) => `/channel/edit/${id}`
