// How long a call took, and how long until its first token.
import { detailOf } from '../../../core/calls/detail.ts'
import type { LogEntry } from '../../../core/calls/log-entry.ts'
import { useTexts } from '../../data/texts.tsx'
import type { Color } from '../../parts/tags.tsx'
import { Tag } from '../../semi.ts'
import { words } from './texts.ts'

/** Seconds below which a time is good, and below which it is tolerable. */
const WHOLE = [101, 300] as const
const FIRST_TOKEN = [3, 10] as const

const colorOf = (seconds: number, [good, tolerable]: readonly [number, number]): Color =>
  seconds < good ? 'green' : seconds < tolerable ? 'orange' : 'red'

export function UseTime({ entry }: { entry: LogEntry }) {
  const t = useTexts(words)
  const first = (detailOf(entry.other).frt ?? 0) / 1000
  return (
    <span className="tags">
      <Tag color={colorOf(entry.use_time, WHOLE)}>{entry.use_time} s</Tag>
      {entry.is_stream && first > 0 && <Tag color={colorOf(first, FIRST_TOKEN)}>{first.toFixed(1)} s</Tag>}
      <Tag color={entry.is_stream ? 'blue' : 'purple'}>{entry.is_stream ? t.stream : t.nonStream}</Tag>
    </span>
  )
}
