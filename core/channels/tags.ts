// The changes to all channels of a tag at once.
import type { Channel } from './channel.ts'
import type { SharedChannelPatch } from './store.ts'

/** The form of a tag. Empty models, groups and mapping leave those of the channels unchanged. */
export interface TagChange {
  /** The tag's new name; empty takes the tag away, absent or null keeps it. */
  new_tag?: string | null
  model_mapping?: string | null
  models?: string | null
  groups?: string | null
  priority?: number | null
  weight?: number | null
}

/** The change of each channel. */
export function tagPatch({ new_tag, model_mapping, models, groups, priority, weight }: TagChange): SharedChannelPatch {
  return {
    ...(new_tag === undefined || new_tag === null ? {} : { tag: new_tag.trim() === '' ? null : new_tag.trim() }),
    ...(model_mapping?.trim() ? { model_mapping } : {}),
    ...(models?.trim() ? { models } : {}),
    ...(groups?.trim() ? { group: groups } : {}),
    ...(typeof priority === 'number' ? { priority } : {}),
    ...(typeof weight === 'number' ? { weight } : {}),
  }
}

/** The tags of these channels, each once. */
export const listTags = (channels: readonly Channel[]): string[] => [
  ...new Set(channels.flatMap(({ tag }) => (tag ? [tag] : []))),
]

export const isUntagged = ({ tag }: Pick<Channel, 'tag'>): boolean => !tag
