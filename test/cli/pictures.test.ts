// The output of every command equals its picture: `npx tsx test/cli/pictures.ts` writes the pictures. Pictures have 80
// columns; other widths are checked by rules that hold at every width.
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import stringWidth from 'fast-string-width'
import { FOLDER, makePictures, startExampleGateway, steadyLooks, type ExampleGateway } from './pictures.ts'

const OTHER_WIDTHS = [60, 120]

/** Commands that print a document or sentences, whose lines no terminal breaks. */
const UNFITTED =
  /^(export|\w+ export|ledger (checkpoint|verify)|logs (trace|explain|home)|why|alerts preview|usage ls|sign-in-services discover)$/

let gateway: ExampleGateway
beforeAll(async () => {
  gateway = await startExampleGateway()
})
afterAll(() => gateway.close())

it('pictures are up to date', { timeout: 120_000 }, async () => {
  const pictures = await makePictures(gateway)
  for (const [file, text] of Object.entries(pictures))
    if (readFileSync(FOLDER + file, 'utf8') !== text) expect.soft(text, file).toBe(readFileSync(FOLDER + file, 'utf8'))
  expect(readdirSync(FOLDER).sort()).toEqual(Object.keys(pictures).sort())
})

const splitWords = (text: string) => text.split(/\s+/).filter(Boolean)

/** A piece of a diagram, which is drawn for its terminal. */
const isDrawn = (word: string) => /[░█|]/.test(word)

/** Words of `printed` that are not in `whole`, but for a word that is cut with a mark or goes on in the next line. */
function findLostWords(printed: string, whole: string): string[] {
  const known = new Set(splitWords(whole))
  const lines = printed.split('\n').map(splitWords)
  return lines.flatMap((words, row) =>
    words.filter((word, at) => {
      const isCut = word.endsWith('…') && whole.includes(word.slice(0, -1))
      const goesOn = at === words.length - 1 && whole.includes(word + (lines[row + 1]?.[0] ?? ' '))
      const comesFrom = at === 0 && whole.includes((lines[row - 1]?.at(-1) ?? ' ') + word)
      return !known.has(word) && !isDrawn(word) && !isCut && !goesOn && !comesFrom
    }),
  )
}

it('at every other width lines fit, and no text is lost or cut without a mark', { timeout: 120_000 }, async () => {
  const faults: string[] = []
  for (const [name, args] of steadyLooks) {
    const line = [...name.split(' '), ...args]
    const whole = await gateway.print(line)
    for (const columns of OTHER_WIDTHS) {
      const printed = await gateway.print(line, columns)
      const wide = UNFITTED.test(name) ? [] : printed.split('\n').filter((text) => stringWidth(text) > columns)
      faults.push(...wide.map((text) => `${name} is wider than ${columns}: ${text}`))
      faults.push(...findLostWords(printed, whole).map((word) => `${name} at ${columns} has another word: ${word}`))
    }
  }
  expect(faults).toEqual([])
})
