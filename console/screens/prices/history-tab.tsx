// The price history: old and new prices, with the user and the time, and a button that restores any of them.
import { apiClient } from '../../data/client.ts'
import { useAction } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { toPageRows, usePaging, useUrlState } from '../../data/use-paging.ts'
import { usePagedEndpoint } from '../../data/use-paged-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { FilterBar } from '../../parts/filters/filter-bar.tsx'
import { DataTable } from '../../parts/table/table.tsx'
import { StandaloneWord } from '../../parts/text/word.tsx'
import { RelativeTime } from '../../parts/text/time.tsx'
import type { PriceChange } from './draft.ts'
import { LineDiff } from './line-diff.tsx'
import { findPiecePrice, findLinePrice } from './lines.ts'
import { changeModelPrice } from './change-price.ts'

export function HistoryTab({ onChanged }: { onChanged(): void }) {
  const t = useText()
  const paging = usePaging({ above: 262 })
  const short = useShort()
  const [filter, setFilter] = useUrlState({ keyword: '' })
  const list = usePagedEndpoint(['prices.history', filter.keyword], paging, async (listPlace) =>
    toPageRows(
      await apiClient.prices.history({ model: filter.keyword, p: listPlace.page, page_size: listPlace.size }),
      listPlace,
    ),
  )
  const onChange = () => {
    list.reload()
    onChanged()
  }
  /** Restores the price after this change. */
  const [bringBack] = useAction(async ({ id, model, channel, to }: PriceChange) => {
    await changeModelPrice({
      model,
      channel,
      message: t('{name} has this price again', { name: model }),
      done: onChange,
      act: () => apiClient.prices.apply({ source: `return ${id}`, changes: [{ model, channel, price: to }] }),
    })
    onChange()
  })
  /** Restores the price before this change; refused if it was changed again. */
  const [takeBack] = useAction(async ({ id, model, channel }: PriceChange) => {
    await changeModelPrice({
      model,
      channel,
      message: t('change of {name} undone', { name: model }),
      done: onChange,
      act: () => apiClient.prices.undo({ change: id }),
    })
    onChange()
  })
  return (
    <>
      <FilterBar
        list="price-history"
        search={{ name: 'keyword', label: t('Model'), placeholder: t('Exact name of a model') }}
        filters={[]}
        value={filter}
        onChange={setFilter}
      />
      <DataTable
        name="price-history"
        label={t('History')}
        columns={[
          { key: 'model', title: t('Model'), rank: 1, width: 190, card: 'title', render: ({ model }) => model },
          {
            key: 'time',
            title: t('Time'),
            rank: 1,
            width: 130,
            card: 'number',
            render: (row) => <RelativeTime seconds={row.created_at} />,
          },
          {
            key: 'who',
            title: t('By', { context: 'person' }),
            rank: 4,
            width: 110,
            under: ['time'],
            render: ({ username }) => username,
          },
          {
            key: 'was',
            title: t('Old price'),
            rank: 5,
            width: 170,
            under: ['became'],
            render: ({ was }) => short(was),
          },
          {
            key: 'became',
            title: t('New price'),
            rank: 1,
            width: 170,
            card: 'number',
            render: ({ became }) => short(became),
          },
          { key: 'from', title: t('Source'), rank: 5, width: 120, under: ['model'], render: ({ source }) => source },
          {
            key: 'channel',
            title: t('Bought from'),
            rank: 6,
            width: 110,
            under: ['model'],
            render: ({ channel }) => channel || null,
          },
        ]}
        rowKey={({ id }) => id}
        rowName={({ model, id }) => `${model} ${id}`}
        list={list}
        paging={paging}
        renderDetails={({ was, became }) => (
          <LineDiff now={was} there={became} heads={[t('Old price'), t('New price')]} />
        )}
        actions={(row) => ({
          verb: { key: 'bring', label: t('Return to this price'), run: () => void bringBack(row) },
          more: [{ key: 'undo', label: t('Undo this change'), run: () => void takeBack(row) }],
        })}
        empty={{ title: t('No price has been changed yet') }}
      />
    </>
  )
}

/** Returns a formatter of the main components: `$0.40 / $1.60`. */
function useShort() {
  const format = useFormat()
  const t = useText()
  return (lines: PriceChange['was']) => {
    const shown = [findLinePrice(lines, 'input'), findLinePrice(lines, 'output')].filter((usd) => usd !== undefined)
    const numbers =
      shown.length > 0
        ? shown
        : [findPiecePrice(lines) ?? findLinePrice(lines, 'video')].filter((usd) => usd !== undefined)
    return numbers.length === 0 ? (
      <StandaloneWord muted>{t('no price')}</StandaloneWord>
    ) : (
      <span className="number">{numbers.map((usd) => format.listPrice(usd)).join(' / ')}</span>
    )
  }
}
