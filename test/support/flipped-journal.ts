// A bit that changes on the disk while nobody runs: in a journal that a killed process has left, anywhere in what was written.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Flip {
  /** As the log names it: the process's folder and the file. */
  file: string
  at: number
}

/** Flips a bit of one file. `chance` gives numbers from 0 to 1. @throws Error where nothing was left */
export async function flipOne(data: string, chance: () => number): Promise<Flip> {
  const folder = join(data, 'journal')
  const entries = await readdir(folder, { recursive: true }).catch(() => [])
  const files = entries.filter((name) => name.endsWith('.journal'))
  const file = files[Math.floor(chance() * files.length)]
  if (file === undefined) throw new Error('the killed process has left no journal to flip a bit of')
  const bytes = await readFile(join(folder, file))
  // Zeros at its end are laid ahead.
  const written = bytes.findLastIndex((byte) => byte !== 0) + 1
  const at = Math.floor(chance() * written)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(chance() * 8))
  await writeFile(join(folder, file), bytes)
  return { file, at }
}

/** Whoever starts next names the place, and keeps the file aside. */
export async function isNamed({ file, at }: Flip, data: string, said: string, problems: string[]): Promise<void> {
  const told = said
    .split('\n')
    .filter((line) => line.includes('bytes were changed') && line.includes(file))
    .map((line) => JSON.parse(line) as { at: number; bytes: number })
  if (!told.some((each) => each.at <= at && at < each.at + each.bytes))
    problems.push(`byte ${at} of ${file} was changed and is not named: ${said.slice(0, 2000)}`)
  const aside = await readdir(join(data, 'journal'))
  if (!aside.includes(`${file.replace('/', '-')}.damaged`)) problems.push(`${file} is not kept aside: ${String(aside)}`)
}
