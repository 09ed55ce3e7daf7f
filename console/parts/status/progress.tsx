// The progress of a piece of work: as a bar, or as a ring in narrow places.
import './progress.css'

interface Props {
  /** Accessible name of the work. */
  label: string
  /** From 0 to 100. */
  percent: number
  /** The work has failed. */
  failed?: boolean
}

export const ProgressBar = (props: Props) => (
  <span className={getClassName('progress-bar', props)} {...getProgressAttributes(props)}>
    <span className="progress-track" aria-hidden="true">
      <span style={{ width: `${props.percent}%` }} />
    </span>
    <span className="number">{props.percent}%</span>
  </span>
)

/** Size of the ring in px, so that it is centered in its line. */
const SIZE = 30
const LINE = 3
const AROUND = Math.PI * (SIZE - LINE)

export const ProgressRing = (props: Props) => (
  <span className={getClassName('progress-ring', props)} {...getProgressAttributes(props)}>
    <svg width={SIZE} height={SIZE} viewBox={`0 0 ${SIZE} ${SIZE}`} aria-hidden="true">
      <circle cx={SIZE / 2} cy={SIZE / 2} r={(SIZE - LINE) / 2} strokeWidth={LINE} />
      <circle
        className="progress-done"
        cx={SIZE / 2}
        cy={SIZE / 2}
        r={(SIZE - LINE) / 2}
        strokeWidth={LINE}
        strokeDasharray={`${(AROUND * props.percent) / 100} ${AROUND}`}
      />
    </svg>
    <span className="number">{props.percent}%</span>
  </span>
)

const getClassName = (name: string, { failed, percent }: Props) =>
  `${name}${failed ? ' progress-failed' : percent >= 100 ? ' progress-whole' : ''}`

const getProgressAttributes = ({ label, percent }: Props) => ({
  role: 'progressbar',
  'aria-label': label,
  'aria-valuemin': 0,
  'aria-valuemax': 100,
  'aria-valuenow': percent,
})

/** Parses a text such as `42%` to a number from 0 to 100; null if it is no number. */
export function parsePercentText(text: string): number | null {
  const value = Number.parseFloat(text)
  return /^\s*\d+(\.\d+)?\s*%?\s*$/.test(text) ? Math.min(100, value) : null
}
