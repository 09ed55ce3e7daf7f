// The choice of the shown columns of a list, stored in the browser once confirmed.
import { IconColumnsStroked } from '@douyinfe/semi-icons'
import { Button, Checkbox } from '../../semi.ts'
import { useState } from 'react'
import { usePreference, type StoredPreference } from '../../data/preferences.ts'
import { useText } from '../../data/texts.tsx'
import { ModalDialog } from '../overlay/dialog.tsx'
import type { TableColumn } from './column.ts'
type ShownColumns = Record<string, boolean>

/** Returns the columns to show, and the button with its dialog. */
export function useColumnSettings<T>(columns: TableColumn<T>[], storage: StoredPreference<ShownColumns>) {
  const shown = usePreference(storage)
  return {
    columns: columns.filter(({ key }) => shown[key] !== false),
    button: <ColumnSettings columns={columns} storage={storage} />,
  }
}

function ColumnSettings<T>({
  columns,
  storage,
}: {
  columns: TableColumn<T>[]
  storage: StoredPreference<ShownColumns>
}) {
  const t = useText()
  const [draft, setDraft] = useState<ShownColumns | null>(null)
  const choosable = columns.filter(({ title }) => title !== '')
  const isOn = (key: string) => draft?.[key] !== false
  const count = choosable.filter(({ key }) => isOn(key)).length
  const setAll = (on: boolean) => setDraft(Object.fromEntries(choosable.map(({ key }) => [key, on])))
  return (
    <>
      <Button type="tertiary" icon={<IconColumnsStroked aria-hidden />} onClick={() => setDraft(storage.read())}>
        {t('Column settings')}
      </Button>
      {draft !== null && (
        <ModalDialog
          title={t('Column settings')}
          onClose={() => setDraft(null)}
          foot={
            <>
              <Button className="dialog-aside" type="tertiary" onClick={() => setAll(true)}>
                {t('Reset')}
              </Button>
              <Button type="tertiary" onClick={() => setDraft(null)}>
                {t('Cancel')}
              </Button>
              <Button
                theme="solid"
                onClick={() => {
                  storage.write(draft ?? {})
                  setDraft(null)
                }}
              >
                {t('OK')}
              </Button>
            </>
          }
        >
          <Checkbox
            checked={count === choosable.length}
            indeterminate={count > 0 && count < choosable.length}
            onChange={({ target }) => setAll(target.checked === true)}
          >
            {t('All', { context: 'columns' })}
          </Checkbox>
          <div className="column-choices">
            {choosable.map(({ key, title }) => (
              <Checkbox
                key={key}
                checked={isOn(key)}
                onChange={({ target }) => setDraft((old) => ({ ...old, [key]: target.checked === true }))}
              >
                {title}
              </Checkbox>
            ))}
          </div>
        </ModalDialog>
      )}
    </>
  )
}
