// Models that are served or requested and have no price, the most used first, each with a button that sets one.
import { client } from '../../data/client.ts'
import { useTexts } from '../../data/texts.tsx'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { usePaging } from '../../data/use-paging.ts'
import { Table } from '../../parts/table/table.tsx'
import { Tag } from '../../parts/tags.tsx'
import { words as allWords } from './texts.ts'
import { words } from './views-texts.ts'
import { toPagedList } from './whole-list.ts'

export function MissingTab({ set }: { set(model: string): void }) {
  const t = useTexts(words)
  const { edit: _edit, model, set: setPrice } = useTexts(allWords)
  const format = useFormat()
  const paging = usePaging()
  const found = useEndpoint(['prices.missing'], () => client.prices.missing())
  return (
    <>
      <p className="hint">{t.missingIntro}</p>
      <Table
        label={t.missingLabel}
        columns={[
          { key: 'model', title: model, rank: 1, width: 240, card: 'title', render: (row) => row.model },
          {
            key: 'served',
            title: t.channels,
            rank: 1,
            width: 130,
            card: 'badge',
            render: ({ served }) => <Tag color={served ? 'green' : 'white'}>{served ? t.isServed : t.isNotServed}</Tag>,
          },
          {
            key: 'calls',
            title: t.calls,
            rank: 1,
            width: 110,
            align: 'right',
            render: ({ calls }) => <span className="number">{format.number(calls)}</span>,
          },
          {
            key: 'users',
            title: t.users,
            rank: 2,
            width: 100,
            align: 'right',
            render: ({ users }) => <span className="number">{format.number(users)}</span>,
          },
          {
            key: 'charged',
            title: t.charged,
            rank: 2,
            width: 120,
            align: 'right',
            render: ({ charged }) => <span className="number">{format.quota(charged)}</span>,
          },
        ]}
        rowKey={(row) => row.model}
        rowName={(row) => row.model}
        list={toPagedList(found, found.data, paging)}
        paging={paging}
        actions={(row) => ({ verb: { key: 'set', label: setPrice, run: () => set(row.model) }, more: [] })}
        empty={{ title: t.noneMissing }}
      />
    </>
  )
}
