// All prices: searched, filtered by their source, sorted, and opened for editing.
import { useMemo } from 'react'
import { apiClient } from '../../data/client.ts'
import { useAction, useEndpointWithError } from '../../data/use-endpoint.ts'
import { usePaging, useUrlState } from '../../data/use-paging.ts'
import { useText, texts } from '../../data/texts.tsx'
import { askConfirmation } from '../../parts/overlay/confirm.tsx'
import { FilterBar } from '../../parts/filters/filter-bar.tsx'
import type { RowActions } from '../../parts/table/column.ts'
import { DataTable } from '../../parts/table/table.tsx'
import { sortPriceRows, usePriceColumns } from './columns.tsx'
import { PriceDetails } from './details.tsx'
import type { PriceRow } from './draft.ts'
import { changeModelPrice } from './change-price.ts'
import { toPagedList } from './whole-list.ts'

const SOURCE_TEXTS = texts({ default: 'Built-in', none: 'No price', own: 'Set here', family: 'As its family' })

interface Props {
  edit(row: Pick<PriceRow, 'model' | 'channel'>): void
  showHistory(model: string): void
}

const FILTERS = { keyword: '', source: '', scope: '', sort: '' }

export function PriceListTab({ edit, showHistory }: Props) {
  const t = useText()
  const paging = usePaging({ above: 305 })
  const [filter, setFilter] = useUrlState(FILTERS)
  const { keyword, source, scope, sort } = filter
  const isBought = scope === 'bought'
  const found = useEndpointWithError(['prices.list', keyword, scope], () =>
    apiClient.prices.list({ keyword, ...(scope === 'all' ? { all: 'true' } : isBought ? { bought: 'true' } : {}) }),
  )
  const { data, reload } = found
  const rows = useMemo(
    () => data && sortPriceRows(source === '' ? data : data.filter((row) => row.source === source), sort),
    [data, source, sort],
  )
  const [takeOut] = useAction(async ({ model, channel }: PriceRow) => {
    const question = {
      title: t('Remove the price of {name}?', { name: model }),
      body: t('After that, the price of its family or of a pattern applies, or none. The history keeps the price.'),
      yes: t('Remove the price'),
    }
    if (!(await askConfirmation(question))) return
    await changeModelPrice({
      model,
      channel,
      message: t('price of {name} removed', { name: model }),
      done: reload,
      act: () => apiClient.prices.remove({ model, channel }),
    })
    reload()
  })
  const actions = (row: PriceRow): RowActions => ({
    verb: { key: 'edit', label: t('Edit price'), run: () => edit(row) },
    more: [
      { key: 'history', label: t('History of prices'), run: () => showHistory(row.model) },
      ...(row.source === 'own'
        ? [{ key: 'remove', label: t('Remove the price'), danger: true, divider: true, run: () => void takeOut(row) }]
        : []),
    ],
  })
  const narrowed = keyword !== '' || source !== ''
  return (
    <>
      <FilterBar
        list="prices"
        search={{ name: 'keyword', label: t('Model'), placeholder: t('Search models') }}
        filters={[
          {
            name: 'source',
            label: t('Price from'),
            options: (['own', 'default', 'family', 'none'] as const).map((value) => ({
              value,
              label: t(SOURCE_TEXTS[value]),
            })),
          },
          {
            name: 'scope',
            label: t('Models', { context: 'scope' }),
            options: [
              { value: 'all', label: t('All with a price') },
              { value: 'bought', label: t('Purchase prices') },
            ],
          },
        ]}
        value={filter}
        onChange={setFilter}
      />
      <p className="hint">
        {t('Dollars per 1M tokens, before the ratio of a group, unless the column has another unit.')}
      </p>
      <DataTable
        name="prices"
        label={t('Model prices')}
        columns={usePriceColumns(isBought)}
        rowKey={({ model, channel }) => `${channel} ${model}`}
        rowName={({ model }) => model}
        list={toPagedList(found, rows, paging)}
        paging={paging}
        sort={{ by: sort, change: (by) => setFilter({ sort: by }) }}
        actions={actions}
        renderDetails={(row) => <PriceDetails row={row} />}
        empty={{ title: narrowed ? t('No model is priced this way') : t('No prices') }}
      />
    </>
  )
}
