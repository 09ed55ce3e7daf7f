// Saved views of a list: the state of the address under a name, stored in this browser.
import { IconBookmark } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { usePreference, type StoredPreference } from '../../data/preferences.ts'
import { useText } from '../../data/texts.tsx'
import { Button, Input } from '../../semi.ts'
import { ModalDialog } from '../overlay/dialog.tsx'
import { buildMenuAttributes } from '../overlay/menu.tsx'

export function SavedViews({ storage }: { storage: StoredPreference<Record<string, string>> }) {
  const t = useText()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const views = usePreference(storage)
  const [name, setName] = useState<string | null>(null)
  const here = Object.entries(views).find(([, query]) => query === search)?.[0]
  const save = () => {
    if (!name?.trim()) return
    storage.write({ ...views, [name.trim()]: search })
    setName(null)
  }
  const without = (gone: string) => Object.fromEntries(Object.entries(views).filter(([each]) => each !== gone))
  return (
    <>
      <Button
        theme="borderless"
        type="tertiary"
        icon={<IconBookmark aria-hidden />}
        {...buildMenuAttributes(t('Views'), () => [
          ...Object.entries(views).map(([each, query]) => ({
            key: `show ${each}`,
            label: each,
            chosen: each === here,
            run: () => void navigate(pathname + query),
          })),
          here === undefined
            ? { key: 'save', label: t('Save this view'), divider: true, run: () => setName('') }
            : {
                key: 'forget',
                label: t('Delete view {name}', { name: here }),
                divider: true,
                danger: true,
                run: () => storage.write(without(here)),
              },
        ])}
      >
        {here ?? t('Views')}
      </Button>
      {name !== null && (
        <ModalDialog
          title={t('Save this view')}
          onClose={() => setName(null)}
          onSubmit={save}
          foot={
            <Button htmlType="submit" theme="solid" disabled={!name.trim()}>
              {t('Save')}
            </Button>
          }
        >
          <Input
            aria-label={t('Name of the view')}
            placeholder={t('Name of the view')}
            maxLength={60}
            value={name}
            onChange={setName}
          />
        </ModalDialog>
      )}
    </>
  )
}
