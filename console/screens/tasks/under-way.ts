// Whether a drawing or a task may still change, so that a page polls it.
import { getNowSeconds } from '../../parts/text/time.tsx'

/** Interval between two polls, in ms. */
export const POLL_INTERVAL_MS = 5000

/** A task that has not ended after this time is no longer polled. */
const LONGEST_SECONDS = 24 * 3600

const ENDED = ['SUCCESS', 'FAILURE']

/** `submitted` is in epoch seconds. */
export const isUnderWay = ({ status }: { status: string }, submitted: number): boolean =>
  !ENDED.includes(status) && getNowSeconds() - submitted < LONGEST_SECONDS
