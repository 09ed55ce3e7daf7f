// When a rule holds: pure, and the same for what is now and for the past.
import { SLOT } from '../usage/sums.ts'
import type { RuleKind } from './rule-kinds.ts'

/** The value of a quarter of an hour; null if it is unknown. */
export interface Point {
  /** Its beginning, in epoch seconds. */
  at: number
  value: number | null
}

export interface HeldSpan {
  from: number
  to: number
  worst: number
}

type Side = Pick<RuleKind, 'bad'>

export const isBad = ({ bad }: Side, threshold: number, value: number | null): value is number =>
  value !== null && (bad === 'above' ? value > threshold : value < threshold)

export const pickWorse = ({ bad }: Side, one: number, other: number): number =>
  bad === 'above' ? Math.max(one, other) : Math.min(one, other)

/** Spans of neighbouring quarters in which it held; points by time. */
export function findBreaches(kind: Side, threshold: number, points: readonly Point[]): HeldSpan[] {
  const spans: HeldSpan[] = []
  for (const { at, value } of points) {
    if (!isBad(kind, threshold, value)) continue
    const last = spans.at(-1)
    if (last?.to === at) {
      last.to = at + SLOT
      last.worst = pickWorse(kind, last.worst, value)
    } else spans.push({ from: at, to: at + SLOT, worst: value })
  }
  return spans
}

/** The worst of all points; null where nothing is known. */
export const findWorst = (kind: Side, points: readonly Point[]): number | null =>
  points.reduce<number | null>(
    (worst, { value }) => (value === null ? worst : worst === null ? value : pickWorse(kind, worst, value)),
    null,
  )
