// What is wrong with fields, as the page or the server says: the form that is being filled in shows it there.
import { notify } from './notify.ts'

export interface FieldRefusal {
  /** The path of the field in what was sent. */
  field: string
  message: string
  /** Nothing was to be saved: it stands at the field and nowhere else. */
  isSaidThere?: boolean
}

/** Shows them in place of those before, or says that it has none of their fields. */
type Taker = (refusals: readonly FieldRefusal[]) => boolean

const takers: Taker[] = []

/** Takes refusals before those who took them until now. Gives what ends it. */
export function takeRefusals(taker: Taker): () => void {
  takers.push(taker)
  return () => void takers.splice(takers.indexOf(taker), 1)
}

/** Says each at its field where the form in front has that, else the first as a message. */
export function refuse(refusals: readonly FieldRefusal[], kind: 'error' | 'info' = 'error'): void {
  const [first] = refusals
  if (first && !takers.at(-1)?.(refusals)) notify[kind](first.message)
}

/** What was refused until now is asked for again. */
export const forgetRefusals = (): void => void takers.at(-1)?.([])
