// The rows of both tables: their changes, and one page of the search results.
import { useState } from 'react'
import type { Loaded } from '../../../data/use-endpoint.ts'
import { usePaging, type Rows } from '../../../data/use-paging.ts'
import { toPagedList } from '../../prices/whole-list.ts'
import { parseRows, setRows, type MapTexts, type RowValue } from './maps.ts'
import type { NamedRow } from './row-columns.tsx'
import type { PriceMaps } from './use-price-maps.ts'

export function useRows(maps: PriceMaps, rows: ReadonlyMap<string, RowValue>, names: readonly string[]) {
  const [search, setSearch] = useState('')
  const paging = usePaging()
  const before = parseRows(maps.stored as MapTexts) ?? new Map<string, RowValue>()
  const isChanged = (name: string) => JSON.stringify(before.get(name) ?? {}) !== JSON.stringify(rows.get(name) ?? {})
  const found = names
    .filter((name) => name.toLowerCase().includes(search.trim().toLowerCase()))
    .map((name): NamedRow => ({ name, ...rows.get(name) }))
  const list: Loaded<Rows<NamedRow>> = toPagedList(maps.found, found, paging)
  return {
    list,
    paging,
    search,
    isChanged,
    waiting: new Set([...before.keys(), ...rows.keys()].filter(isChanged)).size,
    setSearch(text: string) {
      setSearch(text)
      if (paging.page > 1) paging.show(1)
    },
    putAll: (values: Readonly<Record<string, RowValue | null>>) => maps.change(setRows(maps.texts, values)),
  }
}
