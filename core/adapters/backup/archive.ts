// The container of a backup: a tar archive (POSIX ustar), compressed, so that any system's own tools can open one.
import { GatewayError } from '../../errors.ts'

export interface ArchiveEntry {
  name: string
  size: number
  /** Its bytes; what is not read is skipped. */
  pieces: AsyncIterable<Uint8Array>
}

const BLOCK = 512
const NAME = { at: 0, length: 100 }
const SIZE = { at: 124, length: 12 }
const SUM = { at: 148, length: 8 }
/** Sizes that do not fit their octal digits are written in base 256, as GNU and POSIX readers take them. */
const LARGEST_OCTAL = 8 ** 11 - 1

/** What stands before an entry's bytes. */
export function entryHeader(name: string, size: number, seconds: number): Buffer {
  const block = Buffer.alloc(BLOCK)
  const octal = (value: number, at: number, length: number) =>
    block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'ascii')
  block.write(name, NAME.at, NAME.length, 'ascii')
  octal(0o600, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  if (size <= LARGEST_OCTAL) octal(size, SIZE.at, SIZE.length)
  else {
    block.writeUInt8(0x80, SIZE.at)
    block.writeBigUInt64BE(BigInt(size), SIZE.at + SIZE.length - 8)
  }
  octal(seconds, 136, 12)
  block.write('0', 156, 'ascii')
  block.write('ustar\x0000', 257, 'ascii')
  octal(sumOf(block), SUM.at, SUM.length - 1)
  block.write(' ', SUM.at + SUM.length - 1, 'ascii')
  return block
}

/** What stands behind an entry's bytes, up to the next block. */
export const entryPadding = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)

/** The end of an archive. */
export const archiveEnd = (): Buffer => Buffer.alloc(2 * BLOCK)

/** The sum of a header's bytes, its own field taken for blanks. */
function sumOf(block: Buffer): number {
  let sum = 0
  for (const [at, byte] of block.entries()) sum += at >= SUM.at && at < SUM.at + SUM.length ? 0x20 : byte
  return sum
}

/** The entries of an archive, one after the other. @throws GatewayError backup.damaged */
export async function* archiveEntries(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ArchiveEntry> {
  const reader = new ByteReader(bytes)
  for (;;) {
    const block = await reader.exactly(BLOCK)
    if (block.every((byte) => byte === 0)) {
      // Its end is read to the last byte, so that a sum or a seal behind it is checked.
      await reader.rest()
      return
    }
    const sum = Number.parseInt(text(block, SUM), 8)
    if (sum !== sumOf(block)) throw new GatewayError('backup.damaged')
    const size = sizeIn(block)
    const pieces = reader.pieces(size)
    yield { name: text(block, NAME), size, pieces }
    for await (const _ of pieces);
    await reader.exactly(entryPadding(size).length)
  }
}

const text = (block: Buffer, { at, length }: { at: number; length: number }) =>
  block.toString('ascii', at, at + length).replace(/\0.*$/s, '')

const sizeIn = (block: Buffer): number =>
  block[SIZE.at] === 0x80
    ? Number(block.readBigUInt64BE(SIZE.at + SIZE.length - 8))
    : Number.parseInt(text(block, SIZE), 8) || 0

class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>
  #held: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** @throws GatewayError where the archive ends before */
  async exactly(count: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for await (const piece of this.pieces(count)) parts.push(Buffer.from(piece))
    return Buffer.concat(parts)
  }

  async *pieces(count: number): AsyncGenerator<Uint8Array> {
    for (let left = count; left > 0;) {
      if (this.#held.length === 0 && !(await this.#more())) throw new GatewayError('backup.damaged')
      const piece = this.#held.subarray(0, left)
      this.#held = this.#held.subarray(piece.length)
      left -= piece.length
      yield piece
    }
  }

  async rest(): Promise<void> {
    while (await this.#more());
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#source.next()
    this.#held = done ? Buffer.alloc(0) : Buffer.from(value)
    return !done
  }
}
