// The page of every command and the pictures of its output are as they are written down: `npx tsx test/cli/commands-page.ts`.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { everyPage } from './commands-page.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

it('the pages of commands are up to date', { timeout: 120_000 }, async () => {
  const pages = await everyPage()
  for (const [file, text] of Object.entries(pages)) expect(readFileSync(ROOT + file, 'utf8'), file).toBe(text)
  const kept = readdirSync(`${ROOT}test/cli/pictures`).map((name) => `test/cli/pictures/${name}`)
  expect(kept.sort()).toEqual(
    Object.keys(pages)
      .filter((file) => file.startsWith('test/'))
      .sort(),
  )
})
