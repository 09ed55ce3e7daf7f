// Writes down which parts of the product a test file has reached, while it was loaded or later. Vitest loads this before each file.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const reached = (globalThis.reachedParts = new Set<string>())

// oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern that no fixture is used
afterAll(({}, file) => {
  const folder = process.env['WEIR_REACH_FOLDER']
  if (folder === undefined) return
  writeFileSync(join(folder, `${file.name.replaceAll('/', '+')}.json`), JSON.stringify([...reached]))
})
