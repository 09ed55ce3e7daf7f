/**
 * `owned`: another process has the data folder; `secret`: the master secret or its file is unusable; `empty`: an
 * earlier database is missing; `foreign`: the database belongs to another program; `unfinished`: a copy into the
 * database is incomplete.
 */
type StartCode = 'owned' | 'secret' | 'empty' | 'foreign' | 'unfinished'

/** The reason why Weir cannot start, in one sentence with the remedy for the operator. */
export class StartError extends Error {
  readonly code: StartCode | undefined

  constructor(message: string, cause?: unknown, code?: StartCode) {
    super(message, { cause })
    this.name = 'StartError'
    this.code = code
  }
}
