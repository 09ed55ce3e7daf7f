// The maps as a table: searchable, edited in place, extensible. Nothing is saved until the changes are applied.
import { IconPlus } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { notify } from '../../../data/notify.ts'
import { fillPhrase, useTexts } from '../../../data/texts.tsx'
import { Table } from '../../../parts/table/table.tsx'
import { Button } from '../../../semi.ts'
import type { RowValue } from './maps.ts'
import { RowDialog } from './row-dialog.tsx'
import { useRowColumns } from './row-columns.tsx'
import { TableHead } from './search.tsx'
import { words } from './texts.ts'
import type { PriceMaps } from './use-price-maps.ts'
import { useRows } from './use-rows.ts'

interface VisualTabProps {
  maps: PriceMaps
  rows: ReadonlyMap<string, RowValue>
}

export function VisualTab({ maps, rows }: VisualTabProps) {
  const t = useTexts(words)
  const shown = useRows(maps, rows, [...rows.keys()].sort())
  const [edited, setEdited] = useState<string | null>(null)
  const put = (name: string, value: RowValue | null) => shown.putAll({ [name]: value })
  const columns = useRowColumns(put)
  return (
    <>
      <TableHead maps={maps} {...shown}>
        <Button icon={<IconPlus aria-hidden />} onClick={() => setEdited('')}>
          {t.add}
        </Button>
      </TableHead>
      <Table
        label={t.visual}
        columns={columns}
        rowKey={({ name }) => name}
        rowName={({ name }) => name}
        list={shown.list}
        paging={shown.paging}
        actions={({ name }) => ({
          verb: { key: 'edit', label: t.edit, run: () => setEdited(name) },
          more: [
            {
              key: 'remove',
              label: t.remove,
              danger: true,
              run() {
                const before = rows.get(name) ?? null
                put(name, null)
                notify.info(fillPhrase(t.removed, { name }), { undo: () => put(name, before) })
              },
            },
          ],
        })}
        empty={{ title: t.empty }}
      />
      {edited !== null && (
        <RowDialog
          name={edited}
          value={rows.get(edited) ?? {}}
          isTaken={(name) => rows.has(name)}
          onSave={(name, value) => {
            put(name, value)
            notify.success(edited === '' ? t.added : t.updated)
            setEdited(null)
          }}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  )
}
