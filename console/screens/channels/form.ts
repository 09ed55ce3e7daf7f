// What the channel panel holds, and how it becomes requests.
import { DEFAULT_CHANNEL_TYPE, namesIn, type Channel, type ChannelForm } from '../../../core/channels/channel.ts'
import { cleanBaseUrl } from '../../../core/contract/base-url.ts'
import { isJsonField } from '../../parts/json-text.ts'

export type ChannelDraft = Pick<
  Channel,
  | 'name'
  | 'type'
  | 'openai_organization'
  | 'base_url'
  | 'other'
  | 'model_mapping'
  | 'status_code_mapping'
  | 'param_override'
  | 'setting'
  | 'test_model'
  | 'priority'
  | 'weight'
  | 'max_input_tokens'
  | 'key_mode'
> & { key: string; models: string[]; groups: string[]; tag: string; auto_ban: boolean }

const blank: ChannelDraft = {
  name: '',
  type: DEFAULT_CHANNEL_TYPE,
  key: '',
  openai_organization: '',
  base_url: '',
  other: '',
  models: [],
  groups: ['default'],
  model_mapping: '',
  status_code_mapping: '',
  param_override: '',
  setting: '',
  test_model: '',
  priority: 0,
  weight: 0,
  max_input_tokens: 0,
  key_mode: '',
  tag: '',
  auto_ban: true,
}

export const draftOf = (channel: Channel | null): ChannelDraft =>
  channel
    ? {
        ...blank,
        ...Object.fromEntries(
          Object.keys(blank).flatMap((key) => (key in channel ? [[key, channel[key as 'name']]] : [])),
        ),
        models: namesIn(channel.models),
        groups: namesIn(channel.group),
        tag: channel.tag ?? '',
        auto_ban: channel.auto_ban === 1,
      }
    : blank

/** The body both creating and changing send; the key only where one was typed. */
export function requestOf({ models, groups, key, tag, auto_ban, key_mode, ...rest }: ChannelDraft) {
  return {
    ...rest,
    key_mode: key_mode as ChannelForm['key_mode'],
    name: rest.name.trim(),
    base_url: cleanBaseUrl(rest.base_url),
    models: models.join(','),
    group: groups.join(','),
    tag: tag.trim() || null,
    auto_ban: auto_ban ? 1 : 0,
    ...(key.trim() ? { key: key.trim() } : {}),
  }
}

export const endsInV1 = (url: string) => /\/v1\/*$/.test(url.trim())
export const withoutV1 = (url: string) => url.trim().replace(/\/v1\/*$/, '')

/** The JSON fields besides the mapping, in the order they stand. */
export const jsonFields = ['status_code_mapping', 'param_override', 'setting'] as const

export const brokenJsonField = (draft: ChannelDraft) => jsonFields.find((name) => !isJsonField(draft[name]))
