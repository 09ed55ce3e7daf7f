import { useText } from '../../data/texts.tsx'

// Numbers over time or by name, as a picture and as a table with the same values: the table serves screen readers and
// the keyboard, and can be saved as CSV. The drawing code is loaded with the first chart.
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../semi.ts'
import { LoadingIndicator } from '../status/waiting.tsx'
import type { ChartProps } from './data.ts'
import './chart.css'

const Canvas = lazy(() => import('./canvas.tsx').then(({ ChartCanvas: Canvas }) => ({ default: Canvas })))

export function DataChart(props: ChartProps) {
  const t = useText()
  const { label, note, exactNote, data, height = 260 } = props
  const [asTable, setAsTable] = useState(false)
  const isEmpty = data.series.every(({ values }) => values.every((value) => value === 0))
  return (
    <figure className="chart" aria-label={label}>
      <figcaption>
        <span className="chart-title">{label}</span>
        {note && (
          <span className="number" data-tip={exactNote === note ? undefined : exactNote}>
            {note}
          </span>
        )}
        <span className="chart-acts">
          <Button size="small" theme="borderless" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            {t('As a table')}
          </Button>
          <Button
            size="small"
            theme="borderless"
            aria-label={`CSV: ${label}`}
            disabled={isEmpty}
            onClick={() => void saveTable(props)}
          >
            CSV
          </Button>
        </span>
      </figcaption>
      {isEmpty ? (
        <p className="chart-empty hint" style={{ height }}>
          {t('No data')}
        </p>
      ) : asTable ? (
        <ChartTable {...props} />
      ) : (
        <div className="chart-picture" style={{ height }}>
          <Suspense fallback={<LoadingIndicator />}>
            <Canvas {...props} />
          </Suspense>
        </div>
      )}
    </figure>
  )
}

const saveTable = async (props: ChartProps) => (await import('./save.ts')).saveChart(props)

function ChartTable({ kind, label, data, bucketLabel, format, onPick }: ChartProps) {
  const shown = kind === 'doughnut' ? data.series.slice(0, 1) : data.series
  return (
    <div className="chart-table" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            <th scope="col">{bucketLabel}</th>
            {shown.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.buckets.map((bucket, at) => (
            <tr key={bucket}>
              <th scope="row">{bucket}</th>
              {shown.map(({ name, values }, index) => (
                <td key={name} className="number">
                  {onPick && values[at] ? (
                    <button type="button" className="chart-pick" onClick={() => onPick(at, index)}>
                      {format(values[at])}
                    </button>
                  ) : (
                    format(values[at] ?? 0)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
