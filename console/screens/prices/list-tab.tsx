// All prices: searched, filtered by their source, sorted, and opened for editing.
import { useMemo } from 'react'
import { client } from '../../data/client.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { usePaging, useUrlState } from '../../data/use-paging.ts'
import { askConfirmation } from '../../parts/confirm.tsx'
import { FilterBar } from '../../parts/filters/filter-bar.tsx'
import type { RowActions } from '../../parts/table/column.ts'
import { Table } from '../../parts/table/table.tsx'
import { sortPrices, usePriceColumns } from './columns.tsx'
import { PriceDetails } from './details.tsx'
import type { PriceRow } from './draft.ts'
import { changePrice } from './take-back.ts'
import { toPagedList } from './whole-list.ts'
import { words } from './texts.ts'

interface Props {
  edit(row: Pick<PriceRow, 'model' | 'channel'>): void
  showHistory(model: string): void
}

const FILTERS = { keyword: '', source: '', scope: '', sort: '' }

export function ListTab({ edit, showHistory }: Props) {
  const t = useTexts(words)
  const paging = usePaging()
  const [filter, setFilter] = useUrlState(FILTERS)
  const { keyword, source, scope, sort } = filter
  const isBought = scope === 'bought'
  const found = useEndpoint(['prices.list', keyword, scope], () =>
    client.prices.list({ keyword, ...(scope === 'all' ? { all: 'true' } : isBought ? { bought: 'true' } : {}) }),
  )
  const { data, reload } = found
  const rows = useMemo(
    () => data && sortPrices(source === '' ? data : data.filter((row) => row.source === source), sort),
    [data, source, sort],
  )
  const [takeOut] = useAction(async ({ model, channel }: PriceRow) => {
    const question = { title: fillPhrase(t.takeOutQuestion, { name: model }), body: t.takeOutBody, yes: t.takeOut }
    if (!(await askConfirmation(question))) return
    await changePrice({
      model,
      channel,
      message: fillPhrase(t.takenOut, { name: model }),
      done: reload,
      act: () => client.prices.remove({ model, channel }),
    })
    reload()
  })
  const actions = (row: PriceRow): RowActions => ({
    verb: { key: 'edit', label: t.edit, run: () => edit(row) },
    more: [
      { key: 'history', label: t.historyOf, run: () => showHistory(row.model) },
      ...(row.source === 'own'
        ? [{ key: 'remove', label: t.takeOut, danger: true, divider: true, run: () => void takeOut(row) }]
        : []),
    ],
  })
  const narrowed = keyword !== '' || source !== ''
  return (
    <>
      <FilterBar
        search={{ name: 'keyword', label: t.search, placeholder: t.searchHint }}
        filters={[
          {
            name: 'source',
            label: t.source,
            options: (['own', 'default', 'family', 'none'] as const).map((value) => ({ value, label: t[value] })),
          },
          {
            name: 'scope',
            label: t.scope,
            options: [
              { value: 'all', label: t.everything },
              { value: 'bought', label: t.bought },
            ],
          },
        ]}
        value={filter}
        onChange={setFilter}
      />
      <p className="hint">{t.perMillionNote}</p>
      <Table
        label={t.title}
        columns={usePriceColumns(isBought)}
        rowKey={({ model, channel }) => `${channel} ${model}`}
        rowName={({ model }) => model}
        list={toPagedList(found, rows, paging)}
        paging={paging}
        sort={{ by: sort, change: (by) => setFilter({ sort: by }) }}
        actions={actions}
        renderDetails={(row) => <PriceDetails row={row} />}
        empty={{ title: narrowed ? t.notFound : t.empty }}
      />
    </>
  )
}
