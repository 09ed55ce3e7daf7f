// The rows of each library's last whole run, so that the page can be written when one of them was played again.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CACHE } from '../support/uv.ts'
import type { Row } from './page.ts'

const FOLDER = join(CACHE, 'rows')
const fileOf = (name: string) => join(FOLDER, `${name}.json`)

export function keepRows(name: string, rows: readonly Row[]): void {
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(fileOf(name), JSON.stringify(rows))
}

/** Undefined of a library that was never played to its end. */
export const keptRows = (name: string): Row[] | undefined =>
  existsSync(fileOf(name)) ? JSON.parse(readFileSync(fileOf(name), 'utf8')) : undefined
