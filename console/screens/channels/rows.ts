// What the list of channels shows: channels, or in tag mode tags, each with its channels below it when it is open.
import type { Channel } from '../../../core/channels/channel.ts'

/** The channels of a tag; the empty one has those of none. */
export interface TagRow {
  id: string
  tag: string
  channels: Channel[]
}

/** What a channel's place among others is changed by. */
export interface Order {
  priority?: number
  weight?: number
}

export type Listed = Channel | TagRow

export const isTag = (row: Listed): row is TagRow => 'channels' in row

const idOf = (tag: string) => `tag ${tag}`

/** Tags by name, those of none last; `open` has the ids of the rows whose channels are shown. */
export function inTags(channels: readonly Channel[], open: ReadonlySet<string>): Listed[] {
  const byTag = new Map<string, Channel[]>()
  for (const channel of channels) {
    const tag = channel.tag ?? ''
    byTag.set(tag, [...(byTag.get(tag) ?? []), channel])
  }
  return [...byTag]
    .sort(([one], [other]) => Number(one === '') - Number(other === '') || (one < other ? -1 : 1))
    .flatMap(([tag, members]) => {
      const id = idOf(tag)
      return [{ id, tag, channels: members }, ...(open.has(id) ? members : [])]
    })
}

/** What all of them have; null where they differ. */
export const common = (values: readonly number[]): number | null =>
  values.every((value) => value === values[0]) ? (values[0] ?? null) : null

/** Ms on average of those that were tested; 0 where none was. */
export function meanTime(channels: readonly Channel[]): number {
  const tested = channels.map(({ response_time }) => response_time).filter((time) => time > 0)
  return tested.length === 0 ? 0 : Math.round(tested.reduce((sum, time) => sum + time, 0) / tested.length)
}
