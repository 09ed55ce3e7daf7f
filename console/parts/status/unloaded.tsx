import { useText } from '../../data/texts.tsx'

// A notice in place of external content that could not be loaded.
import type { ReactNode } from 'react'
import { Button } from '../../semi.ts'
import { InlineNote } from './note.tsx'

export function LoadFailed({ children, onAgain }: { children: ReactNode; onAgain(): void }) {
  const t = useText()
  return (
    <div role="alert" className="unloaded">
      <InlineNote warns>
        {children}{' '}
        <Button size="small" type="tertiary" onClick={onAgain}>
          {t('Try again')}
        </Button>
      </InlineNote>
    </div>
  )
}
