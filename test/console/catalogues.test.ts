// English texts stand in the code of the console, and every other language in catalogues.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root, sources } from '../support/sources.ts'
import { arrangeCatalogues, findTexts, listLanguages, readCatalogues } from './catalogues.ts'

const texts = findTexts()

const readPlaceholders = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort().join()

it('finds texts wherever they stand', () => {
  expect(texts.used.get('Save')).toBeDefined()
  // In a call with values, in a map of states, in a declaration, and in a context.
  for (const key of ['{name} deleted', 'waiting for payment', 'Redemption codes', 'Redemption codes_title'])
    expect([key, texts.used.has(key)]).toEqual([key, true])
})

describe.each(listLanguages())('the catalogues of %s', (language) => {
  const catalogues = readCatalogues(language)
  const entries = Object.entries(catalogues).flatMap(([room, texts]) =>
    Object.entries(texts).map(([key, translation]) => ({ key, translation, at: `${room}.json: ${key}` })),
  )

  it('have every text of the code and no other, each in the catalogue of the room that shows it', () => {
    // `npm run texts` puts them where they belong.
    expect(catalogues).toEqual(arrangeCatalogues(texts, language))
    expect(entries.filter(({ translation }) => translation === '').map(({ at }) => at)).toEqual([])
  })

  it('fill in the same placeholders as the English text', () => {
    const wrong = entries.filter(({ key, translation }) => readPlaceholders(key) !== readPlaceholders(translation))
    expect(wrong.map(({ at }) => at)).toEqual([])
  })

  it('are sorted', () => {
    for (const catalogue of Object.values(catalogues))
      expect(Object.keys(catalogue)).toEqual(Object.keys(catalogue).sort())
  })
})

it('has no line of Chinese in the code of the console', () => {
  const found = sources
    .filter((file) => /^console\/.*\.tsx?$/.test(file))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, at) => (/\p{Script=Han}/u.test(line) ? [`${file}:${at + 1}`] : [])),
    )
  expect(found).toEqual([])
})
