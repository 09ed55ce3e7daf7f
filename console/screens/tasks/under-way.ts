// Whether a drawing or a task may still change, so that a page that shows it asks again.
import { nowSeconds } from '../../parts/time.tsx'

/** Ms between two looks at what is under way. */
export const POLL_MS = 5000

/** What nobody has ended by then will not end any more. */
const LONGEST_SECONDS = 24 * 3600

const ENDED = ['SUCCESS', 'FAILURE']

/** `submitted` in epoch seconds. */
export const isUnderWay = ({ status }: { status: string }, submitted: number): boolean =>
  !ENDED.includes(status) && nowSeconds() - submitted < LONGEST_SECONDS
