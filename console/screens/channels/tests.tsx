// The cells of the test matrix and the headers of its columns.
import { useEffect, useReducer, useRef } from 'react'
import type { ShownKey } from '../../../core/channels/keys-contract.ts'
import { RequestFailure } from '../../data/client.ts'
import { useFormat } from '../../data/use-format.ts'
import { useText, texts } from '../../data/texts.tsx'
import { ColorDot } from '../../parts/text/tags.tsx'
import { Button } from '../../semi.ts'
import { getKeyState, keyStateColors } from './key-state.ts'
import { getTestAdvice } from './test-advice.ts'

const STATE_TEXTS = texts({ waiting: 'waiting', failed: 'failed', running: 'testing…', untested: 'Test' })

const KEY_STATE_TEXTS = texts({ on: 'on', byHand: 'disabled manually', byItself: 'disabled automatically' })

interface CellProps {
  model: string
  /** undefined if the channel has no further key. */
  shown: ShownKey | undefined
  outcome: TestOutcome | undefined
  test(): void
}

/** The result of one test. A click runs it (again). */
export function TestCell({ model, shown, outcome, test }: CellProps) {
  const t = useText()
  const format = useFormat()
  const state = outcome?.state ?? 'untested'
  const label =
    outcome?.state === 'passed' ? format.duration(outcome.ms) : t(STATE_TEXTS[state as Exclude<typeof state, 'passed'>])
  const reason = outcome?.state === 'failed' ? outcome.error : undefined
  const advice = outcome?.state === 'failed' ? getTestAdvice(outcome.kind, t) : undefined
  const of = shown
    ? t('{model}, key {place} {key}: ', { model, place: String(shown.place), key: shown.key })
    : t('{model}: ', { model })
  return (
    <button
      type="button"
      className={`matrix-cell matrix-${state}`}
      data-tip={reason && [reason, advice].filter(Boolean).join(' ')}
      disabled={state === 'waiting' || state === 'running'}
      onClick={test}
    >
      <span className="only-heard">{of}</span>
      {state === 'passed' ? (
        <ColorDot color="green">{label}</ColorDot>
      ) : state === 'failed' ? (
        <ColorDot color="red">{label}</ColorDot>
      ) : (
        label
      )}
      {reason && <span className="matrix-reason">{reason}</span>}
    </button>
  )
}

interface ColumnProps {
  shown: ShownKey
  /** Whether a test with this key has passed. */
  works: boolean
  test(): void
  enable(): void
}

/** A key, its state, and a button that tests every model with it. */
export function TestColumn({ shown, works, test, enable }: ColumnProps) {
  const t = useText()
  const { key, place, on, reason } = shown
  const named = { place: String(place), key }
  return (
    <>
      <button
        type="button"
        className="matrix-name mono"
        aria-label={t('Test every model with key {place} {key}', named)}
        data-tip={t('Test every model with key {place} {key}', named)}
        onClick={test}
      >
        {place} {key}
      </button>
      {!on && (
        <span className="matrix-off">
          <ColorDot color={keyStateColors[getKeyState(shown)]} tip={reason || undefined}>
            {t(KEY_STATE_TEXTS[getKeyState(shown)])}
          </ColorDot>
          {works && (
            <Button size="small" aria-label={t('Enable the working key {place} {key}', named)} onClick={enable}>
              {t('Enable')}
            </Button>
          )}
        </span>
      )}
    </>
  )
}

// Many small tests of one channel, a few at a time: queued, running and finished ones with their results.

/** One model with one key, given by its fingerprint; empty for the only key. */
export interface TestCase {
  model: string
  key: string
}

/** The result of a test, with times in ms. A failure has its kind if the server reports one. */
export type TestOutcome =
  | { state: 'waiting' | 'running' }
  | { state: 'passed'; ms: number }
  | { state: 'failed'; error: string; kind: string | undefined }

/** Maximum number of concurrent tests. */
const AT_ONCE = 4
/** Time without new tests after the server has refused one because it is busy, in ms. */
const REST_MS = 5000
const TOO_MANY = 429

export const toTestId = ({ model, key }: TestCase) => `${key}\n${model}`

/** @param test returns ms; throws RequestFailure. `onDone` is called once no test is queued or running. */
export function createTestRun(test: (spot: TestCase) => Promise<number>, onChange: () => void, onDone: () => void) {
  const outcomes = new Map<string, TestOutcome>()
  let queue: TestCase[] = []
  let running = 0
  let resting: ReturnType<typeof setTimeout> | undefined

  function put(spot: TestCase, outcome: TestOutcome | undefined) {
    if (outcome) outcomes.set(toTestId(spot), outcome)
    else outcomes.delete(toTestId(spot))
    onChange()
  }

  function pump() {
    while (running < AT_ONCE && resting === undefined) {
      const spot = queue.shift()
      if (!spot) break
      void run(spot)
    }
  }

  async function run(spot: TestCase) {
    running += 1
    put(spot, { state: 'running' })
    try {
      put(spot, { state: 'passed', ms: await test(spot) })
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      if (error.status === TOO_MANY) rest(spot)
      else put(spot, { state: 'failed', error: error.message, kind: error.reply?.['kind'] as string | undefined })
    } finally {
      running -= 1
      pump()
      if (running === 0 && queue.length === 0) onDone()
    }
  }

  /** The server itself is busy: repeats the test after a pause. */
  function rest(spot: TestCase) {
    queue.unshift(spot)
    put(spot, { state: 'waiting' })
    resting ??= setTimeout(() => {
      resting = undefined
      onChange()
      pump()
    }, REST_MS)
  }

  return {
    outcomeOf: (spot: TestCase) => outcomes.get(toTestId(spot)),
    /** Tests that are queued or running are not added again. */
    start(spots: readonly TestCase[]) {
      const fresh = spots.filter((spot) => !['waiting', 'running'].includes(outcomes.get(toTestId(spot))?.state ?? ''))
      for (const spot of fresh) outcomes.set(toTestId(spot), { state: 'waiting' })
      queue = [...queue, ...fresh]
      onChange()
      pump()
    },
    /** Lets running tests finish and drops queued ones. */
    stop() {
      clearTimeout(resting)
      resting = undefined
      for (const spot of queue) outcomes.delete(toTestId(spot))
      queue = []
      onChange()
    },
    isOn: () => running > 0 || queue.length > 0,
    isResting: () => resting !== undefined,
    counts() {
      const counts = { waiting: 0, running: 0, passed: 0, failed: 0 }
      for (const { state } of outcomes.values()) counts[state] += 1
      return counts
    },
  }
}
export type TestRun = ReturnType<typeof createTestRun>

/** The test run of a component. Renders at most once per frame, and stops when the component is unmounted. */
export function useTestRun(test: (spot: TestCase) => Promise<number>, onDone: () => void): TestRun {
  const [, draw] = useReducer((count: number) => count + 1, 0)
  const latest = useRef({ test, onDone })
  latest.current = { test, onDone }
  const frame = useRef(0)
  const run = useRef<TestRun>()
  run.current ??= createTestRun(
    (spot) => latest.current.test(spot),
    () => {
      frame.current ||= requestAnimationFrame(() => {
        frame.current = 0
        draw()
      })
    },
    () => latest.current.onDone(),
  )
  useEffect(
    () => () => {
      run.current?.stop()
      cancelAnimationFrame(frame.current)
      frame.current = 0
    },
    [],
  )
  return run.current
}
