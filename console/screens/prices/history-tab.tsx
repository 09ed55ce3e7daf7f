// The price history: old and new prices, with the user and the time, and a button that restores any of them.
import { client } from '../../data/client.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { toRows, usePaging, useUrlState } from '../../data/use-paging.ts'
import { FilterBar } from '../../parts/filters/filter-bar.tsx'
import { Table } from '../../parts/table/table.tsx'
import { RelativeTime } from '../../parts/time.tsx'
import type { PriceChange } from './draft.ts'
import { LineDiff } from './line-diff.tsx'
import { findPiecePrice, findLinePrice } from './lines.ts'
import { changePrice } from './take-back.ts'
import { words as allWords } from './texts.ts'
import { words } from './views-texts.ts'

export function HistoryTab({ onChanged }: { onChanged(): void }) {
  const t = useTexts(words)
  const all = useTexts(allWords)
  const paging = usePaging()
  const short = useShort()
  const [filter, setFilter] = useUrlState({ keyword: '' })
  const list = useEndpoint(['prices.history', filter.keyword, paging.page, paging.size], async () =>
    toRows(await client.prices.history({ model: filter.keyword, p: paging.page, page_size: paging.size }), paging),
  )
  const onChange = () => {
    list.reload()
    onChanged()
  }
  /** Restores the price after this change. */
  const [bringBack] = useAction(async ({ id, model, channel, to }: PriceChange) => {
    await changePrice({
      model,
      channel,
      message: fillPhrase(t.broughtBack, { name: model }),
      done: onChange,
      act: () => client.prices.apply({ source: `return ${id}`, changes: [{ model, channel, price: to }] }),
    })
    onChange()
  })
  /** Restores the price before this change; refused if it was changed again. */
  const [takeBack] = useAction(async ({ id, model, channel }: PriceChange) => {
    await changePrice({
      model,
      channel,
      message: fillPhrase(t.takenBack, { name: model }),
      done: onChange,
      act: () => client.prices.undo({ change: id }),
    })
    onChange()
  })
  return (
    <>
      <FilterBar
        search={{ name: 'keyword', label: all.model, placeholder: t.exactModel }}
        filters={[]}
        value={filter}
        onChange={setFilter}
      />
      <Table
        label={all.history}
        columns={[
          { key: 'model', title: all.model, rank: 1, width: 190, card: 'title', render: ({ model }) => model },
          {
            key: 'time',
            title: t.time,
            rank: 1,
            width: 130,
            render: (row) => <RelativeTime seconds={row.created_at} />,
          },
          { key: 'who', title: t.who, rank: 2, width: 110, render: ({ username }) => username },
          { key: 'was', title: t.was, rank: 2, width: 170, render: ({ was }) => short(was) },
          { key: 'became', title: t.became, rank: 1, width: 170, render: ({ became }) => short(became) },
          { key: 'from', title: t.doneBy, rank: 4, width: 120, render: ({ source }) => source },
          {
            key: 'channel',
            title: all.channel,
            rank: 5,
            width: 110,
            render: ({ channel }) => channel || null,
          },
        ]}
        rowKey={({ id }) => id}
        rowName={({ model, id }) => `${model} ${id}`}
        list={list}
        paging={paging}
        renderDetails={({ was, became }) => <LineDiff now={was} there={became} heads={[t.was, t.became]} />}
        actions={(row) => ({
          verb: { key: 'bring', label: t.bringBack, run: () => void bringBack(row) },
          more: [{ key: 'undo', label: t.takeBack, run: () => void takeBack(row) }],
        })}
        empty={{ title: t.noHistory }}
      />
    </>
  )
}

/** Returns a formatter of the main components: `$0.40 / $1.60`. */
function useShort() {
  const format = useFormat()
  const all = useTexts(allWords)
  return (lines: PriceChange['was']) => {
    const shown = [findLinePrice(lines, 'input'), findLinePrice(lines, 'output')].filter((usd) => usd !== undefined)
    const numbers =
      shown.length > 0
        ? shown
        : [findPiecePrice(lines) ?? findLinePrice(lines, 'video')].filter((usd) => usd !== undefined)
    return numbers.length === 0 ? (
      <span className="muted">{all.nothing}</span>
    ) : (
      <span className="number">{numbers.map((usd) => format.listPrice(usd)).join(' / ')}</span>
    )
  }
}
