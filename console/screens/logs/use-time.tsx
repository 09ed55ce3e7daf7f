// Duration of a call, and the time until its first token.
import type { LogEntry } from '../../../core/calls/log-entry.ts'
import { useTexts } from '../../data/texts.tsx'
import { useFormat } from '../../data/use-format.ts'
import { Dot, type Color } from '../../parts/tags.tsx'
import { parseDetail } from './detail.ts'
import { words } from './texts.ts'

/** Limits of good and of acceptable durations, in seconds. */
const WHOLE = [101, 300] as const
const FIRST_TOKEN = [3, 10] as const

const getColor = (seconds: number, [good, tolerable]: readonly [number, number]): Color =>
  seconds < good ? 'green' : seconds < tolerable ? 'orange' : 'red'

export function UseTime({ entry }: { entry: LogEntry }) {
  const t = useTexts(words)
  const format = useFormat()
  const first = (parseDetail(entry.other).frt ?? 0) / 1000
  return (
    <span className="use-time">
      <Dot color={getColor(entry.use_time, WHOLE)}>{`${format.number(entry.use_time)} s`}</Dot>
      {entry.is_stream && first > 0 && <Dot color={getColor(first, FIRST_TOKEN)}>{format.duration(first * 1000)}</Dot>}
      <span className="muted">{entry.is_stream ? t.stream : t.nonStream}</span>
    </span>
  )
}
