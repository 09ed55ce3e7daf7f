// Reads the bytes of a file in order, with only a small part of it in memory.

/** The measured length of a sound. */
export interface SoundLength {
  seconds: number
  /** Bytes of the sound alone, without pictures and texts in the file. */
  bytes: number
  /** Set if the format is lossless. */
  lossless?: true
}

export class BufferedBytes {
  /** Number of bytes that have been skipped. */
  at = 0
  private readonly source: AsyncIterator<Uint8Array>
  private held: Uint8Array = new Uint8Array()
  private isDone = false

  constructor(source: AsyncIterable<Uint8Array>) {
    this.source = source[Symbol.asyncIterator]()
  }

  /** Returns the next `count` bytes without skipping them; fewer at the end. */
  async peek(count: number): Promise<Uint8Array> {
    while (this.held.length < count && !this.isDone) await this.more()
    return this.held.subarray(0, count)
  }

  /** Skips `count` bytes. Returns false if the file ends before. */
  async skip(count: number): Promise<boolean> {
    let remaining = count
    for (;;) {
      const here = Math.min(remaining, this.held.length)
      this.held = this.held.subarray(here)
      this.at += here
      remaining -= here
      if (remaining <= 0) return true
      if (this.isDone) return false
      await this.more()
    }
  }

  async close(): Promise<void> {
    await this.source.return?.()
  }

  private async more(): Promise<void> {
    const { value, done } = await this.source.next()
    if (done) this.isDone = true
    else if (this.held.length === 0) this.held = value
    else this.held = Buffer.concat([this.held, value])
  }
}

export const toDataView = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Returns bytes as text, one character per byte. */
export const getTextAt = (bytes: Uint8Array, from: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + length))
