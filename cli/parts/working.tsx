// A spinner next to a label, for work that takes time.
import { Spinner } from '@inkjs/ui'
import { useEffect, useState } from 'react'
import { oneLine } from '../../core/logs/visible.ts'

const REFRESH_MS = 200

/** Draws the spinner with the current label. */
export function Working({ label }: { label(): string }) {
  const [, drawAgain] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => drawAgain((times) => times + 1), REFRESH_MS)
    return () => clearInterval(timer)
  }, [])
  return <Spinner label={oneLine(label())} />
}
