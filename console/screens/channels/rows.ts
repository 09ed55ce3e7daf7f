// The rows of the channel list: channels, or in tag mode tags, each with its channels below it while it is expanded.
import type { Channel } from '../../../core/channels/channel.ts'

/** The channels of a tag; the empty tag has the channels without one. */
export interface TagRow {
  id: string
  tag: string
  channels: Channel[]
}

/** The fields that order a channel among others. */
export interface ChannelOrder {
  priority?: number
  weight?: number
}

export type ChannelRow = Channel | TagRow

export const isTag = (row: ChannelRow): row is TagRow => 'channels' in row

const toTagRowId = (tag: string) => `tag ${tag}`

/**
 * Groups channels by tag, in the order of the names, with those without a tag last. `open` has the ids of the expanded
 * rows.
 */
export function groupByTag(channels: readonly Channel[], open: ReadonlySet<string>): ChannelRow[] {
  const byTag = new Map<string, Channel[]>()
  for (const channel of channels) {
    const tag = channel.tag ?? ''
    byTag.set(tag, [...(byTag.get(tag) ?? []), channel])
  }
  return [...byTag]
    .sort(([one], [other]) => Number(one === '') - Number(other === '') || (one < other ? -1 : 1))
    .flatMap(([tag, members]) => {
      const id = toTagRowId(tag)
      return [{ id, tag, channels: members }, ...(open.has(id) ? members : [])]
    })
}

/** The value that all of them have; null if they differ. */
export const findCommonValue = (values: readonly number[]): number | null =>
  values.every((value) => value === values[0]) ? (values[0] ?? null) : null

/** Mean response time of the tested channels, in ms; 0 if none was tested. */
export function getMeanTime(channels: readonly Channel[]): number {
  const tested = channels.map(({ response_time }) => response_time).filter((time) => time > 0)
  return tested.length === 0 ? 0 : Math.round(tested.reduce((sum, time) => sum + time, 0) / tested.length)
}
