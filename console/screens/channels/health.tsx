// The health of a channel in the last 24 hours: one bar per hour, its height by the number of attempts, red for the
// failed share; and the result of its last test.
import type { ChannelHealth, HealthCell } from '../../../core/channels/health-contract.ts'
import type { TestOutcome } from '../../../core/channels/test-outcome.ts'
import { type Translate, useText } from '../../data/texts.tsx'
import { useFormat } from '../../data/use-format.ts'
import { useTranslatedLogText } from '../../data/use-translated-log-text.ts'
import { StateTag } from '../../parts/text/tags.tsx'
const HIGHEST = 20

export function HealthStrip({ health }: { health: ChannelHealth | undefined }) {
  const t = useText()
  const format = useFormat()
  const translate = useTranslatedLogText()
  if (!health) return null
  const { cells } = health
  const answered = sumCells(cells, ({ answered }) => answered)
  const failed = sumCells(cells, ({ failed }) => failed)
  const most = Math.max(1, ...cells.map((cell) => (cell ? cell.answered + cell.failed : 0)))
  const summary = t('{answered} answered, {failed} failed: {share}', {
    answered: format.number(answered),
    failed: format.number(failed),
    share: answered + failed > 0 ? format.percent(answered / (answered + failed)) : '-',
  })
  const { last_error: last, last_test: test } = health
  const tip = [
    summary,
    ...(last ? [t('Last error, {time}: {error}', { time: format.time(last.at), error: translate(last.error) })] : []),
    ...(test && !test.passed ? [`${t('test failed')}: ${describeTest(test, t, format, translate)}`] : []),
  ].join('\n')
  return (
    <svg
      className="health"
      role="img"
      aria-label={summary}
      data-tip={tip}
      tabIndex={0}
      width={cells.length * 4}
      height={HIGHEST}
    >
      {cells.map((cell, hour) => (
        <Bar key={hour} cell={cell} most={most} x={hour * 4} />
      ))}
    </svg>
  )
}

function Bar({ cell, most, x }: { cell: HealthCell | null; most: number; x: number }) {
  const high = (count: number) => (count === 0 ? 0 : Math.max(2, (count / most) * HIGHEST))
  const answered = high(cell?.answered ?? 0)
  const failed = Math.min(HIGHEST - (answered > 0 ? 2 : 0), high(cell?.failed ?? 0))
  const top = HIGHEST - Math.min(HIGHEST, answered + failed)
  if (!cell) return <rect className="health-none" x={x} y={HIGHEST - 1} width={3} height={1} />
  return (
    <>
      <rect className="health-failed" x={x} y={top} width={3} height={failed} />
      <rect className="health-answered" x={x} y={top + failed} width={3} height={Math.max(0, HIGHEST - top - failed)} />
    </>
  )
}

const sumCells = (cells: readonly (HealthCell | null)[], of: (cell: HealthCell) => number) =>
  cells.reduce((sum, cell) => sum + (cell ? of(cell) : 0), 0)

/** Renders nothing if the last test passed or there was none. */
export function FailedTest({ health }: { health: ChannelHealth | undefined }) {
  const t = useText()
  const format = useFormat()
  const translate = useTranslatedLogText()
  const test = health?.last_test
  if (!test || test.passed) return null
  return (
    <StateTag color="red" tip={describeTest(test, t, format, translate)}>
      {t('test failed')}
    </StateTag>
  )
}

const describeTest = (
  { tested_at, model, error }: TestOutcome,
  t: Translate,
  format: ReturnType<typeof useFormat>,
  translate: (text: string) => string,
): string => t('{time}, {model}: {error}', { time: format.time(tested_at), model, error: translate(error) })
