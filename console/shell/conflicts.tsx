// Asks which of two concurrent edits to save. The dialog is loaded on first use.
import { lazy, Suspense, useEffect, useState } from 'react'
import { leavePanel, setConflictHandler, type Conflict, type ConflictChoice } from '../data/conflict.ts'
import { notify } from '../data/notify.ts'
import { queryClient } from '../data/queries.ts'
import { useTexts } from '../data/texts.tsx'
import { words } from './texts.ts'

const ConflictDialog = lazy(() =>
  import('./conflict-dialog.tsx').then(({ ConflictDialog }) => ({ default: ConflictDialog })),
)

export function Conflicts() {
  const t = useTexts(words)
  const [pending, setPending] = useState<{ conflict: Conflict; answer(settled: ConflictChoice): void } | null>(null)
  useEffect(() => setConflictHandler((conflict) => new Promise((answer) => setPending({ conflict, answer }))), [])
  if (!pending) return null
  const end = (settled: ConflictChoice) => {
    setPending(null)
    pending.answer(settled)
    if (settled !== 'stored') return
    leavePanel()
    notify.info(t.theirsStay)
    // The page shows the values that the other user has saved.
    void queryClient.invalidateQueries()
  }
  return (
    <Suspense>
      <ConflictDialog conflict={pending.conflict} end={end} />
    </Suspense>
  )
}
