// The container of a backup: a compressed tar archive (POSIX ustar), which the tools of any system can open. The
// library is loaded when a backup is made or read.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { buffer } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'

export interface ArchiveEntry {
  name: string
  /** The content. Unread bytes are skipped. */
  pieces: AsyncIterable<Uint8Array>
}

export interface NewArchiveEntry extends ArchiveEntry {
  /** Bytes. */
  size: number
  /** Time of creation, in epoch seconds. */
  seconds: number
}

const END_BYTES = 1024
/** Only for its owner. */
const MODE = 0o600

/** Returns the bytes of an archive of these entries. */
export async function* writeArchive(entries: readonly NewArchiveEntry[]): AsyncGenerator<Uint8Array> {
  const { pack } = await import('tar-stream')
  const archive = pack()
  const writeEntries = async () => {
    for (const { name, size, seconds, pieces } of entries)
      await pipeline(pieces, archive.entry({ name, size, mode: MODE, mtime: new Date(seconds * 1000) }))
    archive.finalize()
  }
  const written = writeEntries().catch((error: Error) => void archive.destroy(error))
  try {
    yield* archive
  } finally {
    archive.destroy()
    await written
  }
}

/** Returns the bytes of an archive without its end marker, so that another archive can follow. */
export async function writeArchiveStart(entries: readonly NewArchiveEntry[]): Promise<Uint8Array> {
  const whole = await buffer(Readable.from(writeArchive(entries)))
  return whole.subarray(0, -END_BYTES)
}

/**
 * Yields the entries of a compressed archive. It is read to the last byte, so that a checksum or authentication tag at its
 * end is verified.
 * @throws Error if the archive is damaged, or any error from reading `bytes`
 */
export async function* readArchive(bytes: Readable): AsyncGenerator<ArchiveEntry> {
  const { extract } = await import('tar-stream')
  const archive = extract()
  // Each stream has its listener before the first byte is read.
  const unpacked = createGunzip().on('error', (error) => archive.destroy(error))
  bytes.on('error', (error) => unpacked.destroy(error))
  for await (const entry of bytes.pipe(unpacked).pipe(archive)) {
    yield { name: entry.header.name, pieces: entry }
    entry.resume()
  }
}
