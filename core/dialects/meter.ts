// Counts what a stream says without reading all of it: charged where the provider never reports.

/** Content frames parsed at the start, and then every so often, to learn how much of a frame is not text. */
const LEARN_FIRST = 3
const LEARN_EVERY = 32
/** Bytes of text to a token, roughly. */
const BYTES_PER_TOKEN = 4

const encoder = new TextEncoder()

/** Bytes of a text. */
export const byteLength = (text: string): number => encoder.encode(text).length

/** Counts text by the size of frames: what a frame is larger than its envelope is text. */
export function createMeter() {
  let frames = 0
  let envelope = 0
  let text = 0
  let other = false
  return {
    /** Must the next content frame be parsed? */
    learning: (): boolean => frames < LEARN_FIRST || frames % LEARN_EVERY === 0,
    /** A parsed content frame: `size` and `said` in bytes. */
    read(size: number, said: number): void {
      // The first frames may carry more than later ones (a role, a tool's name): the smallest envelope counts.
      const own = Math.max(0, size - said)
      envelope = frames > 0 && frames < LEARN_FIRST ? Math.min(envelope, own) : own
      frames++
      text += said
    },
    unread(size: number): void {
      frames++
      text += Math.max(0, size - envelope)
    },
    /** There was content that is no text. */
    note(): void {
      other = true
    },
    /** Tokens so far, at least 1 once there was content. */
    tokens: (): number => (frames === 0 && !other ? 0 : Math.max(1, Math.ceil(text / BYTES_PER_TOKEN))),
  }
}
