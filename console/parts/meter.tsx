// How much of a limit is used, as a bar and in words.
import type { ReactNode } from 'react'
import './meter.css'

interface Props {
  /** What it measures, for those who do not see it. */
  label: string
  used: number
  /** Above 0. */
  limit: number
  /** Said beside it: `$0.12 of $1.00`. */
  children: ReactNode
}

/** From this share on it warns. */
const NEARLY = 0.8

export function Meter({ label, used, limit, children }: Props) {
  const share = Math.min(1, Math.max(0, used / limit))
  const level = share >= 1 ? ' meter-full' : share >= NEARLY ? ' meter-nearly' : ''
  return (
    <span
      className={`meter${level}`}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={Math.min(used, limit)}
    >
      <span className="meter-text number">{children}</span>
      <span className="meter-track" aria-hidden="true">
        <span style={{ width: `${share * 100}%` }} />
      </span>
    </span>
  )
}
