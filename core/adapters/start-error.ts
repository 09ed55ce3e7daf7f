/** Why Weir cannot start: one sentence for the operator that says what to do. */
export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StartError'
  }
}
