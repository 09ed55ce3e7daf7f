// A phrase whose `{when}` is replaced by an element: `used {when}`.
import type { ReactNode } from 'react'
import { useTexts } from '../../data/texts.tsx'
import { Time } from '../../parts/time.tsx'
import { words } from './texts.ts'

export function Said({ text, children }: { text: string; children: ReactNode }) {
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
export function Used({ seconds }: { seconds: number }) {
  const t = useTexts(words)
  if (seconds === 0) return <span>{t.neverUsed}</span>
  return (
    <Said text={t.usedAt}>
      <Time seconds={seconds} />
    </Said>
  )
}
