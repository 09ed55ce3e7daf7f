// Below a list: the range of the shown rows, other pages, and the page size.
import { IconChevronLeft, IconChevronRight, IconTerminal } from '@douyinfe/semi-icons'
import { useFormat } from '../../data/use-format.ts'
import { PAGE_SIZES, type ListPaging, type PageOfRows } from '../../data/use-paging.ts'
import { useText } from '../../data/texts.tsx'
import { SegmentedChoice } from '../form/choice.tsx'
import { showTerminal } from '../commands.ts'
import { listPageNumbers } from './pages.ts'

interface Props<T> {
  paging: ListPaging
  data: PageOfRows<T>
  /** Further buttons of the list. */
  children?: React.ReactNode
}

export function TablePager<T>({ paging, data, children }: Props<T>) {
  const t = useText()
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
  const exact = `${format.number(data.total)}${data.capped ? '+' : ''}`
  return (
    <nav className="pager" aria-label={t('Pages', { context: 'list' })}>
      <span className="pager-range" data-tip={exact === place.total ? undefined : exact}>
        {t('Items {start} - {end} of {total}', place)}
      </span>
      {last > 1 && (
        <span className="pager-pages">
          <PageButton label={t('Previous page')} to={paging.page - 1} last={last} show={paging.show}>
            <IconChevronLeft aria-hidden size="small" />
          </PageButton>
          {listPageNumbers(paging.page, last).map((page, index) =>
            page === null ? (
              <span key={`gap-${index}`} aria-hidden="true">
                …
              </span>
            ) : (
              <button
                key={page}
                type="button"
                className="plain-button"
                aria-label={t('Page {n}', { n: format.number(page) })}
                aria-current={page === paging.page ? 'page' : undefined}
                onClick={() => paging.show(page)}
              >
                {format.number(page)}
              </button>
            ),
          )}
          <PageButton label={t('Next page')} to={paging.page + 1} last={last} show={paging.show}>
            <IconChevronRight aria-hidden size="small" />
          </PageButton>
        </span>
      )}
      {children}
      <button
        type="button"
        className="plain-button"
        aria-label={t('The same in the terminal')}
        data-tip={t('The same in the terminal')}
        onClick={showTerminal}
      >
        <IconTerminal aria-hidden />
      </button>
      {paging.resize && (
        <SegmentedChoice
          label={t('Rows per page')}
          value={paging.fits ? '0' : String(paging.size)}
          options={[
            ...(paging.fits === undefined ? [] : [{ value: '0', label: t('As many as fit') }]),
            ...PAGE_SIZES.map((size) => ({ value: String(size), label: t('{n} per page', { n: size }) })),
          ]}
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
