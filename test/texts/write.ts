// Arranges the catalogues: each text in the file of its room, sorted, without those that the code does not use any more.
// Texts that have no translation are listed; put them into any file of the language and run this again.
//
//   npx tsx test/texts/write.ts
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/sources.ts'
import { compareKeys, languagesOf, PARTS, placeTexts, productFiles, readCatalogue, scanFile } from './scan.ts'

const texts = productFiles.flatMap((file) => scanFile(file).texts)
let missing = 0
for (const part of PARTS) {
  const own = texts.filter((text) => text.part === part)
  const rooms = placeTexts(own)
  for (const language of languagesOf(part)) {
    const folder = join(root, part, 'locales', language)
    const known = Object.assign({}, ...Object.values(readCatalogue(part, language))) as Record<string, string>
    const files = new Map<string, Record<string, string>>()
    for (const key of [...rooms.keys()].sort(compareKeys)) {
      const room = rooms.get(key) ?? ''
      const translation = known[key]
      if (translation === undefined) {
        missing++
        process.stdout.write(`${language}: ${own.find((text) => text.key === key)?.at} ${JSON.stringify(key)}\n`)
      } else files.set(room, { ...files.get(room), [key]: translation })
    }
    for (const name of readdirSync(folder)) if (!files.has(name.replace('.json', ''))) rmSync(join(folder, name))
    for (const [room, entries] of files)
      writeFileSync(join(folder, `${room}.json`), `${JSON.stringify(entries, null, 2)}\n`)
    for (const key of Object.keys(known).filter((each) => !rooms.has(each)))
      process.stdout.write(`${language}: removed ${JSON.stringify(key)}: ${JSON.stringify(known[key])}\n`)
  }
}
process.exitCode = missing > 0 ? 1 : 0
