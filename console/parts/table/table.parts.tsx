import { useState } from 'react'
import type { Loaded } from '../../data/use-endpoint.ts'
import type { Rows } from '../../data/use-paging.ts'
import { LONG_TEXT, ignore, definePreviews } from '../../parts-page/states.ts'
import { Button } from '../../semi.ts'
import { Tag } from '../tags.tsx'
import type { Column } from './column.ts'
import { Table } from './table.tsx'

interface Sample {
  id: number
  name: string
  spent: number
}

const sample = (id: number, name = `laptop ${id}`): Sample => ({ id, name, spent: id * 1234 })
const sampleRows = (count: number) => Array.from({ length: count }, (_, index) => sample(index + 1))

const columns: Column<Sample>[] = [
  { key: 'name', title: 'Name', rank: 1, width: 200, card: 'title', sort: 'name', render: ({ name }) => name },
  { key: 'state', title: 'State', rank: 1, width: 110, card: 'badge', render: () => <Tag color="green">enabled</Tag> },
  { key: 'spent', title: 'Spent', rank: 1, width: 110, align: 'right', render: ({ spent }) => spent },
  ...Array.from({ length: 6 }, (_, index) => ({
    key: `more ${index}`,
    title: `More ${index + 1}`,
    rank: 2 + index,
    width: 180,
    render: () => `value ${index + 1}`,
  })),
]

function List({
  of,
  total = of?.length,
  list = {},
  ...more
}: {
  of?: Sample[]
  total?: number
  list?: Partial<Loaded<Rows<Sample>>>
  selects?: boolean
}) {
  const [keys, select] = useState<(string | number)[]>(more.selects ? [1] : [])
  const [by, change] = useState('')
  const data = of && { rows: of, page: 1, total: total ?? 0 }
  return (
    <Table
      label="Tokens"
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      list={{ data, loading: false, error: null, freshAt: 0, reload: ignore, change: ignore, ...list }}
      paging={{ page: 1, size: 10, show: ignore, resize: ignore }}
      sort={{ by, change }}
      isShaded={({ id }) => id === 2}
      actions={() => ({
        verb: { key: 'edit', label: 'Edit', run: ignore },
        more: [{ key: 'delete', label: 'Delete', danger: true, run: ignore }],
      })}
      selection={
        more.selects
          ? { keys, select, actions: [{ key: 'delete', label: 'Delete', danger: true, run: ignore }] }
          : undefined
      }
      empty={{ title: 'No token yet', action: <Button>Create token</Button> }}
    />
  )
}

export const previews = definePreviews({
  rows: () => <List of={sampleRows(3)} />,
  'selected rows': () => <List of={sampleRows(3)} selects />,
  'pages of rows': () => <List of={sampleRows(10)} total={10_000} />,
  'a hundred rows': () => <List of={sampleRows(100)} />,
  'long text': () => <List of={[sample(1, LONG_TEXT), sample(2, LONG_TEXT.replaceAll(' ', '-'))]} />,
  empty: () => <List of={[]} />,
  'loading for the first time': () => <List list={{ loading: true }} />,
  'loading again': () => <List of={sampleRows(2)} list={{ loading: true }} />,
  failed: () => <List list={{ error: 'The server cannot be reached.' }} />,
  'could not be refreshed': () => (
    <List of={sampleRows(2)} list={{ error: 'The server cannot be reached.', freshAt: 1_790_000_000_000 }} />
  ),
})
