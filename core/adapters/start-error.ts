/** Why Weir cannot start: one sentence for the operator that says what to do. `owned`: another process has the data folder. */
export class StartError extends Error {
  readonly code: 'owned' | undefined

  constructor(message: string, cause?: unknown, code?: 'owned') {
    super(message, { cause })
    this.name = 'StartError'
    this.code = code
  }
}
