// Models that channels serve and that no map contains, to be priced one by one or several at once.
import { IconPlus } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { client, withoutErrorToast } from '../../../data/client.ts'
import { notify } from '../../../data/notify.ts'
import { fillPhrase, useTexts } from '../../../data/texts.tsx'
import { useEndpoint } from '../../../data/use-endpoint.ts'
import { EmptyState } from '../../../parts/empty.tsx'
import { Table } from '../../../parts/table/table.tsx'
import { LoadingIndicator } from '../../../parts/waiting.tsx'
import { Button } from '../../../semi.ts'
import { BatchDialog } from './batch-dialog.tsx'
import { parseRows, type MapTexts, type RowValue } from './maps.ts'
import { RowDialog } from './row-dialog.tsx'
import { useRowColumns } from './row-columns.tsx'
import { TableHead } from './search.tsx'
import { words } from './texts.ts'
import type { PriceMaps } from './use-price-maps.ts'
import { useRows } from './use-rows.ts'

interface UnsetTabProps {
  maps: PriceMaps
  rows: ReadonlyMap<string, RowValue>
}

export function UnsetTab(props: UnsetTabProps) {
  const t = useTexts(words)
  const enabled = useEndpoint(['channels.modelsEnabled'], () =>
    withoutErrorToast(() => client.channels.modelsEnabled()),
  )
  if (enabled.error) return <EmptyState failed title={t.enabledFailed} description={enabled.error} />
  return enabled.data ? <Unset enabled={enabled.data} {...props} /> : <LoadingIndicator />
}

function Unset({ maps, rows, enabled }: UnsetTabProps & { enabled: readonly string[] }) {
  const t = useTexts(words)
  const before = parseRows(maps.stored as MapTexts) ?? new Map<string, RowValue>()
  const isSet = (row: RowValue | undefined) => row?.price !== undefined || row?.ratio !== undefined
  // Edited models stay in the list until they are saved, and so do added ones.
  const added = [...rows.keys()].filter((name) => !before.has(name))
  const names = [...new Set([...enabled.filter((name) => !isSet(before.get(name))), ...added])].sort()
  const shown = useRows(maps, rows, names)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [open, setOpen] = useState<'batch' | 'add' | null>(null)
  const columns = useRowColumns((name, value) => shown.putAll({ [name]: value }))
  const openBatch = () => (chosen.length === 0 ? notify.error(t.selectFirst) : setOpen('batch'))
  return (
    <>
      <TableHead maps={maps} {...shown}>
        <Button icon={<IconPlus aria-hidden />} onClick={() => setOpen('add')}>
          {t.add}
        </Button>
        <Button onClick={openBatch}>{fillPhrase(t.batch, { n: chosen.length })}</Button>
      </TableHead>
      <p className="hint">{t.unsetIntro}</p>
      <Table
        label={t.unset}
        columns={columns}
        rowKey={({ name }) => name}
        rowName={({ name }) => name}
        list={shown.list}
        paging={shown.paging}
        selection={{
          keys: chosen,
          select: (keys) => setChosen(keys.map(String)),
          actions: [{ key: 'batch', label: t.set, run: openBatch }],
        }}
        empty={{ title: t.unsetEmpty }}
      />
      {open === 'add' && (
        <RowDialog
          name=""
          value={{}}
          isTaken={(name) => rows.has(name) || names.includes(name)}
          onSave={(name, value) => {
            shown.putAll({ [name]: value })
            notify.success(t.added)
            setOpen(null)
          }}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'batch' && (
        <BatchDialog
          n={chosen.length}
          onSet={(change, type) => {
            shown.putAll(Object.fromEntries(chosen.map((name) => [name, change(rows.get(name) ?? {})])))
            notify.success(fillPhrase(t.batchDone, { n: chosen.length, type }))
            setChosen([])
            setOpen(null)
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}
