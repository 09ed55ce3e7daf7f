// Normalizes the lists and tags of a channel for storage.
import { fail } from '../errors.ts'
import type { Settings } from '../settings/index.ts'
import { parseNameList, type Channel } from './channel.ts'

type Listed = Partial<Pick<Channel, 'models' | 'group' | 'tag'>>

/** Names without blanks and doubles; an empty tag is none. */
export function normalizeChannelPatch<P extends Listed>(patch: P): P {
  const { models, group, tag } = patch
  return {
    ...patch,
    ...(models === undefined ? {} : { models: parseNameList(models).join(',') }),
    ...(group === undefined ? {} : { group: parseNameList(group).join(',') || 'default' }),
    ...(tag === undefined ? {} : { tag: tag?.trim() || null }),
  }
}

/** Refuses unknown groups, since no call could reach the channel. @throws GatewayError group.unknown */
export function knownGroups({ group }: Listed, { GroupRatio }: Pick<Settings, 'GroupRatio'>): void {
  const unknown = parseNameList(group ?? '').find((name) => !Object.hasOwn(GroupRatio, name))
  if (unknown !== undefined) fail('group.unknown', { group: unknown }, { field: 'group' })
}
