// Tracks whether the JSON arguments of a call are complete while they stream.

const BLANK = /\s/

/** Follows one JSON value character by character, without storing it. */
export class JsonProgress {
  private state: 'before' | 'inside' | 'whole' | 'other' = 'before'
  private depth = 0
  private inText = false
  private escaped = false

  /** True if only blanks have come. */
  get empty(): boolean {
    return this.state === 'before'
  }

  /** True if the object or list is complete, followed only by blanks. */
  get whole(): boolean {
    return this.state === 'whole'
  }

  /**
   * Takes the next piece.
   * @returns the number of its characters that belong to this value: fewer than all if another object or list starts in it
   */
  take(piece: string): number {
    for (let at = 0; at < piece.length; at++) {
      const letter = piece[at]!
      if (this.state === 'inside') this.follow(letter)
      else if (this.state === 'other') return piece.length
      else if (!BLANK.test(letter)) {
        const opens = letter === '{' || letter === '['
        if (this.state === 'whole' && opens) return at
        // The end of other values, or of text after a value, is unknown.
        this.state = this.state === 'before' && opens ? 'inside' : 'other'
        if (opens) this.depth++
      }
    }
    return piece.length
  }

  private follow(letter: string): void {
    if (this.escaped) this.escaped = false
    else if (this.inText) {
      if (letter === '\\') this.escaped = true
      else if (letter === '"') this.inText = false
    } else if (letter === '"') this.inText = true
    else if (letter === '{' || letter === '[') this.depth++
    else if ((letter === '}' || letter === ']') && --this.depth === 0) this.state = 'whole'
  }
}
