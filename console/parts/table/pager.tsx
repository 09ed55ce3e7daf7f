// Below a list: the range of the shown rows, other pages, and the page size.
import { IconChevronLeft, IconChevronRight, IconTerminal } from '@douyinfe/semi-icons'
import { useFormat } from '../../data/use-format.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { PAGE_SIZES, type Paging, type Rows } from '../../data/use-paging.ts'
import { Choice } from '../choice.tsx'
import { showTerminal } from '../commands.ts'
import { words as partWords } from '../texts.ts'
import { listPages } from './pages.ts'
import { words } from './texts.ts'

export function Pager<T>({ paging, data }: { paging: Paging; data: Rows<T> }) {
  const t = useTexts(words)
  const p = useTexts(partWords)
  const format = useFormat()
  const start = (paging.page - 1) * paging.size + 1
  const counted = Math.max(1, Math.ceil(data.total / paging.size))
  const last =
    data.capped && data.more ? Math.max(counted, paging.page + 1) : Math.max(counted, data.capped ? paging.page : 1)
  const place = {
    start: format.number(start),
    end: format.number(start + (data.counted ?? data.rows.length) - 1),
    total: format.total(data.total, data.capped),
  }
  return (
    <nav className="pager" aria-label={t.pages}>
      <span className="pager-range">{fillPhrase(t.rangeOfTotal, place)}</span>
      {last > 1 && (
        <span className="pager-pages">
          <PageButton label={t.previous} to={paging.page - 1} last={last} show={paging.show}>
            <IconChevronLeft aria-hidden size="small" />
          </PageButton>
          {listPages(paging.page, last).map((page, index) =>
            page === null ? (
              <span key={`gap-${index}`} aria-hidden="true">
                …
              </span>
            ) : (
              <button
                key={page}
                type="button"
                className="plain-button"
                aria-label={fillPhrase(t.page, { n: format.number(page) })}
                aria-current={page === paging.page ? 'page' : undefined}
                onClick={() => paging.show(page)}
              >
                {format.number(page)}
              </button>
            ),
          )}
          <PageButton label={t.next} to={paging.page + 1} last={last} show={paging.show}>
            <IconChevronRight aria-hidden size="small" />
          </PageButton>
        </span>
      )}
      <button
        type="button"
        className="plain-button"
        aria-label={p.terminal}
        data-tip={p.terminal}
        onClick={showTerminal}
      >
        <IconTerminal aria-hidden />
      </button>
      {paging.resize && (
        <Choice
          label={t.pageSize}
          value={String(paging.size)}
          options={PAGE_SIZES.map((size) => ({ value: String(size), label: fillPhrase(t.perPage, { n: size }) }))}
          onChange={(size) => paging.resize?.(Number(size))}
        />
      )}
    </nav>
  )
}

interface PageButtonProps {
  label: string
  to: number
  last: number
  show(page: number): void
  children: React.ReactNode
}

const PageButton = ({ label, to, last, show, children }: PageButtonProps) => (
  <button
    type="button"
    className="plain-button"
    aria-label={label}
    disabled={to < 1 || to > last}
    onClick={() => show(to)}
  >
    {children}
  </button>
)
