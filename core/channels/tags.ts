// The changes to all channels of a tag at once.
import type { z } from 'zod'
import { jsonObject, parseNameList, type Channel, type ChannelPatch } from './channel.ts'

/** The form of a tag. What is absent, null or empty leaves the value of each channel unchanged, if nothing else is said. */
export interface TagChange {
  /** The tag's new name; empty takes the tag away. */
  new_tag?: string | null
  model_mapping?: string | null
  models?: string | null
  /** Comma lists of models that each channel gains and loses. */
  add_models?: string | null
  remove_models?: string | null
  groups?: string | null
  status_code_mapping?: string | null
  param_override?: string | null
  /** Members to replace in the setting, as JSON; null removes one. */
  setting?: string | null
  /** Empty for the first model. */
  test_model?: string | null
  openai_organization?: string | null
  auto_ban?: number | null
  max_input_tokens?: number | null
  priority?: number | null
  weight?: number | null
}

const TEXTS = ['model_mapping', 'status_code_mapping', 'param_override', 'openai_organization'] as const
const NUMBERS = ['auto_ban', 'max_input_tokens', 'priority', 'weight'] as const

/** Returns the form of one channel, with its setting unmasked. */
export function applyTagChange(
  channel: Pick<Channel, 'models' | 'setting'>,
  change: TagChange,
): z.infer<typeof ChannelPatch> {
  const { new_tag, groups, setting, test_model } = change
  const texts = TEXTS.flatMap((name) => (change[name]?.trim() ? [[name, change[name]]] : []))
  const numbers = NUMBERS.flatMap((name) => (typeof change[name] === 'number' ? [[name, change[name]]] : []))
  return {
    ...(Object.fromEntries([...texts, ...numbers]) as z.infer<typeof ChannelPatch>),
    ...(new_tag === undefined || new_tag === null ? {} : { tag: new_tag.trim() === '' ? null : new_tag.trim() }),
    ...(changesModels(change) ? { models: changeModels(channel.models, change).join(',') } : {}),
    ...(groups?.trim() ? { group: groups } : {}),
    ...(setting?.trim() ? { setting: mergeSetting(channel.setting, setting) } : {}),
    ...(test_model === undefined || test_model === null ? {} : { test_model }),
  }
}

const changesModels = ({ models, add_models, remove_models }: TagChange) =>
  [models, add_models, remove_models].some((list) => list?.trim())

/** Returns the models after additions and removals, in their order. */
export function changeModels(
  current: string,
  { models, add_models, remove_models }: Pick<TagChange, 'models' | 'add_models' | 'remove_models'>,
): string[] {
  const removed = parseNameList(remove_models ?? '')
  const all = parseNameList([models?.trim() ? models : current, add_models ?? ''].join(','))
  return all.filter((name) => !removed.includes(name))
}

function mergeSetting(current: string, change: string): string {
  const members = Object.entries({ ...jsonObject(current), ...jsonObject(change) }).filter(
    ([, value]) => value !== null,
  )
  return members.length === 0 ? '' : JSON.stringify(Object.fromEntries(members))
}

/** The tags of these channels, each once. */
export const listTags = (channels: readonly Channel[]): string[] => [
  ...new Set(channels.flatMap(({ tag }) => (tag ? [tag] : []))),
]

export const isUntagged = ({ tag }: Pick<Channel, 'tag'>): boolean => !tag
