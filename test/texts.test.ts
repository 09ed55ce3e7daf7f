// Texts and their catalogues: every text of core and cli has a translation in each language, no catalogue has more, and
// no other language stands in the code.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { composeWords, fillTemplate, joinList, LANGUAGES, toWords, words } from '../core/texts.ts'
import { root, sources } from './support/sources.ts'
import { compareKeys, languagesOf, PARTS, placeTexts, readCatalogue, scanFile } from './texts/scan.ts'

const scans = sources.filter((file) => /^(core|cli)\//.test(file)).map(scanFile)
const texts = scans.flatMap((scan) => scan.texts)

describe.each(PARTS)('the texts of %s', (part) => {
  const declared = texts.filter((text) => text.part === part)
  const rooms = placeTexts(declared)

  it('have a catalogue for each language', () => {
    expect(declared.length).toBeGreaterThan(1000)
    expect(languagesOf(part)).toEqual(LANGUAGES.filter((language) => language !== 'en'))
  })

  describe.each(languagesOf(part))('in %s', (language) => {
    const catalogue = readCatalogue(part, language)
    const translations = new Map(Object.values(catalogue).flatMap((room) => Object.entries(room)))

    it('are all translated', () => {
      expect(declared.filter(({ key }) => !translations.has(key)).map(({ at, key }) => `${at} ${key}`)).toEqual([])
    })

    it('are used, in the room of their file, and sorted: npx tsx test/texts/write.ts arranges them', () => {
      const places = Object.entries(catalogue).flatMap(([room, entries]) =>
        Object.keys(entries).map((key) => [key, room]),
      )
      expect(places.filter(([key = '', room]) => rooms.get(key) !== room)).toEqual([])
      for (const entries of Object.values(catalogue))
        expect(Object.keys(entries)).toEqual(Object.keys(entries).sort(compareKeys))
    })

    it('have the placeholders of the English text', () => {
      const wrong = [...translations].filter(
        ([key, translation]) => listPlaceholders(key) !== listPlaceholders(translation) && !LEFT_OUT.has(key),
      )
      expect(wrong).toEqual([])
    })
  })
})

/** Texts whose translation leaves a value out. */
const LEFT_OUT = new Set(['{names} and {more} more'])

const listPlaceholders = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort().join(' ')

it('a text is a literal, so that it can be found', () => {
  expect(scans.flatMap((scan) => scan.faults)).toEqual([])
})

it('no code has Chinese: it stands in the catalogues', () => {
  const CHINESE = /[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u
  const found = sources
    .filter((file) => /^(core|cli|http)\/.*\.tsx?$/.test(file))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, at) => (CHINESE.test(line) ? [`${file}:${at + 1} ${line.trim()}`] : [])),
    )
  expect(found).toEqual([])
})

describe('a text', () => {
  it('is read in every language, as a property of its own', () => {
    expect({ ...words('Today') }).toEqual({ en: 'Today', zh: '今天' })
    expect(JSON.stringify(words('Today'))).toBe('{"en":"Today","zh":"今天"}')
  })

  it('has another translation in another context', () => {
    expect(words('Code').zh).toBe('验证码')
    expect(words('Code', { context: 'redemption' }).zh).toBe('兑换码')
  })

  it('is filled in the language of the whole; a value is not read as a template', () => {
    const filled = fillTemplate(words('{n} calls'), { n: '{n}' })
    expect([filled.en, filled.zh]).toEqual(['{n} calls', '{n} 次调用'])
    const nested = fillTemplate(toWords('{what}, {other}'), { what: words('Today') })
    expect([nested.en, nested.zh]).toEqual(['Today, {other}', '今天, {other}'])
    expect(joinList(['a', words('Today')]).zh).toBe('a、今天')
  })

  it('is composed for a language when it is shown in it', () => {
    const written: string[] = []
    const composed = composeWords((language) => (written.push(language), language))
    expect(written).toEqual(['en'])
    expect([composed.zh, composed.en, written]).toEqual(['zh', 'en', ['en', 'zh']])
  })

  it('without a translation is shown in English', () => {
    const key = 'This text is in no catalogue'
    expect(words(key).zh).toBe(key)
  })
})
