// `npm run texts` adds new texts of the console to the catalogues, empty, moves texts whose room has changed, and
// removes unused ones.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { arrangeCatalogues, findTexts, listLanguages, LOCALES } from './catalogues.ts'

const texts = findTexts()
// A new language begins with its name as the argument.
for (const language of new Set([...listLanguages(), ...process.argv.slice(2)])) {
  mkdirSync(join(LOCALES, language), { recursive: true })
  const arranged = arrangeCatalogues(texts, language)
  rmSync(join(LOCALES, language), { recursive: true })
  mkdirSync(join(LOCALES, language))
  for (const [room, catalogue] of Object.entries(arranged)) {
    writeFileSync(join(LOCALES, language, `${room}.json`), `${JSON.stringify(catalogue, null, 2)}\n`)
    for (const [key, translation] of Object.entries(catalogue))
      if (translation === '') process.stdout.write(`${language}/${room}.json: ${key}\n`)
  }
}
