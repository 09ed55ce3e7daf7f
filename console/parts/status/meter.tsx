// The used share of a limit, as a bar and as text.
import type { ReactNode } from 'react'
import './meter.css'

interface Props {
  /** Accessible name of the meter. */
  label: string
  used: number
  /** Above 0. */
  limit: number
  /** Shown next to the bar: `$0.12 of $1.00`. */
  children: ReactNode
}

/** The bar shows a warning from this share on. */
const NEARLY = 0.8

export function UsageMeter({ label, used, limit, children }: Props) {
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
