import { definePreviews } from '../../parts-page/states.ts'
import { Pager } from './pager.tsx'

const paging = (page: number, size = 10) => ({ page, size, show: () => undefined, resize: () => undefined })
const rows = (n: number) => Array.from({ length: n }, (_, id) => ({ id }))

export const previews = definePreviews({
  'one page': () => <Pager paging={paging(1)} data={{ rows: rows(3), total: 3, page: 1 }} />,
  'the first of many': () => <Pager paging={paging(1)} data={{ rows: rows(10), total: 187, page: 1 }} />,
  'in the middle': () => <Pager paging={paging(500)} data={{ rows: rows(10), total: 9_870, page: 500 }} />,
  'not counted to its end': () => (
    <Pager paging={paging(1, 100)} data={{ rows: rows(100), total: 10_000, capped: true, page: 1 }} />
  ),
})
