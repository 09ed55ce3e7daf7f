import { useText } from '../../data/texts.tsx'

// Duration of a provider's asynchronous work; slow from a minute on.
import { StateTag } from './tags.tsx'
/** Durations above this are red, in seconds. */
const SLOW = 60

/** Times are in epoch milliseconds; 0 if not reached yet. */
export function DurationTag({ from, to }: { from: number; to: number }) {
  const t = useText()
  if (from <= 0 || to <= 0) return <span className="muted">{t('N/A')}</span>
  const seconds = (to - from) / 1000
  return <StateTag color={seconds > SLOW ? 'red' : 'green'}>{`${seconds.toFixed(1)} s`}</StateTag>
}
