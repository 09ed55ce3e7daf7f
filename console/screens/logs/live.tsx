// The log as it is written: new rows appear on top of the first page. Rows that arrive while it is paused, or while the
// user reads further down, are counted and shown on request.
import { useEffect, useRef, useState } from 'react'
import type { LogEntry } from '../../../core/calls/log-entry.ts'
import { followLogRows } from '../../data/follow.ts'
import { useFormat } from '../../data/use-format.ts'
import { useText } from '../../data/texts.tsx'
import { Button } from '../../semi.ts'
import { toLogInput, type LogSearch } from './use-log-list.ts'
/** Maximum number of live rows that are retained. */
const MOST = 200
/** Distance from the top from which the user counts as reading, so that rows do not move, in px. */
const READING = 120

type LiveState = 'waiting' | 'live' | 'broken' | { refused: string }

export interface LiveLog {
  rows: LogEntry[]
  /** Rows that have arrived and are not shown yet. */
  waiting: LogEntry[]
  /** Number of rows that the stream left out. */
  skipped: number
  state: LiveState
  paused: boolean
  pause(paused: boolean): void
  show(): void
}

export function useLive(on: boolean, search: LogSearch, isAdmin: boolean): LiveLog {
  const [rows, setRows] = useState<LogEntry[]>([])
  const [waiting, setWaiting] = useState<LogEntry[]>([])
  const [skipped, setSkipped] = useState(0)
  const [state, setState] = useState<LiveState>('waiting')
  const [paused, setPaused] = useState(false)
  const isPaused = useRef(paused)
  isPaused.current = paused
  const filter = JSON.stringify(toLogInput(search))
  useEffect(() => {
    setRows([])
    setWaiting([])
    setSkipped(0)
    setState('waiting')
    if (!on) return
    return followLogRows({
      endpoint: isAdmin ? 'stream' : 'streamSelf',
      filter: JSON.parse(filter) as Record<string, unknown>,
      onRow: (row) => {
        const put = (old: LogEntry[]) => [row, ...old.filter(({ id }) => id !== row.id)].slice(0, MOST)
        if (isPaused.current || window.scrollY > READING) setWaiting(put)
        else setRows(put)
      },
      onSkipped: (count) => setSkipped((old) => old + count),
      onState: setState,
    })
  }, [on, filter, isAdmin])
  const show = () => {
    setRows((old) => [...waiting, ...old].slice(0, MOST))
    setWaiting([])
  }
  const pause = (isPausing: boolean) => {
    setPaused(isPausing)
    if (!isPausing) show()
  }
  return { rows, waiting, skipped, state, paused, pause, show }
}

export function LiveBar({ live }: { live: LiveLog }) {
  const t = useText()
  const format = useFormat()
  const { state, waiting, skipped, paused } = live
  const label =
    typeof state === 'object'
      ? state.refused
      : { waiting: t('Connecting…'), live: t('Live'), broken: t('The connection was lost; trying again…') }[state]
  return (
    <div className="live-bar">
      <span className={`live-dot${state === 'live' && !paused ? ' live-on' : ''}`} aria-hidden="true" />
      <span role="status">{paused ? t('Paused') : label}</span>
      <Button size="small" type="tertiary" onClick={() => live.pause(!paused)}>
        {paused ? t('Resume') : t('Pause')}
      </Button>
      {waiting.length > 0 && (
        <Button
          size="small"
          theme="solid"
          onClick={() => {
            live.show()
            window.scrollTo({ top: 0 })
          }}
        >
          {t('{n} new rows', { n: format.number(waiting.length) })}
        </Button>
      )}
      {skipped > 0 && (
        <span className="muted">{t('{n} rows were too many to show', { n: format.number(skipped) })}</span>
      )}
    </div>
  )
}
