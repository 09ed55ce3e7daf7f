// The cells of the test matrix and the headers of its columns.
import type { ShownKey } from '../../../core/channels/keys-contract.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useFormat } from '../../data/use-format.ts'
import { Dot } from '../../parts/tags.tsx'
import { Button } from '../../semi.ts'
import { keyColors, getKeyState } from './key-state.ts'
import type { TestOutcome } from './test-run.ts'
import { getTestAdvice, words } from './test-texts.ts'

interface CellProps {
  model: string
  /** undefined if the channel has no further key. */
  shown: ShownKey | undefined
  outcome: TestOutcome | undefined
  test(): void
}

/** The result of one test. A click runs it (again). */
export function TestCell({ model, shown, outcome, test }: CellProps) {
  const t = useTexts(words)
  const format = useFormat()
  const state = outcome?.state ?? 'untested'
  const label = outcome?.state === 'passed' ? format.duration(outcome.ms) : t[state as Exclude<typeof state, 'passed'>]
  const reason = outcome?.state === 'failed' ? outcome.error : undefined
  const advice = outcome?.state === 'failed' ? getTestAdvice(outcome.kind, t) : undefined
  const of = shown
    ? fillPhrase(t.cell, { model, place: String(shown.place), key: shown.key })
    : fillPhrase(t.cellOnly, { model })
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
        <Dot color="green">{label}</Dot>
      ) : state === 'failed' ? (
        <Dot color="red">{label}</Dot>
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
  const t = useTexts(words)
  const { key, place, on, reason } = shown
  const named = { place: String(place), key }
  return (
    <>
      <button
        type="button"
        className="matrix-name mono"
        aria-label={fillPhrase(t.testColumn, named)}
        data-tip={fillPhrase(t.testColumn, named)}
        onClick={test}
      >
        {place} {key}
      </button>
      {!on && (
        <span className="matrix-off">
          <Dot color={keyColors[getKeyState(shown)]} tip={reason || undefined}>
            {t[getKeyState(shown)]}
          </Dot>
          {works && (
            <Button size="small" aria-label={fillPhrase(t.enableKey, named)} onClick={enable}>
              {t.enable}
            </Button>
          )}
        </span>
      )}
    </>
  )
}
