// Times in a readable form; the tip has the full time.
import type { ReactNode } from 'react'
import { useFormat } from '../../data/use-format.ts'

export const getNowSeconds = () => Math.floor(Date.now() / 1000)

/** `5 minutes ago`; `exact` shows the time itself, for comparing times. */
export function RelativeTime({ seconds, exact }: { seconds: number; exact?: boolean }) {
  const format = useFormat()
  const [relative, tip] = [format.ago(seconds), format.zoned(seconds)]
  return (
    <time
      className="time"
      dateTime={new Date(seconds * 1000).toISOString()}
      data-tip={exact ? `${tip}\n${relative}` : tip}
    >
      {exact ? format.rowTime(seconds) : relative}
    </time>
  )
}

// A phrase whose `{when}` is replaced by an element: `t('Last used {when}', WHEN)`.

export const WHEN = { when: '{when}' }

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
