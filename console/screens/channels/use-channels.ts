// The listed channels: filtered, sorted, by tag or not, and the health of those on the page.
import { useMemo, useState } from 'react'
import { client } from '../../data/client.ts'
import { preferences, usePreference } from '../../data/preferences.ts'
import { useEndpoint, type Loaded } from '../../data/use-endpoint.ts'
import { toRows, pageRows, usePaging, type Rows } from '../../data/use-paging.ts'
import { useUrlState } from '../../data/use-url-state.ts'
import { useRemaining } from '../../parts/undo.ts'
import { groupByTag, isTag, type ChannelRow, type TagRow } from './rows.ts'

export function useChannels() {
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
  const byId = usePreference(preferences.channelsById)
  const keptByTag = usePreference(preferences.channelsByTag)
  // Without a value in the address, the last choice of the visitor applies.
  const byTag = tag_mode === '' ? keptByTag : tag_mode === 'true'
  const searching = Object.values(search).some((text) => text !== '')

  const all = useEndpoint(['channels.list', paging.page, paging.size, search, sort, byId, byTag], async () => {
    const { keyword, status, type, ...texts } = search
    const filter = { ...texts, status: Number(status) || 0, type: Number(type) || 0 }
    const order = { id_sort: String(byId), tag_mode: String(byTag), ...(sort ? { sort } : {}) }
    if (keyword !== '') {
      const found = await client.channels.search({ keyword, ...filter, ...order })
      if (!byTag) return pageRows(found, paging)
      const tags = groupByTag(found, NONE)
      const { rows, ...place } = pageRows(tags as TagRow[], paging)
      return { ...place, rows: rows.flatMap(({ channels }) => channels) }
    }
    const place = { p: paging.page - 1, page_size: paging.size }
    const { data: items, total } = await client.channels.list({ ...place, ...filter, ...order })
    return toRows({ items, total }, paging)
  })
  const channels = useRemaining('channels', all)

  const ids = (all.data?.rows ?? NO_ROWS).map(({ id }) => id).join(',')
  const health = useEndpoint(['channels.health', ids], async () =>
    ids === '' ? { from: 0, channels: [] } : await client.channels.health({ ids }),
  )
  const byChannel = useMemo(() => new Map(health.data?.channels.map((one) => [one.id, one])), [health.data])

  const [open, setOpen] = useState<ReadonlySet<string>>(NONE)
  const list = useMemo((): Loaded<Rows<ChannelRow>> => {
    const { data } = channels
    if (!data) return { ...channels, data: undefined, change: NEVER }
    // Pages then count tags, so that their number does not depend on how many channels of one are deleted.
    const rows = byTag ? groupByTag(data.rows, open) : data.rows
    const shown = byTag ? { total: all.data?.total ?? data.total, counted: rows.filter(isTag).length } : {}
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
      preferences.channelsByTag.write(on)
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
