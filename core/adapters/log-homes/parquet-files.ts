// Files of rows by month, each named by its range of ids: `2026-10/120000-140000.parquet`. A file whose range lies
// within another's has been merged into that one and is ignored.
import { chmod, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { IdSpan } from '../../logs/home.ts'
import { flushFolderNames, PRIVATE_FILE_MODE } from '../private-file.ts'

export interface RowFile extends IdSpan {
  path: string
  month: string
}

const MONTH = /^\d{4}-\d{2}$/
const FILE = /^(\d+)-(\d+)\.parquet$/

export const getMonthFolder = (at: number): string => new Date(at * 1000).toISOString().slice(0, 7)

/** Lists all current files, by month and by their ids. */
export async function listRowFiles(folder: string): Promise<RowFile[]> {
  const months = (await readdir(folder)).filter((name) => MONTH.test(name)).sort()
  const found = await Promise.all(months.map((month) => filesOfMonth(folder, month)))
  return found.flatMap((files) => files.filter((file) => !files.some((other) => isWithin(file, other))))
}

async function filesOfMonth(folder: string, month: string): Promise<RowFile[]> {
  const files = (await readdir(join(folder, month))).flatMap((name) => {
    const [, from, to] = FILE.exec(name) ?? []
    return to === undefined ? [] : [{ month, path: join(folder, month, name), from: Number(from), to: Number(to) }]
  })
  return files.sort((a, b) => a.from - b.from || b.to - a.to)
}

const isWithin = (file: RowFile, other: RowFile) =>
  other !== file && other.from <= file.from && other.to >= file.to && (other.from < file.from || other.to > file.to)

/** Moves a complete file into its place, so that readers never see a partial one, even after a crash. */
export async function moveFileIntoPlace(
  folder: string,
  month: string,
  { from, to }: IdSpan,
  write: (path: string) => Promise<void>,
): Promise<void> {
  const home = join(folder, month)
  await mkdir(home, { recursive: true, mode: 0o700 })
  const place = join(home, `${from}-${to}.parquet`)
  const draft = `${place}.tmp`
  await write(draft)
  await chmod(draft, PRIVATE_FILE_MODE)
  const handle = await open(draft, 'r+')
  await handle.sync().finally(() => handle.close())
  await rename(draft, place)
  await flushFolderNames(home)
}

/** Removes merged and incomplete files. */
export async function removeStaleFiles(folder: string): Promise<void> {
  for (const month of (await readdir(folder)).filter((name) => MONTH.test(name))) {
    const files = await filesOfMonth(folder, month)
    for (const file of files) if (files.some((other) => isWithin(file, other))) await rm(file.path)
    for (const name of await readdir(join(folder, month)))
      if (name.endsWith('.tmp')) await rm(join(folder, month, name), { force: true })
  }
}
