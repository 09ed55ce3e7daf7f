// How far a piece of work is: as a bar, or as a ring where there is little room.
import './progress.css'

interface Props {
  /** What is under way, for those who do not see it. */
  label: string
  /** From 0 to 100. */
  percent: number
  /** It came to nothing. */
  failed?: boolean
}

export const ProgressBar = (props: Props) => (
  <span className={classOf('progress-bar', props)} {...spoken(props)}>
    <span className="progress-track" aria-hidden="true">
      <span style={{ width: `${props.percent}%` }} />
    </span>
    <span className="number">{props.percent}%</span>
  </span>
)

/** Px: what is drawn is in the middle of its line. */
const SIZE = 42
const LINE = 4
const AROUND = Math.PI * (SIZE - LINE)

export const ProgressRing = (props: Props) => (
  <span className={classOf('progress-ring', props)} {...spoken(props)}>
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

const classOf = (name: string, { failed, percent }: Props) =>
  `${name}${failed ? ' progress-failed' : percent >= 100 ? ' progress-whole' : ''}`

const spoken = ({ label, percent }: Props) => ({
  role: 'progressbar',
  'aria-label': label,
  'aria-valuemin': 0,
  'aria-valuemax': 100,
  'aria-valuenow': percent,
})

/** What a text such as `42%` says, from 0 to 100; null where it is no number. */
export function parsePercent(text: string): number | null {
  const value = Number.parseFloat(text)
  return /^\s*\d+(\.\d+)?\s*%?\s*$/.test(text) ? Math.min(100, value) : null
}
