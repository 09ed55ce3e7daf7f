// The bytes of a file from its beginning to its end, looked at in order: little of it is in memory at a time.

/** What was found out of a sound. */
export interface Length {
  seconds: number
  /** Of the sound alone: pictures and words beside it do not count. */
  bytes: number
  /** Nothing was left out to make it small. */
  lossless?: true
}

export class Bytes {
  /** How many have been passed. */
  at = 0
  private readonly source: AsyncIterator<Uint8Array>
  private held: Uint8Array = new Uint8Array()
  private over = false

  constructor(source: AsyncIterable<Uint8Array>) {
    this.source = source[Symbol.asyncIterator]()
  }

  /** The next `count` bytes, which stay next; fewer at the end. */
  async peek(count: number): Promise<Uint8Array> {
    while (this.held.length < count && !this.over) await this.more()
    return this.held.subarray(0, count)
  }

  /** Passes over `count` bytes; false where the file ends before. */
  async skip(count: number): Promise<boolean> {
    let left = count
    for (;;) {
      const here = Math.min(left, this.held.length)
      this.held = this.held.subarray(here)
      this.at += here
      left -= here
      if (left <= 0) return true
      if (this.over) return false
      await this.more()
    }
  }

  async close(): Promise<void> {
    await this.source.return?.()
  }

  private async more(): Promise<void> {
    const { value, done } = await this.source.next()
    if (done) this.over = true
    else if (this.held.length === 0) this.held = value
    else this.held = Buffer.concat([this.held, value])
  }
}

export const toDataView = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Bytes as letters. */
export const textAt = (bytes: Uint8Array, from: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + length))
