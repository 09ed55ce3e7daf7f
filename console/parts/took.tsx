// How long a piece of work took that a provider does in its own time; from a minute on it was slow.
import { useTexts } from '../data/texts.tsx'
import { Tag } from './tags.tsx'
import { words } from './texts.ts'

/** Seconds above which it is red. */
const SLOW = 60

/** Of times in epoch milliseconds; 0 for not yet. */
export function DurationTag({ from, to }: { from: number; to: number }) {
  const t = useTexts(words)
  if (from <= 0 || to <= 0) return <span className="muted">{t.notYet}</span>
  const seconds = (to - from) / 1000
  return <Tag color={seconds > SLOW ? 'red' : 'green'}>{`${seconds.toFixed(1)} s`}</Tag>
}
