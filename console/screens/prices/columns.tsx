// The columns of the list of prices.
import { useFormat } from '../../data/use-format.ts'
import type { TableColumn } from '../../parts/table/column.ts'
import { ModelMark } from '../../parts/text/brand-mark.tsx'
import { StateTag } from '../../parts/text/tags.tsx'
import { useLanguage, useText, texts } from '../../data/texts.tsx'
import { findComponent } from '../../../core/pricing/components.ts'
import type { PriceRow } from './draft.ts'
import { findPiecePrice, findLinePrice } from './lines.ts'

const SOURCE_TEXTS = texts({ default: 'Built-in', none: 'No price', own: 'Set here', family: 'As its family' })

/** The value that a column sorts by: numbers numerically, missing values last. */
type SortValue = (row: PriceRow) => string | number | undefined

const VALUES: Readonly<Record<string, SortValue>> = {
  model: ({ model }) => model,
  input: ({ prices }) => findLinePrice(prices, 'input'),
  output: ({ prices }) => findLinePrice(prices, 'output'),
  cache_read: ({ prices }) => findLinePrice(prices, 'cache_read'),
  cache_write: ({ prices }) => findLinePrice(prices, 'cache_write'),
  piece: ({ prices }) => findPiecePrice(prices),
  video: ({ prices }) => findLinePrice(prices, 'video'),
  source: ({ source }) => source,
}

/** @param by name of a column, with a leading `-` for descending */
export function sortPriceRows(rows: readonly PriceRow[], by: string): PriceRow[] {
  const value = VALUES[by.replace(/^-/, '')]
  if (!value) return [...rows]
  const sign = by.startsWith('-') ? -1 : 1
  return [...rows].sort((one, other) => {
    const [a, b] = [value(one), value(other)]
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
    return a === b ? 0 : sign * (a < b ? -1 : 1)
  })
}

export function usePriceColumns(bought: boolean): TableColumn<PriceRow>[] {
  const t = useText()
  const { language } = useLanguage()
  const format = useFormat()
  const dollars = (
    key: string,
    title: string,
    rank: number,
    place?: Pick<TableColumn<PriceRow>, 'under' | 'card'>,
  ): TableColumn<PriceRow> => ({
    key,
    title,
    rank,
    ...place,
    width: 88,
    align: 'right',
    sort: key,
    render(row) {
      const usd = VALUES[key]!(row)
      return usd === undefined ? null : <span className="number">{format.listPrice(Number(usd))}</span>
    },
  })
  const label = (component: string) => findComponent(component)?.label[language] ?? component
  return [
    {
      key: 'model',
      title: t('Model'),
      rank: 1,
      width: 190,
      sort: 'model',
      card: 'title',
      render: ({ model }) => (
        <span className="marked">
          <ModelMark model={model} />
          <span>{model}</span>
        </span>
      ),
    },
    ...(bought
      ? [
          {
            key: 'channel',
            title: t('Bought from'),
            rank: 2,
            width: 100,
            under: ['model'],
            render: ({ channel }: PriceRow) => channel,
          },
        ]
      : []),
    dollars('input', label('input'), 1, { card: 'number' }),
    dollars('output', label('output'), 1, { card: 'number' }),
    dollars('cache_read', label('cache_read'), 3, { under: ['input'] }),
    dollars('cache_write', label('cache_write'), 4, { under: ['cache_read'] }),
    dollars('piece', t('Per call'), 2, { under: ['output'] }),
    dollars('video', t('Per second'), 5, { under: ['piece'] }),
    {
      key: 'source',
      title: t('Price from'),
      rank: 1,
      width: 120,
      sort: 'source',
      card: 'badge',
      render: ({ source, as }) => (
        <StateTag color={source === 'none' ? 'red' : 'white'}>
          {as === '' ? t(SOURCE_TEXTS[source]) : t('as {name}', { name: as })}
        </StateTag>
      ),
    },
  ]
}
