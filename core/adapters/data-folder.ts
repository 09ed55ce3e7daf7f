// The folder of the database and the key file.
import { constants, existsSync } from 'node:fs'
import { access, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StartError } from './start-error.ts'

/** Creates the data folder if it does not exist. @throws StartError that names the obstacle */
export async function prepareFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder)
    await access(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new StartError(
      `The data folder ${folder.replaceAll('\0', '\\0')} cannot be used: ${formatReason(error)}. Name another one with --data (WEIR_DATA).`,
      error,
    )
  }
}

/**
 * Creates one folder after the other: if a parent exists but cannot contain folders (such as /proc), Node's recursive
 * mode retries forever.
 * @throws an error of the system
 */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const parent = dirname(folder)
    if (code === 'ENOENT' && parent !== folder && !existsSync(parent)) {
      await makeFolder(parent)
      return makeFolder(folder)
    }
    if (code !== 'EEXIST') throw error
    if (!(await stat(folder)).isDirectory()) throw error
  }
}

function formatReason(error: unknown): string {
  const { code = '', syscall, message } = error as NodeJS.ErrnoException
  const reasons: Record<string, string> = {
    EACCES: 'this user may not write there',
    EPERM: 'this user may not write there',
    EROFS: 'the file system is read-only',
    ENOTDIR: 'a file is in the way',
    EEXIST: 'a file is in the way',
    ENOENT: syscall === 'stat' ? 'a link to nowhere is in the way' : 'its parent takes no folders',
    ELOOP: 'a link that points to itself is in the way',
    ENAMETOOLONG: 'its name is too long',
    ENOSPC: 'the disk is full',
    ERR_INVALID_ARG_VALUE: 'there is a NUL in its name',
  }
  return reasons[code] ?? `${code || message}`
}
