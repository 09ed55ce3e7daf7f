// One file of the journal. It is filled with zeros ahead of the writes: a write that extends a file also waits for its
// inode, which took 0.28 ms and 140 µs of CPU instead of 0.2 ms and 110.
import { constants, write } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import type { JournalFile, JournalFolder } from '../ports/journal.ts'
import type { Logger } from '../ports/logger.ts'
import { lockDataFolder, type FolderLock } from './knex/schema/installation.ts'
import { flushFolderNames, PRIVATE_FILE_MODE } from './private-file.ts'

/** Bytes of zeros to add at once. */
const ROOM_BYTES = 1024 * 1024

const { O_CREAT, O_DSYNC = 0, O_EXCL, O_WRONLY } = constants
/** If the system supports it, a write returns once it is on disk, which saves a second call. */
const FLAGS = O_CREAT | O_EXCL | O_WRONLY | O_DSYNC
const writeAt = promisify(write)

/** Removes trailing zeros. No record ends with one. */
export function trimZeros(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end -= 1
  return bytes.subarray(0, end)
}

export async function openJournalFile(name: string, path: string): Promise<JournalFile> {
  const file = await open(path, FLAGS, PRIVATE_FILE_MODE)
  /** Offset of the next write, and the end of the zeros. */
  let at = 0
  let room = 0
  let laying: Promise<void> | undefined
  let lays = true

  /** A failure is ignored: the disk may have space for less. */
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
      // Zeros written later would overwrite it.
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

// The journal's folder in the data folder. It contains one folder per process, locked while the process lives, so that
// later processes can detect abandoned files.

const FOLDER = 'journal'
const FILE = /^\d{6}\.journal$/

/** True if the journal contains files of a running or ended process. */
export const hasJournal = async (data: string): Promise<boolean> =>
  (await readdir(join(data, FOLDER)).catch(() => [])).length > 0

/** `own` is a unique name of this process. Nothing is created before the first write. */
export function openJournalFolder(data: string, own: string, logger: Logger): JournalFolder {
  const folder = join(data, FOLDER)
  const path = (name: string) => join(folder, name)
  const locks = new Map<string, FolderLock>()
  let number = 0

  /** Returns false if another process has it, or if it has just been removed. */
  async function take(process: string): Promise<boolean> {
    const lock = await lockDataFolder(path(process), logger).catch(() => null)
    if (lock) locks.set(process, lock)
    return lock !== null
  }

  async function releaseFolder(process: string): Promise<void> {
    // Removed before the lock is released, so that no process takes it over.
    await rm(path(process), { recursive: true, force: true })
    await locks.get(process)?.release()
    locks.delete(process)
  }

  const listFiles = async (process: string) =>
    (await readdir(path(process)).catch(() => [])).filter((name) => FILE.test(name))

  return {
    own,
    async begin() {
      if (!locks.has(own)) {
        await mkdir(path(own), { recursive: true, mode: 0o700 })
        await take(own)
        await flushFolderNames(data)
        await flushFolderNames(folder)
      }
      const name = join(own, `${String((number += 1)).padStart(6, '0')}.journal`)
      const file = await openJournalFile(name, path(name))
      await flushFolderNames(path(own))
      return file
    },
    async adopt() {
      const adopted: { file: string; journal: string }[] = []
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
      const others = entries.filter((entry) => entry.isDirectory() && !locks.has(entry.name)).map(({ name }) => name)
      for (const process of others.sort()) {
        if (!(await take(process))) continue
        const files = await listFiles(process)
        if (files.length === 0) await releaseFolder(process)
        adopted.push(...files.sort().map((file) => ({ file: join(process, file), journal: process })))
      }
      return adopted
    },
    read: async (name) => trimZeros(await readFile(path(name))),
    async remove(name) {
      await rm(path(name), { force: true })
      const process = dirname(name)
      if ((await listFiles(process)).length === 0) await releaseFolder(process)
    },
    async putAside(name) {
      const newName = `${name.replace(/[\\/]/, '-')}.damaged`
      await rename(path(name), path(newName))
      if ((await listFiles(dirname(name))).length === 0) await releaseFolder(dirname(name))
      return newName
    },
    checksum: crc32,
    async close() {
      for (const lock of locks.values()) await lock.release()
      locks.clear()
    },
  }
}
