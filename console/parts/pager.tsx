// Under a list: which rows these are, other pages, and how many rows a page has.
import { Choice } from './choice.tsx'
import { Pagination } from '../semi.ts'
import { fill, useTexts } from '../data/texts.tsx'
import { PAGE_SIZES, type Paging, type Rows } from '../data/use-paging.ts'
import { words } from './texts.ts'
import { useMobile } from './use-mobile.ts'

export function Pager<T>({ paging, data }: { paging: Paging; data: Rows<T> }) {
  const t = useTexts(words)
  const mobile = useMobile()
  const start = (paging.page - 1) * paging.size + 1
  const place = { start, end: start + data.rows.length - 1, total: data.total }
  return (
    <div className="pager">
      <span className="pager-range">{fill(t.rangeOfTotal, place)}</span>
      <Pagination
        size={mobile ? 'small' : 'default'}
        hoverShowPageSelect={false}
        total={data.total}
        currentPage={paging.page}
        pageSize={paging.size}
        onPageChange={paging.show}
      />
      <Choice
        label={t.pageSize}
        value={paging.size}
        optionList={PAGE_SIZES.map((size) => ({ value: size, label: fill(t.perPage, { n: size }) }))}
        onChange={(size) => paging.resize(Number(size))}
      />
    </div>
  )
}
