// The listed channels: filtered, sorted, by tag or not, and the health of those on the page.
import { useMemo, useState } from 'react'
import { type Channel, CHANNEL_STATUS, parseNameList } from '../../../core/channels/channel.ts'
import type { ChannelType } from '../../../core/channels/contract.ts'
import { apiClient } from '../../data/client.ts'
import { storedPreferences, usePreference } from '../../data/preferences.ts'
import { type LoadedEndpoint, useEndpoint } from '../../data/use-endpoint.ts'
import { usePagedEndpoint } from '../../data/use-paged-endpoint.ts'
import { cutPageRows, type PageOfRows, toPageRows, usePaging, useUrlState } from '../../data/use-paging.ts'
import { useText } from '../../data/texts.tsx'
import type { ListFilter } from '../../parts/filters/filter.ts'
import { useRemaining } from '../../parts/overlay/undo.ts'
// The rows of the channel list: channels, or in tag mode tags, each with its channels below it while it is expanded.

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

export const isTagRow = (row: ChannelRow): row is TagRow => 'channels' in row

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

export function useChannelList() {
  const paging = usePaging()
  const [{ sort, tag_mode, ...search }, setSearch] = useUrlState({
    keyword: '',
    status: '',
    type: '',
    tag: '',
    group: '',
    model: '',
    sort: '',
    tag_mode: '',
  })
  const byId = usePreference(storedPreferences.channelsById)
  const keptByTag = usePreference(storedPreferences.channelsByTag)
  // Without a value in the address, the last choice of the visitor applies.
  const byTag = tag_mode === '' ? keptByTag : tag_mode === 'true'
  const searching = Object.values(search).some((text) => text !== '')

  const all = usePagedEndpoint(['channels.list', search, sort, byId, byTag], paging, async (listPlace) => {
    const { keyword, status, type, ...texts } = search
    const filter = { ...texts, status: Number(status) || 0, type: Number(type) || 0 }
    const order = { id_sort: String(byId), tag_mode: String(byTag), ...(sort ? { sort } : {}) }
    if (keyword !== '') {
      const found = await apiClient.channels.search({ keyword, ...filter, ...order })
      if (!byTag) return cutPageRows(found, listPlace)
      const tags = groupByTag(found, NONE)
      const { rows, ...place } = cutPageRows(tags as TagRow[], listPlace)
      return { ...place, rows: rows.flatMap(({ channels }) => channels) }
    }
    const place = { p: listPlace.page - 1, page_size: listPlace.size }
    const { data: items, total } = await apiClient.channels.list({ ...place, ...filter, ...order })
    return toPageRows({ items, total }, listPlace)
  })
  const channels = useRemaining('channels', all)

  const ids = (all.data?.rows ?? NO_ROWS).map(({ id }) => id).join(',')
  const health = useEndpoint(['channels.health', ids], async () =>
    ids === '' ? { from: 0, channels: [] } : await apiClient.channels.health({ ids }),
  )
  const byChannel = useMemo(() => new Map(health.data?.channels.map((one) => [one.id, one])), [health.data])

  const [open, setOpen] = useState<ReadonlySet<string>>(NONE)
  const list = useMemo((): LoadedEndpoint<PageOfRows<ChannelRow>> => {
    const { data } = channels
    if (!data) return { ...channels, data: undefined, change: NEVER }
    // Pages then count tags, so that their number does not depend on how many channels of one are deleted.
    const rows = byTag ? groupByTag(data.rows, open) : data.rows
    const shown = byTag ? { total: all.data?.total ?? data.total, counted: rows.filter(isTagRow).length } : {}
    return { ...channels, data: { ...data, ...shown, rows }, change: NEVER }
  }, [channels, all.data, byTag, open])

  const reload = () => {
    all.reload()
    health.reload()
  }
  return {
    paging,
    channels,
    list,
    health,
    byId,
    byTag,
    sort,
    search,
    setSearch,
    searching,
    reload,
    healthOf: ({ id }: { id: number }) => byChannel.get(id),
    setByTag(on: boolean) {
      storedPreferences.channelsByTag.write(on)
      setSearch({ tag_mode: String(on) })
    },
    tags: {
      on: byTag,
      isOpen: ({ id }: TagRow) => open.has(id),
      toggle: ({ id }: TagRow) =>
        setOpen((old) => new Set(old.has(id) ? [...old].filter((other) => other !== id) : [...old, id])),
    },
  }
}

const NONE: ReadonlySet<string> = new Set()
const NO_ROWS: readonly { id: number }[] = []
/** Rows are changed through the list of channels that they are built from. */
const NEVER = () => {
  throw new Error('rows of tags are changed by their channels')
}

// The filters of the channel list. Their suggestions come from the types, the groups and the loaded rows.

export type ChannelFilterName = 'keyword' | 'status' | 'type' | 'tag' | 'group' | 'model'

export function useChannelFilters(
  types: readonly ChannelType[],
  groups: readonly string[],
  rows: readonly Channel[],
): ListFilter<ChannelFilterName>[] {
  const t = useText()
  const states = [
    { value: String(CHANNEL_STATUS.enabled), label: t('enabled') },
    { value: String(CHANNEL_STATUS.disabled), label: t('manually disabled') },
    { value: String(CHANNEL_STATUS.auto_disabled), label: t('automatically disabled') },
  ]
  const served = rows.flatMap(({ models }) => parseNameList(models))
  return [
    { name: 'status', label: t('Status'), options: states, areTexts: true },
    { name: 'type', label: t('Type'), options: types.map(({ type, name }) => ({ value: String(type), label: name })) },
    { name: 'tag', label: t('Tag'), suggested: once(rows.flatMap(({ tag }) => (tag ? [tag] : []))) },
    { name: 'group', label: t('Group'), options: groups.map((value) => ({ value })) },
    { name: 'model', label: t('Model'), suggested: once([...served, ...types.flatMap(({ models }) => models)]) },
  ]
}

const once = (texts: readonly string[]): string[] => [...new Set(texts)]
