/** The only source of chance. */
export interface Random {
  /** At least 0, below 1. */
  number(): number
  /** `length` letters and digits, unguessable. */
  text(length: number): string
}
