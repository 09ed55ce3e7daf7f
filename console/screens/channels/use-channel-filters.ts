// The filters of the channel list. Their suggestions come from the types, the groups and the loaded rows.
import { CHANNEL_STATUS, parseNameList, type Channel } from '../../../core/channels/channel.ts'
import type { ChannelType } from '../../../core/channels/contract.ts'
import { useTexts } from '../../data/texts.tsx'
import type { Filter } from '../../parts/filters/filter.ts'
import { words as listWords } from './list-texts.ts'
import { words } from './texts.ts'

export type ChannelFilterName = 'keyword' | 'status' | 'type' | 'tag' | 'group' | 'model'

export function useChannelFilters(
  types: readonly ChannelType[],
  groups: readonly string[],
  rows: readonly Channel[],
): Filter<ChannelFilterName>[] {
  const t = useTexts(words)
  const s = useTexts(listWords)
  const states = [
    { value: String(CHANNEL_STATUS.enabled), label: t.enabled },
    { value: String(CHANNEL_STATUS.disabled), label: t.disabled },
    { value: String(CHANNEL_STATUS.auto_disabled), label: t.autoDisabled },
  ]
  const served = rows.flatMap(({ models }) => parseNameList(models))
  return [
    { name: 'status', label: t.status, options: states },
    { name: 'type', label: t.type, options: types.map(({ type, name }) => ({ value: String(type), label: name })) },
    { name: 'tag', label: s.tagName, suggested: once(rows.flatMap(({ tag }) => (tag ? [tag] : []))) },
    { name: 'group', label: t.group, options: groups.map((value) => ({ value })) },
    { name: 'model', label: t.model, suggested: once([...served, ...types.flatMap(({ models }) => models)]) },
  ]
}

const once = (texts: readonly string[]): string[] => [...new Set(texts)]
