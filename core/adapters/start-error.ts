/**
 * `owned`: another process has the data folder; `secret`: the master secret or its file will not do; `empty`: a database
 * that there was is not there; `unfinished`: a copy into it has not come to its end.
 */
type StartCode = 'owned' | 'secret' | 'empty' | 'unfinished'

/** Why Weir cannot start: one sentence for the operator that says what to do. */
export class StartError extends Error {
  readonly code: StartCode | undefined

  constructor(message: string, cause?: unknown, code?: StartCode) {
    super(message, { cause })
    this.name = 'StartError'
    this.code = code
  }
}
