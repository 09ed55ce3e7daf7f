// Every row of the list of attacks has a test that bears its id, here or where the thing is tested anyway.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const ROWS = { A: 10, B: 9, C: 5, D: 8, E: 5 }
const root = fileURLToPath(new URL('..', import.meta.url))

const testsBelow = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) return testsBelow(path)
    return path.endsWith('.test.ts') ? [readFileSync(path, 'utf8')] : []
  })

it('no row is without a test', () => {
  const named = new Set(testsBelow(root).flatMap((text) => [...text.matchAll(/['`]([A-E]\d+): /g)].map(([, id]) => id)))
  const rows = Object.entries(ROWS).flatMap(([letter, n]) => Array.from({ length: n }, (_, at) => `${letter}${at + 1}`))
  expect(rows.filter((id) => !named.has(id))).toEqual([])
})
