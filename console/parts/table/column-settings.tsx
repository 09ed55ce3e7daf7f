// The columns of a list as the visitor wants them: which are shown, in which order, and how wide; stored in the browser.
import { IconColumnsStroked } from '@douyinfe/semi-icons'
import { useMemo, useState } from 'react'
import { loadLater } from '../load-later.ts'
import { type ColumnLayout, getColumnLayout, getListColumns, usePreference } from '../../data/preferences.ts'
import { useText } from '../../data/texts.tsx'
import { Button } from '../../semi.ts'
import { sortColumns } from './column-order.ts'
import type { TableColumn } from './column.ts'

const ColumnDialog = loadLater(async () => (await import('./column-dialog.tsx')).ColumnDialog)

/** Returns the columns to show in their order, with the widths that were chosen. */
export function useChosenColumns<T>(list: string, columns: TableColumn<T>[]): TableColumn<T>[] {
  const shown = usePreference(getListColumns(list))
  const { order, widths }: ColumnLayout = usePreference(getColumnLayout(list))
  return useMemo(
    () =>
      sortColumns(columns, order ?? [])
        .filter(({ key }) => shown[key] !== false)
        .map((column) => (widths?.[column.key] ? { ...column, chosenWidth: widths[column.key] } : column)),
    [columns, shown, order, widths],
  )
}

interface Props<T> {
  list: string
  columns: TableColumn<T>[]
  /** Without a text, for the foot of a list. */
  small?: boolean
}

/** The button with its dialog. */
export function ColumnSettings<T>({ list, columns, small }: Props<T>) {
  const t = useText()
  const [open, setOpen] = useState(false)
  return (
    <>
      {small ? (
        <button
          type="button"
          className="plain-button"
          aria-label={t('Columns')}
          data-tip={t('Columns')}
          onClick={() => setOpen(true)}
        >
          <IconColumnsStroked aria-hidden />
        </button>
      ) : (
        <Button type="tertiary" icon={<IconColumnsStroked aria-hidden />} onClick={() => setOpen(true)}>
          {t('Column settings')}
        </Button>
      )}
      {open && <ColumnDialog list={list} columns={columns} onClose={() => setOpen(false)} />}
    </>
  )
}
