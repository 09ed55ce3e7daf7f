// Quota as the site shows it: dollars, or a short number of units.
import { useFormat } from '../../data/use-format.ts'
import { useServerStatus } from '../../data/status.ts'
import { useText } from '../../data/texts.tsx'

/** `exact` for billed amounts. */
export function QuotaText({ value, exact }: { value: number; exact?: boolean }) {
  const format = useFormat()
  return (
    <span className="number" data-tip={exact ? undefined : format.exactQuota(value)}>
      {exact ? format.exactQuota(value) : format.quota(value)}
    </span>
  )
}

/** The value of a field of quota units, shown next to it; nothing if the site shows units. */
export function QuotaHint({ value }: { value: number }) {
  const t = useText()
  const { display_in_currency } = useServerStatus()
  const format = useFormat()
  return display_in_currency ? (
    <span className="hint">{t('Equivalent amount: {amount}', { amount: format.quota(value) })}</span>
  ) : null
}
