// Quota as the site shows it: dollars, or a short number of units.
import { quotaText } from '../../core/pricing/display.ts'
import { useStatus } from '../data/status.ts'
import { fill, useTexts } from '../data/texts.tsx'
import { words } from './texts.ts'

/** Writes quota in the site's way. */
export function useQuotaText(): (quota: number, digits?: number) => string {
  const { quota_per_unit, display_in_currency } = useStatus()
  return (quota, digits) => quotaText(quota, { quota_per_unit, display_in_currency }, digits)
}

export function Quota({ value, digits }: { value: number; digits?: number }) {
  const write = useQuotaText()
  return <span className="number">{write(value, digits)}</span>
}

/** Beside a field of quota units: what they are worth; nothing where the site shows units. */
export function QuotaHint({ value }: { value: number }) {
  const t = useTexts(words)
  const { display_in_currency } = useStatus()
  const write = useQuotaText()
  return display_in_currency ? <span className="hint">{fill(t.equivalent, { amount: write(value) })}</span> : null
}
