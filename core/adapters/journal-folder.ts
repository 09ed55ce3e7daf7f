// The journal's folder in the data folder. It contains one folder per process, locked while the process lives, so that
// later processes can detect abandoned files.
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { JournalFolder } from '../ports/journal.ts'
import type { Logger } from '../ports/logger.ts'
import { openJournalFile, trimZeros } from './journal-file.ts'
import { acquireLock, type FolderLock } from './knex/lock.ts'
import { flushFolder } from './private-file.ts'

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
    const lock = await acquireLock(path(process), logger).catch(() => null)
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
        await flushFolder(data)
        await flushFolder(folder)
      }
      const name = join(own, `${String((number += 1)).padStart(6, '0')}.journal`)
      const file = await openJournalFile(name, path(name))
      await flushFolder(path(own))
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
