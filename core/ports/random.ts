/** The only source of randomness. */
export interface Random {
  /** Returns a number that is at least 0 and below 1. */
  number(): number
  /** Returns `length` unguessable letters and digits. */
  text(length: number): string
}
