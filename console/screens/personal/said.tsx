// A phrase whose `{when}` is replaced by an element: `used {when}`.
import type { ReactNode } from 'react'
import { useTexts } from '../../data/texts.tsx'
import { RelativeTime } from '../../parts/time.tsx'
import { words } from './texts.ts'

export function PhraseWithTime({ text, children }: { text: string; children: ReactNode }) {
  const [before, after] = text.split('{when}')
  return (
    <span>
      {before}
      {children}
      {after}
    </span>
  )
}

/** @param seconds time of the last use; 0 for never */
export function LastUse({ seconds }: { seconds: number }) {
  const t = useTexts(words)
  if (seconds === 0) return <span>{t.neverUsed}</span>
  return (
    <PhraseWithTime text={t.usedAt}>
      <RelativeTime seconds={seconds} />
    </PhraseWithTime>
  )
}
