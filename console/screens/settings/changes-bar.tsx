// The unsaved changes of all tabs: their number, a preview, and buttons to save or discard all of them.
import { lazy, Suspense, useState } from 'react'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { askConfirmation } from '../../parts/confirm.tsx'
import { Button } from '../../semi.ts'
import { words } from './texts.ts'
import { useSave } from './use-save.ts'
import { useSettings } from './use-settings.tsx'

const ChangesDialog = lazy(() => import('./changes-dialog.tsx').then((made) => ({ default: made.ChangesDialog })))

export function ChangesBar() {
  const t = useTexts(words)
  const form = useSettings()
  const { save, busy } = useSave()
  const [reviewed, setReviewed] = useState(false)
  const { changed } = form
  if (changed.length === 0) return null
  const discard = async () => {
    if (await askConfirmation({ title: t.discardAllTitle, body: '', yes: t.discard })) form.takeBack(changed)
  }
  return (
    <div className="changes-bar" role="region" aria-label={fillPhrase(t.unsaved, { n: changed.length })}>
      <span role="status">{changed.length === 1 ? t.unsavedOne : fillPhrase(t.unsaved, { n: changed.length })}</span>
      <Button theme="borderless" onClick={() => setReviewed(true)}>
        {t.review}
      </Button>
      <Button type="tertiary" onClick={() => void discard()}>
        {t.discard}
      </Button>
      <Button theme="solid" loading={busy} onClick={() => void save(changed)}>
        {t.saveAll}
      </Button>
      {reviewed && (
        <Suspense>
          <ChangesDialog
            onClose={() => setReviewed(false)}
            onSave={() => {
              setReviewed(false)
              void save(changed)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}
