// Models that are served or requested and have no price, the most used first, each with a button that sets one.
import { apiClient } from '../../data/client.ts'
import { useEndpointWithError } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { usePaging } from '../../data/use-paging.ts'
import { useText } from '../../data/texts.tsx'
import { CountText } from '../../parts/text/count.tsx'
import { DataTable } from '../../parts/table/table.tsx'
import { StateTag } from '../../parts/text/tags.tsx'
import { toPagedList } from './whole-list.ts'

export function MissingTab({ set }: { set(model: string): void }) {
  const t = useText()
  const format = useFormat()
  const paging = usePaging({ above: 262 })
  const found = useEndpointWithError(['prices.missing'], () => apiClient.prices.missing())
  return (
    <>
      <p className="hint">
        {t('Models without a price that channels serve, or that were requested in the last 30 days.')}
      </p>
      <DataTable
        name="missing-prices"
        label={t('Models without a price')}
        columns={[
          { key: 'model', title: t('Model'), rank: 1, width: 240, card: 'title', render: (row) => row.model },
          {
            key: 'served',
            title: t('Channels'),
            rank: 1,
            width: 130,
            card: 'badge',
            render: ({ served }) => (
              <StateTag color={served ? 'green' : 'white'}>{served ? t('Served') : t('Not served')}</StateTag>
            ),
          },
          {
            key: 'calls',
            title: t('Calls'),
            rank: 1,
            width: 110,
            card: 'number',
            align: 'right',
            render: ({ calls }) => <CountText value={calls} />,
          },
          {
            key: 'users',
            title: t('Users', { context: 'number' }),
            rank: 3,
            width: 100,
            under: ['calls'],
            align: 'right',
            render: ({ users }) => <CountText value={users} />,
          },
          {
            key: 'charged',
            title: t('Charged', { context: 'past' }),
            rank: 2,
            width: 120,
            card: 'number',
            align: 'right',
            render: ({ charged }) => <span className="number">{format.quota(charged)}</span>,
          },
        ]}
        rowKey={(row) => row.model}
        rowName={(row) => row.model}
        list={toPagedList(found, found.data, paging)}
        paging={paging}
        actions={(row) => ({ verb: { key: 'set', label: t('Set a price'), run: () => set(row.model) }, more: [] })}
        empty={{ title: t('Every model has a price') }}
      />
    </>
  )
}
