// One file of the journal. Zeros are laid ahead of what is written: a write that makes a file longer waits for its inode as
// well, which took 0.28 ms and 140 µs of CPU where one into zeros took 0.2 ms and 110.
import { constants, write } from 'node:fs'
import { open } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { JournalFile } from '../ports/journal.ts'
import { PRIVATE_MODE } from './private-file.ts'

/** So much is laid at once. */
const ROOM_BYTES = 1024 * 1024

const { O_CREAT, O_DSYNC = 0, O_EXCL, O_WRONLY } = constants
/** Where the system can, a write is on the disk when it returns, which spares the second call. */
const FLAGS = O_CREAT | O_EXCL | O_WRONLY | O_DSYNC
const writeAt = promisify(write)

/** Without the zeros behind what was written: no record ends with one. */
export function writtenOf(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end -= 1
  return bytes.subarray(0, end)
}

export async function openJournalFile(name: string, path: string): Promise<JournalFile> {
  const file = await open(path, FLAGS, PRIVATE_MODE)
  /** Where the next write begins, and up to where zeros lie. */
  let at = 0
  let room = 0
  let laying: Promise<void> | undefined
  let lays = true

  /** What cannot be laid is done without: the disk may have room for less. */
  function layAhead(): void {
    const from = Math.max(room, at)
    laying = layZeros(path, from)
      .then(
        () => void (room = from + ROOM_BYTES),
        () => void (lays = false),
      )
      .finally(() => (laying = undefined))
  }

  return {
    name,
    async append(bytes) {
      // Zeros that come late would overwrite it.
      if (at + bytes.length > room) await laying
      for (let done = 0; done < bytes.length;)
        done += (await writeAt(file.fd, bytes, done, bytes.length - done, at + done)).bytesWritten
      if (O_DSYNC === 0) await file.datasync()
      at += bytes.length
      if (lays && !laying && room - at < ROOM_BYTES / 2) layAhead()
    },
    async close() {
      await laying
      await file.close()
    },
  }
}

async function layZeros(path: string, from: number): Promise<void> {
  const file = await open(path, 'r+')
  try {
    const { bytesWritten } = await file.write(new Uint8Array(ROOM_BYTES), 0, ROOM_BYTES, from)
    if (bytesWritten < ROOM_BYTES) throw new Error('the disk has no room')
    await file.datasync()
  } finally {
    await file.close()
  }
}
