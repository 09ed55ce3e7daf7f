// Asks which of two concurrent edits to save. The dialog is loaded on first use.
import { lazy, Suspense, useEffect, useState } from 'react'
import { leavePanel, settleBy, type Conflict, type Settled } from '../data/conflict.ts'
import { notify } from '../data/notify.ts'
import { queries } from '../data/queries.ts'
import { useTexts } from '../data/texts.tsx'
import { words } from './texts.ts'

const ConflictDialog = lazy(() =>
  import('./conflict-dialog.tsx').then(({ ConflictDialog }) => ({ default: ConflictDialog })),
)

export function Conflicts() {
  const t = useTexts(words)
  const [pending, setPending] = useState<{ conflict: Conflict; answer(settled: Settled): void } | null>(null)
  useEffect(() => settleBy((conflict) => new Promise((answer) => setPending({ conflict, answer }))), [])
  if (!pending) return null
  const end = (settled: Settled) => {
    setPending(null)
    pending.answer(settled)
    if (settled !== 'stored') return
    leavePanel()
    notify.info(t.theirsStay)
    // The page shows the values that the other user has saved.
    void queries.invalidateQueries()
  }
  return (
    <Suspense>
      <ConflictDialog conflict={pending.conflict} end={end} />
    </Suspense>
  )
}
