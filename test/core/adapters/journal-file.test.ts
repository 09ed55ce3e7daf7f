// Zeros that are written ahead never delay a write, and are never read.
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openJournalFile, trimZeros } from '../../../core/adapters/journal-files.ts'

const MIB = 1024 * 1024
let folder: string
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'weir-file-'))))
afterEach(() => rm(folder, { recursive: true, force: true }))

const part = (length: number, byte: number) => new Uint8Array(length).fill(byte)

test.each([
  ['small', 900, 3000],
  ['half of what is laid', MIB / 2 + 1, 6],
  ['larger than what is laid', MIB + 77, 4],
])('what is %s is read as it was written', async (_, length, times) => {
  const path = join(folder, 'file')
  const file = await openJournalFile('file', path)
  for (let time = 0; time < times; time += 1) await file.append(part(length, (time % 250) + 1))
  await file.close()
  const read = trimZeros(await readFile(path))
  expect(read.length).toBe(length * times)
  for (let time = 0; time < times; time += 1) expect(read[time * length]).toBe((time % 250) + 1)
})

test('zeros lie ahead, and nobody else may read them', async () => {
  const path = join(folder, 'file')
  const file = await openJournalFile('file', path)
  await file.append(part(10, 1))
  await file.append(part(10, 2))
  await file.close()
  const { size, mode } = await stat(path)
  expect(size).toBe(10 + MIB)
  expect(mode & 0o777).toBe(0o600)
  expect(new Uint8Array(trimZeros(await readFile(path)))).toEqual(new Uint8Array([...part(10, 1), ...part(10, 2)]))
})

test('a file of zeros has nothing', () => {
  expect(trimZeros(part(5, 0))).toEqual(new Uint8Array(0))
})
