// A notice in place of external content that could not be loaded.
import type { ReactNode } from 'react'
import { useTexts } from '../data/texts.tsx'
import { Button } from '../semi.ts'
import { Note } from './note.tsx'
import { words } from './texts.ts'

export function LoadFailed({ children, onAgain }: { children: ReactNode; onAgain(): void }) {
  const t = useTexts(words)
  return (
    <div role="alert" className="unloaded">
      <Note warns>
        {children}{' '}
        <Button size="small" type="tertiary" onClick={onAgain}>
          {t.tryAgain}
        </Button>
      </Note>
    </div>
  )
}
