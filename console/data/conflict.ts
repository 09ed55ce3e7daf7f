// Somebody else has saved what this page has read: the person looks at the difference and says whose it is to be. The shell asks,
// whichever form it is; a call that carries the version that was read needs nothing for it.
export interface Conflict {
  /** Of the endpoint that was to save. */
  name: string
  mine: Readonly<Record<string, unknown>>
  /** As it is now; null where nothing reads one of it. */
  theirs: Readonly<Record<string, unknown>> | null
  /** Who saved it, and when. */
  message: string
  /** What its fields are called, where the contract does not tell. */
  fields?: Readonly<Record<string, { label: Readonly<Record<'en' | 'zh', string>>; kind?: string }>>
}

/** Null where they go on typing. */
export type Settled = 'mine' | 'theirs' | null

let ask: ((conflict: Conflict) => Promise<Settled>) | undefined

/** Takes over the asking. Gives what ends it. */
export function settleBy(asker: NonNullable<typeof ask>): () => void {
  ask = asker
  return () => void (ask = undefined)
}

export const resolveConflict = (conflict: Conflict): Promise<Settled> => ask?.(conflict) ?? Promise.resolve(null)

const panels: (() => void)[] = []

/** A panel that can be left with what is typed in it. Gives what ends it. */
export function leavable(leave: () => void): () => void {
  panels.push(leave)
  return () => void panels.splice(panels.indexOf(leave), 1)
}

/** Leaves the panel in front. */
export const leavePanel = (): void => panels.at(-1)?.()
