// Measures how wide the columns of a table are by their contents: once for the rows of a page, and not at each scroll.
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { useLanguage } from '../../data/texts.tsx'
import { type ArrangedColumn, type ContentWidth, isRequired, type TableColumn } from './column.ts'

/** Space around a title, in px. */
const TITLE_PADDING = 18
/** A longer title is broken into two lines. */
const LONGEST_TITLE = 84
/** Room for the letters of a title that are cut unevenly by the break, in px. */
const UNEVEN = 14
/** Widest column by its content, in px. */
const WIDEST = 340

/** Returns the widths by the drawn rows; the declared widths until they are measured. */
export function useContentWidths<T>(
  table: RefObject<HTMLTableElement | null>,
  shown: readonly ArrangedColumn<TableColumn<T>>[],
  rows: readonly T[],
): ContentWidth[] {
  const { language } = useLanguage()
  const fonts = useLoadedFonts()
  const mark = shown.map(({ column, below }) => [column, ...below].map(({ key }) => key).join()).join(' ')
  const [measured, setMeasured] = useState<{ mark: string; widths: MeasuredWidth[] } | null>(null)
  // Cells may show more once their columns are built again, such as the health of channels that was loaded since.
  useLayoutEffect(() => {
    if (!table.current) return
    const widths = measureColumns(table.current)
    setMeasured((old) =>
      old?.mark === mark && JSON.stringify(old.widths) === JSON.stringify(widths) ? old : { mark, widths },
    )
  }, [table, mark, shown, rows, language, fonts])
  return shown.map(({ column }, at) => {
    const { width } = column
    const { title, first, whole } = (measured?.mark === mark && measured.widths[at]) || {
      title: width,
      first: width,
      whole: width,
    }
    return { least: isRequired(column) ? first : Math.max(title, Math.min(first, width)), first, whole }
  })
}

interface MeasuredWidth extends Pick<ContentWidth, 'first' | 'whole'> {
  /** Of the titles, broken into two lines if they are long. */
  title: number
}

function measureColumns(table: HTMLTableElement): MeasuredWidth[] {
  table.classList.add('rows-measured')
  const wholes = measureHeads(table, WIDEST)
  table.classList.add('rows-first-lines')
  const firsts = measureHeads(table, LONGEST_TITLE)
  table.classList.remove('rows-measured', 'rows-first-lines')
  return wholes.map(({ content }, at) => {
    const { title, content: first } = firsts[at]!
    return { title, first: Math.max(title, first), whole: Math.max(wholes[at]!.title, content) }
  })
}

const measureHeads = (table: HTMLTableElement, longestSecond: number): { title: number; content: number }[] =>
  [...table.querySelectorAll<HTMLElement>(':scope > thead > tr > th')].map((head) => {
    const [title, second] = ['.row-title', '.row-second'].map(
      (part) => head.querySelector<HTMLElement>(part)?.offsetWidth ?? 0,
    ) as [number, number]
    const broken = Math.max(
      title <= LONGEST_TITLE ? title : Math.max(LONGEST_TITLE, title / 2 + UNEVEN),
      Math.min(second, longestSecond),
    )
    const content = Math.min(WIDEST, Math.ceil(head.getBoundingClientRect().width))
    return { title: Math.ceil(broken) + TITLE_PADDING, content }
  })

/** Returns how often the fonts of the page have been loaded: texts are then as wide as they stay. */
function useLoadedFonts(): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    const onLoaded = () => setCount((old) => old + 1)
    document.fonts.addEventListener('loadingdone', onLoaded)
    return () => document.fonts.removeEventListener('loadingdone', onLoaded)
  }, [])
  return count
}
