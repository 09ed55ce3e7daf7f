// Estimates a stream's output tokens without parsing all of it: charged if the provider never reports usage.
import { SoundCounter } from './sound.ts'

/**
 * Number of content frames that are parsed at the start, and interval afterwards, to learn how much of a frame is not
 * text.
 */
const LEARN_FIRST = 3
const LEARN_EVERY = 32
/** Bytes of text per token, roughly. */
const BYTES_PER_TOKEN = 4
/** Size counted for an image that a model generates in a chat, in bytes of text: Google's are 1290 tokens. */
export const PICTURE_BYTES: number = 1290 * BYTES_PER_TOKEN

const encoder = new TextEncoder()

/** Returns the length of a text in UTF-8 bytes. */
export const byteLength = (text: string): number => encoder.encode(text).length

/** Counts text by the size of frames: the bytes beyond a frame's envelope are text. */
export class StreamTokenMeter {
  private frames = 0
  private envelope = 0
  private text = 0
  private other = false
  readonly sound = new SoundCounter()

  /** Must the next content frame be parsed? */
  learning(): boolean {
    return this.frames < LEARN_FIRST || this.frames % LEARN_EVERY === 0
  }

  /** Counts a parsed content frame: `size` and `said` in bytes. */
  read(size: number, textBytes: number): void {
    // The first frames may have more than later ones (a role, a tool's name): the smallest envelope counts.
    const own = Math.max(0, size - textBytes)
    this.envelope = this.frames > 0 && this.frames < LEARN_FIRST ? Math.min(this.envelope, own) : own
    this.frames++
    this.text += textBytes
  }

  unread(size: number): void {
    this.frames++
    this.text += Math.max(0, size - this.envelope)
  }

  /** Notes content that is not text. */
  note(): void {
    this.other = true
  }

  /** Counts audio, with the bytes of text next to it. */
  addSound(bytes: number, format: string, textBytes: number): void {
    this.sound.add(bytes, format)
    this.text += textBytes
    this.other = true
  }

  /** Returns the text tokens so far, at least 1 after any content. */
  tokens(): number {
    return this.frames === 0 && !this.other ? 0 : Math.max(1, Math.ceil(this.text / BYTES_PER_TOKEN))
  }
}
