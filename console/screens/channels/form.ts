// The draft of the channel panel and its conversion to requests.
import { type Channel, type ChannelForm, parseNameList } from '../../../core/channels/channel.ts'
import type { ChannelType } from '../../../core/channels/contract.ts'
import { cleanBaseUrl } from '../../../core/contract/url.ts'
import { isJsonField } from '../../parts/form/json-text.ts'
import { initialChannel } from './form.built.ts'

/** The fields as the form declares them, except that fields chosen from lists are arrays. */
export type ChannelDraft = Omit<ChannelForm, 'models' | 'group'> & { key: string; models: string[]; groups: string[] }

const { models, group, ...begins } = initialChannel
const blank: ChannelDraft = {
  ...begins,
  name: '',
  key: '',
  models: parseNameList(models),
  groups: parseNameList(group),
}

export const toChannelDraft = (channel: Channel | null): ChannelDraft =>
  channel
    ? {
        ...blank,
        ...(Object.fromEntries(
          Object.keys(begins).map((name) => [name, channel[name as keyof Channel]]),
        ) as typeof begins),
        models: parseNameList(channel.models),
        groups: parseNameList(channel.group),
      }
    : blank

/** The request body of both creating and updating. The key is sent only if one was entered. */
export function toChannelRequest({ models, groups, key, ...rest }: ChannelDraft) {
  return {
    ...rest,
    name: rest.name.trim(),
    base_url: cleanBaseUrl(rest.base_url),
    models: models.join(','),
    group: groups.join(','),
    tag: rest.tag?.trim() ?? '',
    ...(key.trim() ? { key: key.trim() } : {}),
  }
}

/** The JSON fields in their order on the panel, without the model mapping. */
export const jsonFieldNames = ['status_code_mapping', 'param_override', 'setting'] as const

export const findBrokenJsonField = (draft: ChannelDraft) => jsonFieldNames.find((name) => !isJsonField(draft[name]))

// The props of each part of the channel panel.

/** The props of every part of the panel. */
export interface PartProps {
  /** null for a new channel. */
  id: number | null
  draft: ChannelDraft
  set(change: Partial<ChannelDraft>): void
  types: ChannelType[]
  /** The chosen type; undefined if the server no longer has it. */
  type: ChannelType | undefined
  isNew: boolean
}
