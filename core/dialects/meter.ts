// Counts what a stream says without reading all of it: charged where the provider never reports.
import { Heard } from './sound.ts'

/** Content frames looked into at the start, and then every so often, to learn how much of a frame is not text. */
const LEARN_FIRST = 3
const LEARN_EVERY = 32
/** Bytes of text to a token, roughly. */
const BYTES_PER_TOKEN = 4
/** What a picture counts for that a model makes in a chat: Google's are 1290 tokens. Unit: bytes of text. */
export const PICTURE_BYTES: number = 1290 * BYTES_PER_TOKEN

const encoder = new TextEncoder()

/** Bytes of a text. */
export const byteLength = (text: string): number => encoder.encode(text).length

/** Counts text by the size of frames: what a frame is larger than its envelope is text. */
export class StreamTokenMeter {
  private frames = 0
  private envelope = 0
  private text = 0
  private other = false
  readonly sound = new Heard()

  /** Must the next content frame be looked into? */
  learning(): boolean {
    return this.frames < LEARN_FIRST || this.frames % LEARN_EVERY === 0
  }

  /** A content frame that was looked into: `size` and `said` in bytes. */
  read(size: number, said: number): void {
    // The first frames may carry more than later ones (a role, a tool's name): the smallest envelope counts.
    const own = Math.max(0, size - said)
    this.envelope = this.frames > 0 && this.frames < LEARN_FIRST ? Math.min(this.envelope, own) : own
    this.frames++
    this.text += said
  }

  unread(size: number): void {
    this.frames++
    this.text += Math.max(0, size - this.envelope)
  }

  /** There was content that is no text. */
  note(): void {
    this.other = true
  }

  /** There was sound, with so many bytes of words beside it. */
  hear(bytes: number, format: string, said: number): void {
    this.sound.add(bytes, format)
    this.text += said
    this.other = true
  }

  /** Tokens of words so far, at least 1 once there was content. */
  tokens(): number {
    return this.frames === 0 && !this.other ? 0 : Math.max(1, Math.ceil(this.text / BYTES_PER_TOKEN))
  }
}
